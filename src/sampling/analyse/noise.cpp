#include "sampling/analyse/noise.h"

#include "renyi/own.h"
#include "sampling/pairs/gaussian_pair.h"
#include "sampling/pairs/laplace_pair.h"
#include "sampling/pairs/pairs_curve.h"

namespace renyi::sampling {

namespace {

// One sampled Gaussian is the mechanism of that name, whose curve and engines are its own.
std::optional<SampledGaussian> as_sampled_gaussian(const std::vector<SampledNoise>& components) {
  const auto& [inclusion, noise] = components.front();
  const bool plain = components.size() == 1 && inclusion.shape == Shape::one_sided && inclusion.group == 1;
  const bool known = noise.kind == Noise::Kind::gaussian && noise.knowledge == Knowledge::loss;
  if (!plain || !known || !SampledGaussian::parameters()[1].allows(noise.scale)) return std::nullopt;
  return SampledGaussian{inclusion.rate, noise.scale};
}

std::shared_ptr<const MonotonePair> pair_of(const SampledNoise& component) {
  const auto& [inclusion, noise] = component;
  const Reading reading = inclusion.shape == Shape::symmetric ? Reading::symmetric : Reading::one_sided;
  if (noise.kind == Noise::Kind::laplace) return laplace_pair(inclusion.rate, noise.scale, reading);
  const GaussianGroup group{inclusion.rate, noise.scale, inclusion.group};
  return inclusion.shape == Shape::opposite ? opposite_gaussian_pair(group) : gaussian_pair(group, reading);
}

// The law of the loss, if one pair of datasets attains the whole pair; a bound on the profile otherwise.
Knowledge knowledge_of(const std::vector<SampledNoise>& components) {
  const auto& [inclusion, noise] = components.front();
  const bool attained = components.size() == 1 && inclusion.shape != Shape::symmetric;
  return attained ? noise.knowledge : Knowledge::profile;
}

}  // namespace

Mechanism noise_mechanism(const std::string& name, const std::vector<SampledNoise>& components) {
  if (const auto known = as_sampled_gaussian(components)) return *known;
  std::vector<WeightedPair> pairs;
  for (const SampledNoise& component : components) pairs.push_back({component.inclusion.weight, pair_of(component)});
  return Own(name, std::make_shared<PairsCurve>(std::move(pairs), knowledge_of(components)));
}

}  // namespace renyi::sampling
