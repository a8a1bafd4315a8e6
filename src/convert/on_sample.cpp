#include "convert/on_sample.h"

#include <fmt/format.h>

#include <algorithm>

#include "convert/noise.h"
#include "renyi/error.h"

namespace renyi::convert {
namespace {

bool is_gaussian(const Part& part) { return part.mechanism->get_if<Gaussian>() != nullptr; }

Mechanism joint_gaussian(const Parts& gaussians, const Sampling& sampling, const SampledPlace& place) {
  const double noise = joint_noise_below(gaussians);
  const Parameter& range = SampledGaussian::parameters()[1];
  if (!range.allows(noise)) {
    throw InvalidArgument(place.inside, fmt::format("a joint noise_multiplier of {}", noise),
                          fmt::format("{}, where a sample is taken", range.allowed()));
  }
  if (sampling.scheme == Scheme::poisson) return SampledGaussian{sampling.rate, noise};
  return Mechanism(Gaussian{noise, 1}).sampled_by(sampling);
}

// A response answers for a record: on samples of fixed size each answer is that of some record. Whether an answer is
// there shows elsewhere who was sampled, and a record drawn twice answers twice.
void check_response(const Part& part, const Sampling& sampling) {
  if (part.mechanism->get_if<RandomizedResponse>() == nullptr || sampling.scheme == Scheme::fixed_size) return;
  throw Unsupported(part.path,
                    fmt::format("randomized response on a {} sample shows who is in it, or answers more than once",
                                to_string(sampling.scheme)),
                    "use SampledWithoutReplacementDpEvent under replace-one");
}

// The step as sampled steps state it: noise beside what one record contributes, under every relation.
Mechanism stated_for_one_record(const Mechanism& mechanism) {
  if (const auto* laplace = mechanism.get_if<Laplace>()) return Laplace{laplace->scale, 1};
  return mechanism;
}

Mechanism single_step(const Parts& parts, const Sampling& sampling, const SampledPlace& place) {
  const auto other = std::find_if_not(parts.begin(), parts.end(), is_gaussian);
  if (other->mechanism->sampling() != nullptr || other->mechanism->get_if<SampledGaussian>() != nullptr) {
    throw Unsupported(other->path, "a sample of a sample is not analysed", "multiply the rates of Poisson samples");
  }
  if (parts.size() > 1 || other->count > 1) {
    throw Unsupported(other->path,
                      fmt::format("several steps on one sample are one mechanism, and {} is analysed by itself only",
                                  other->mechanism->kind()),
                      "put one step, or GaussianDpEvents, on a sample");
  }
  check_response(*other, sampling);
  try {
    return stated_for_one_record(*other->mechanism).sampled_by(sampling);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(place.path, error.value(), error.allowed());
  }
}

}  // namespace

Part on_sample(const Parts& parts, const Sampling& sampling, const SampledPlace& place) {
  const bool gaussians = std::all_of(parts.begin(), parts.end(), is_gaussian);
  Part part{gaussians ? joint_gaussian(parts, sampling, place) : single_step(parts, sampling, place), 1, place.path};
  check_analysed(part, place.neighbors);
  return part;
}

}  // namespace renyi::convert
