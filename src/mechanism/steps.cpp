#include "mechanism/steps.h"

namespace renyi::mechanism {

Mechanism pure_step(double epsilon) { return PureDp{epsilon}; }

std::shared_ptr<const Curve> pure_curve(double epsilon) {
  return PureDp::parameters()[0].allows(epsilon) ? PureDp{epsilon}.curve() : nullptr;
}

std::optional<Mechanism> gaussian_dp_step(double mu) {
  if (!GaussianDp::parameters()[0].allows(mu)) return std::nullopt;
  return GaussianDp{mu};
}

std::optional<Mechanism> sampled_gaussian_step(double rate, double noise_multiplier) {
  if (!SampledGaussian::parameters()[1].allows(noise_multiplier)) return std::nullopt;
  return SampledGaussian{rate, noise_multiplier};
}

Mechanism bounded_divergence_step(double xi) { return ZeroConcentrated{.rho = 0, .xi = xi}; }

}  // namespace renyi::mechanism
