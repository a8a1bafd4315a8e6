// Lower ends beside steps that are known from above only (docs/math/relatives.md, "Own mechanisms").
#pragma once

#include <vector>

#include "relate/supremum.h"
#include "renyi/plan.h"

namespace renyi::relate {

// A mechanism of one's own that is a bound on its divergences: the truth may be anything below.
bool is_only_bounded(const Mechanism& mechanism);

// The steps without those. A step more never makes a smallest parameter smaller, so what these need at least is a
// lower end for all.
std::vector<CountedMechanism> known_from_below(std::vector<CountedMechanism> mechanisms);

// smallest_rho and smallest_xi of the composed curve (relate/divergence_growth.h), the lower end by these steps alone.
Range smallest_rho(const std::vector<CountedMechanism>& mechanisms, double last_order);
Range smallest_xi(const std::vector<CountedMechanism>& mechanisms, double rho);

}  // namespace renyi::relate
