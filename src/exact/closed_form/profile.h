// delta as a function of epsilon, for the plans that have it in closed form
// (docs/math/exact-closed-forms.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "exact/closed_form/enclosure.h"
#include "mechanism/bounded_range/bounded_range_pair.h"
#include "renyi/plan.h"
#include "sampling/pairs/pairs_curve.h"

namespace renyi::exact {

using Profile = std::function<Ends(double epsilon)>;

// One of these, or nothing.
std::optional<Profile> closed_form_profile(const std::vector<CountedMechanism>& steps, Direction direction);

// Steps that reveal something.
std::vector<CountedMechanism> revealing(const std::vector<CountedMechanism>& steps);

// mu^2 of the pair N(mu, 1), N(0, 1) that the mechanism is, if it is one.
std::optional<long double> squared_mu(const Mechanism& mechanism);
// All of `steps` are such pairs: together one of them.
std::optional<Profile> gaussian_profile(const std::vector<CountedMechanism>& steps);

// One sampled Gaussian, 0 < q < 1.
Profile sampled_gaussian_profile(const SampledGaussian& mechanism, Direction direction);

// One step of a revealed mixture of pairs.
Profile pairs_profile(std::shared_ptr<const sampling::PairsCurve> pairs, Direction direction);

Profile laplace_profile(const Laplace& mechanism);

// One step of the pair that dominates bounded range.
Profile bounded_range_profile(const mechanism::BoundedRangePair& pair);

// Randomized response: the largest loss, and its probability under P.
struct Response {
  Enclosure loss;
  Enclosure probability;
};
Response response_of(const RandomizedResponse& mechanism);
Response response_of(const PureDp& mechanism);

Profile response_profile(const Response& response);
// `runs` binary responses.
Profile repeated_response_profile(const Enclosure& loss, std::int64_t runs);
inline constexpr std::int64_t most_runs = 1'000'000'000;

}  // namespace renyi::exact
