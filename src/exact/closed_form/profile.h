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

// Enclosures in extended precision, and their conversion to doubles.

inline constexpr long double extended_roundoff = numerics::extended_roundoff;

// The exact value lies in [lower, upper].
struct Enclosure {
  long double lower = 0;
  long double upper = 0;
  bool nothing = false;  // the value is exactly 0; without this, an upper bound of 0 may come from underflow
};

inline constexpr Enclosure exactly_nothing{0, 0, true};

// Returns an enclosure of a value that has a few rounding errors.
inline Enclosure around(long double value, long double roundings) {
  const long double reach = roundings * extended_roundoff * value;
  return {value - reach, value + reach};
}

// Returns the enclosure of a probability as doubles, rounded outwards; the upper bound is 0 only if the value is
// exactly 0.
inline Interval to_ends(const Enclosure& p) {
  if (p.nothing) return {0, 0};
  const double lower = p.lower > 0 ? std::max(0.0, numerics::next_down(static_cast<double>(p.lower))) : 0;
  return {lower, std::min(1.0, numerics::next_up(static_cast<double>(p.upper)))};
}

using Profile = std::function<Interval(double epsilon)>;

// epsilon(delta) = inf{x : profile(x) <= delta} for 0 < delta < 1, to the last digits of the profile; `start` is an
// approximation. The upper bound is infinite where no double proves one.
Interval epsilon_of(const Profile& profile, double delta, double start);

// Returns the closed form of the steps, one of those below, or std::nullopt.
std::optional<Profile> closed_form_profile(const std::vector<CountedMechanism>& steps, Direction direction);

// A step as the closed forms take it: its distribution, and how often it runs.
struct CountedLaw {
  mechanism::Law law;
  std::int64_t count = 1;
};

// The profile of steps that are all pairs of normal distributions, which compose to one such pair; std::nullopt for
// other steps.
std::optional<Profile> gaussian_profile(const std::vector<CountedLaw>& steps);

// The profile of one sampled Gaussian.
Profile sampled_gaussian_profile(const mechanism::SampledNormal& law, Direction direction);

// The profile of one step that is a revealed mixture of pairs.
Profile pairs_profile(std::shared_ptr<const monotone::PairsCurve> pairs, Direction direction);

// Randomized response: the largest loss, and its probability under P.
struct Response {
  Enclosure loss;
  Enclosure probability;
};
Response response_of(const mechanism::CategoricalResponse& law);
Response response_of(const mechanism::TwoLosses& law);

Profile response_profile(const Response& response);
// The profile of `runs` binary responses.
Profile repeated_response_profile(const Enclosure& loss, std::int64_t runs);
inline constexpr std::int64_t most_runs = 1'000'000'000;

}  // namespace renyi::exact
