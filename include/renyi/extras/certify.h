// Certified figures: enclosures in ball arithmetic, computed independently of the rest of the library, so that
// they prove or refute what it says (docs/math/certified-numbers.md). Link renyi::certify.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "renyi/extras/curve.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi {

// Exactly mantissa * 2^exponent: `mantissa` is an odd integer in decimal, or "0"; or it is "inf".
struct Dyadic {
  std::string mantissa = "0";
  std::int64_t exponent = 0;

  // What is read: longer or larger ones are refused.
  static constexpr std::size_t most_digits = 1000;
  static constexpr std::int64_t largest_exponent = std::int64_t{1} << 40;

  bool operator==(const Dyadic&) const = default;
};

// The largest double at or below, the smallest at or above.
double rounded_down(const Dyadic& number);
double rounded_up(const Dyadic& number);
// Decimals with that many significant digits, rounded towards minus and plus infinity.
std::string decimal_below(const Dyadic& number, int digits = 20);
std::string decimal_above(const Dyadic& number, int digits = 20);

// The truth lies in [lower, upper].
struct Enclosure {
  Dyadic lower;
  Dyadic upper;

  bool operator==(const Enclosure&) const = default;
};

// Whether the first holds all of the second.
bool contains(const Enclosure& outer, const Enclosure& inner);

// The least that holds both.
Enclosure hull(const Enclosure& a, const Enclosure& b);

// With room on either side: this share of the width (nothing where that is infinite), and this share of the end itself.
// Nothing goes below 0: no figure here is negative.
Enclosure widened(const Enclosure& value, double of_width, double of_end);

// Both of them, and some room on either side.
Enclosure around(const Enclosure& a, const Enclosure& b);

// The distance of the ends, rounded up; infinite where the upper end is.
double width(const Enclosure& value);

// Where a figure can be had in two ways, the second is that of a verifier: another method, or other contours, grids and
// precision.
enum class Route { first, second };

struct Certified {
  Enclosure value;
  std::string method;          // for example "trapezoidal rule"
  std::int64_t precision = 0;  // bits of the arithmetic that sufficed
};

// The questions of renyi/cost.h and renyi/rdp.h, with a proof.
//
//     const renyi::Certified proof = renyi::certified::epsilon(plan, 1e-5, renyi::Direction::remove);
//     renyi::rounded_up(proof.value.upper);  // the smallest double at or above the proven upper end
namespace certified {

// D_order of the whole plan in one direction; order in [1, 1e4] or infinite. Relative width at most 1e-12.
[[nodiscard]] Certified divergence(const Plan& plan, double order, Direction direction, Route route = Route::first);

// What one order proves of the larger direction, by that conversion (docs/math/conversion.md); orders up to 1e100,
// since the best ones of small plans are large.
[[nodiscard]] Certified renyi_epsilon(const Plan& plan, double order, Conversion conversion, double delta,
                                      Route route = Route::first);
[[nodiscard]] Certified renyi_delta(const Plan& plan, double order, Conversion conversion, double epsilon,
                                    Route route = Route::first);

// The exact figures of one direction, composed through all steps: a relative width of about 1e-10 for smooth
// compositions and 1e-3 for few steps and losses with atoms; where no method is sharp, what Chernoff's bound proves.
// Throw Unsupported where a step is known by bounds on its divergences only, NotConverged where nothing finite can be
// proven.
[[nodiscard]] Certified delta(const Plan& plan, double epsilon, Direction direction, Route route = Route::first);
[[nodiscard]] Certified epsilon(const Plan& plan, double delta, Direction direction, Route route = Route::first);

}  // namespace certified

// Whether every figure of the plan is known to be the same in both directions.
bool same_in_both_directions(const Plan& plan);

// Whether the divergences of a step of this mechanism can be certified, under add-or-remove-one: its exact figures need
// the law of its loss too. False for all in a build that cannot certify.
bool has_certified_method(const Mechanism& mechanism);

// Whether this build can certify, and by which version of Arb; if not, every figure above throws Unsupported, which
// says how to get it.
bool can_certify() noexcept;
std::string_view arb_version_used() noexcept;

}  // namespace renyi
