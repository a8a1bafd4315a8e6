// The interface of a build without Arb: every function throws an error that says how to get Arb.
#include "certify/absent/refuse.h"
#include "renyi/extras/certify.h"

namespace renyi {

using certify::refuse;

double rounded_down(const Dyadic&) { refuse(); }
double rounded_up(const Dyadic&) { refuse(); }
std::string decimal_below(const Dyadic&, int) { refuse(); }
std::string decimal_above(const Dyadic&, int) { refuse(); }
Enclosure hull(const Enclosure&, const Enclosure&) { refuse(); }
Enclosure widened(const Enclosure&, double, double) { refuse(); }
double width(const Enclosure&) { refuse(); }
Enclosure around(const Enclosure&, const Enclosure&) { refuse(); }
bool contains(const Enclosure&, const Enclosure&) { refuse(); }
Certified certified::divergence(const Plan&, double, Direction, Route) { refuse(); }
Certified certified::renyi_epsilon(const Plan&, double, Conversion, double, Route) { refuse(); }
Certified certified::renyi_delta(const Plan&, double, Conversion, double, Route) { refuse(); }
Certified certified::delta(const Plan&, double, Direction, Route) { refuse(); }
Certified certified::epsilon(const Plan&, double, Direction, Route) { refuse(); }
bool same_in_both_directions(const Plan&) { refuse(); }
bool has_certified_method(const Mechanism&) { return false; }
bool can_certify() noexcept { return false; }
std::string_view arb_version_used() noexcept { return "none"; }

}  // namespace renyi
