// Gaussians compose to one Gaussian: mu^2 adds (Dong, Roth, Su 2022, Corollary 3.3).
#include <cmath>

#include "exact/closed_form/normal_pair.h"
#include "exact/closed_form/profile.h"

namespace renyi::exact {

std::optional<long double> squared_mu(const Mechanism& mechanism) {
  if (const auto* m = mechanism.get_if<Gaussian>()) {
    const long double mu = static_cast<long double>(m->l2_sensitivity) / m->stddev;
    return mu * mu;
  }
  if (const auto* m = mechanism.get_if<GaussianDp>()) return static_cast<long double>(m->mu) * m->mu;
  const auto* m = mechanism.get_if<SampledGaussian>();
  if (m == nullptr || m->sampling_rate != 1) return std::nullopt;
  const long double mu = 1.0L / m->noise_multiplier;
  return mu * mu;
}

std::optional<Profile> gaussian_profile(const std::vector<CountedMechanism>& steps) {
  long double sum = 0;
  for (const CountedMechanism& step : steps) {
    const auto one = squared_mu(step.mechanism);
    if (!one) return std::nullopt;
    sum += static_cast<long double>(step.count) * *one;
  }
  // Each term is rounded a few times, and each sum once.
  const Enclosure mu = around(std::sqrt(sum), 8 + static_cast<long double>(steps.size()));
  return [mu](double epsilon) { return to_ends(normal_pair_delta(mu, {epsilon, epsilon})); };
}

}  // namespace renyi::exact
