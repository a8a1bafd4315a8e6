// K(z) = z (z+1) / (2 m^2): the curve of Gaussian noise with multiplier m.
#pragma once

#include "mechanism/symmetric_curve.h"

namespace renyi::mechanism {

class GaussianCurve final : public SymmetricCurve {
 public:
  explicit GaussianCurve(double noise_multiplier);

 private:
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override;

  double rate_;  // 1/(2 m^2), the rho of zero-concentrated DP
};

}  // namespace renyi::mechanism
