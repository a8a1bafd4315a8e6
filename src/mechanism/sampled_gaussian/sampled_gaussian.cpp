// The Sampled Gaussian Mechanism as a value (Mironov, Talwar, Zhang 2019,
// arXiv:1908.10530v1; docs/math/sampled-gaussian.md).
#include <array>

#include "mechanism/gaussian_curve.h"
#include "mechanism/sampled_gaussian/curve.h"
#include "renyi/mechanism.h"

namespace renyi {

std::span<const Parameter> SampledGaussian::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "sampling_rate",
       .meaning = "probability with which each record enters the sample",
       .lowest = 1e-100,
       .highest = 1,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
      {.name = "noise_multiplier",
       .meaning = "standard deviation of the noise over the L2 sensitivity",
       .lowest = 0.01,
       .highest = 1e6,
       .effect = Effect::lowers_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> SampledGaussian::curve() const {
  if (sampling_rate == 0) return std::make_shared<mechanism::ZeroCurve>();
  if (sampling_rate == 1) return std::make_shared<mechanism::GaussianCurve>(noise_multiplier);
  return std::make_shared<sampled_gaussian::SampledGaussianCurve>(sampling_rate, noise_multiplier);
}

}  // namespace renyi
