// delta as a function of epsilon, for the plans that have it in closed form
// (docs/math/exact-closed-forms.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "exact/invert.h"
#include "mechanism/law.h"
#include "mechanism/monotone/pairs_curve.h"
#include "numerics/mills.h"
#include "numerics/rounding.h"
#include "renyi/plan.h"

namespace renyi::exact {

// Enclosures in extended precision, and their way to doubles.

inline constexpr long double extended_roundoff = numerics::extended_roundoff;

// The truth lies in [lower, upper].
struct Enclosure {
  long double lower = 0;
  long double upper = 0;
  bool nothing = false;  // 0 by nature: an upper end of 0 may also be one that fell below all numbers
};

inline constexpr Enclosure exactly_nothing{0, 0, true};

// A value that is right to a few roundings.
inline Enclosure around(long double value, long double roundings) {
  const long double reach = roundings * extended_roundoff * value;
  return {value - reach, value + reach};
}

// A probability as doubles, rounded outwards; the upper end is 0 only where it is so by nature.
inline Interval to_ends(const Enclosure& p) {
  if (p.nothing) return {0, 0};
  const double lower = p.lower > 0 ? std::max(0.0, numerics::next_down(static_cast<double>(p.lower))) : 0;
  return {lower, std::min(1.0, numerics::next_up(static_cast<double>(p.upper)))};
}

using Profile = std::function<Interval(double epsilon)>;

// epsilon(delta) = inf{x : profile(x) <= delta} for 0 < delta < 1, to the last digits the profile has; `start` is
// about there. The upper end is infinite where no double proves one.
Interval epsilon_of(const Profile& profile, double delta, double start);

// One of these, or nothing.
std::optional<Profile> closed_form_profile(const std::vector<CountedMechanism>& steps, Direction direction);

// Steps as the closed forms see them: the law of each, and how often it runs.
struct CountedLaw {
  mechanism::Law law;
  std::int64_t count = 1;
};

// All of `steps` are pairs of normal laws: together one of them.
std::optional<Profile> gaussian_profile(const std::vector<CountedLaw>& steps);

// One sampled Gaussian.
Profile sampled_gaussian_profile(const mechanism::SampledNormal& law, Direction direction);

// One step of a revealed mixture of pairs.
Profile pairs_profile(std::shared_ptr<const monotone::PairsCurve> pairs, Direction direction);

// Randomized response: the largest loss, and its probability under P.
struct Response {
  Enclosure loss;
  Enclosure probability;
};
Response response_of(const mechanism::CategoricalResponse& law);
Response response_of(const mechanism::TwoLosses& law);

Profile response_profile(const Response& response);
// `runs` binary responses.
Profile repeated_response_profile(const Enclosure& loss, std::int64_t runs);
inline constexpr std::int64_t most_runs = 1'000'000'000;

}  // namespace renyi::exact
