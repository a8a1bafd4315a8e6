// Certified values: enclosures that are proven in ball arithmetic. They are computed independently of the rest of the
// library, so that they prove or refute its answers (docs/math/certified-numbers.md). Link with renyi::certify.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "renyi/extras/curve.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi {

// The number mantissa * 2^exponent, exactly. `mantissa` is an odd integer in decimal notation, "0", or "inf" for
// infinity.
struct Dyadic {
  std::string mantissa = "0";
  std::int64_t exponent = 0;

  // Limits for numbers that are read from certificates: longer mantissas and larger exponents are rejected.
  static constexpr std::size_t most_digits = 1000;
  static constexpr std::int64_t largest_exponent = std::int64_t{1} << 40;

  bool operator==(const Dyadic&) const = default;
};

// These functions return the largest double that is at most the number, and the smallest double that is at least the
// number.
//
//     const double upper = renyi::rounded_up(proof.value.upper);
[[nodiscard]] double rounded_down(const Dyadic& number);
[[nodiscard]] double rounded_up(const Dyadic& number);
// These functions return a decimal number with this many significant digits, rounded towards minus infinity and towards
// plus infinity.
[[nodiscard]] std::string decimal_below(const Dyadic& number, int digits = 20);
[[nodiscard]] std::string decimal_above(const Dyadic& number, int digits = 20);

// A proven interval: the exact value lies in [lower, upper].
struct Enclosure {
  Dyadic lower;
  Dyadic upper;

  bool operator==(const Enclosure&) const = default;
};

// Returns whether `outer` contains all of `inner`.
[[nodiscard]] bool contains(const Enclosure& outer, const Enclosure& inner);

// Returns the smallest enclosure that contains both.
[[nodiscard]] Enclosure hull(const Enclosure& a, const Enclosure& b);

// Returns the enclosure with a margin on both sides: `of_width` times its width (0 if the width is infinite) plus
// `of_end` times the bound itself. The lower bound does not become negative, since no certified value is negative.
[[nodiscard]] Enclosure widened(const Enclosure& value, double of_width, double of_end);

// Returns an enclosure that contains both, with a margin of a quarter of the width on both sides.
[[nodiscard]] Enclosure around(const Enclosure& a, const Enclosure& b);

// Returns the width of the enclosure, rounded up. It is infinite if the upper bound is.
[[nodiscard]] double width(const Enclosure& value);

// The two ways to compute a certified value. The first makes the claims of a certificate; the second verifies them, and
// uses another method, or other contours, grids and precision.
enum class Route { first, second };

// A proven value, and how it was computed.
struct Certified {
  Enclosure value;
  std::string method;          // for example "trapezoidal rule"
  std::int64_t precision = 0;  // precision of the arithmetic that sufficed, in bits
};

// These functions answer the questions of renyi/cost.h and renyi/rdp.h with a proof.
//
//     const renyi::Certified proof = renyi::certified::epsilon(plan, 1e-5, renyi::Direction::remove);
//     renyi::rounded_up(proof.value.upper);  // an epsilon that is proven for the direction `remove`
namespace certified {

// Computes the Renyi divergence of the whole plan in one direction, at an order in [1, 1e4] or infinity. The relative
// width of the enclosure is at most 1e-12.
[[nodiscard]] Certified divergence(const Plan& plan, double order, Direction direction, Route route = Route::first);

// These functions compute the epsilon at a delta, and the delta at an epsilon, that one order implies for the larger
// direction by the given conversion (docs/math/conversion.md). Orders up to 1e100 are allowed, since the best orders of
// plans with small costs are large.
[[nodiscard]] Certified renyi_epsilon(const Plan& plan, double order, Conversion conversion, double delta,
                                      Route route = Route::first);
[[nodiscard]] Certified renyi_delta(const Plan& plan, double order, Conversion conversion, double epsilon,
                                    Route route = Route::first);

// These functions compute the exact delta at an epsilon, and the exact epsilon at a delta, of one direction, composed
// over all steps. The relative width of the enclosure is about 1e-10 for smooth compositions, and about 1e-3 for few
// steps and for privacy losses with atoms. If no method is tight, the enclosure is what Chernoff's bound proves. They
// throw Unsupported if only bounds on the divergences of a step are known, and NotConverged if no finite value can be
// proven.
[[nodiscard]] Certified delta(const Plan& plan, double epsilon, Direction direction, Route route = Route::first);
[[nodiscard]] Certified epsilon(const Plan& plan, double delta, Direction direction, Route route = Route::first);

}  // namespace certified

// Returns whether every value of the plan is known to be the same in both directions.
[[nodiscard]] bool same_in_both_directions(const Plan& plan);

// Returns whether the Renyi divergences of a step of this mechanism can be certified under add-or-remove-one. Exact
// values also need its privacy loss distribution. Returns false for all mechanisms in a build that cannot certify.
[[nodiscard]] bool has_certified_method(const Mechanism& mechanism);

// can_certify returns whether this build can certify, and arb_version_used by which version of Arb. If the build cannot
// certify, every function above that computes a certified value throws Unsupported, and the message says how to enable
// it.
//
//     if (renyi::can_certify()) std::cout << "Arb " << renyi::arb_version_used() << "\n";
[[nodiscard]] bool can_certify() noexcept;
[[nodiscard]] std::string_view arb_version_used() noexcept;

}  // namespace renyi
