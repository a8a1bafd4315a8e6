// K(z) = z (z+1) / (2 m^2): the curve of Gaussian noise with multiplier m.
#pragma once

#include "mechanism/symmetric_curve.h"

namespace renyi::mechanism {

class GaussianCurve final : public SymmetricCurve {
 public:
  explicit GaussianCurve(double noise_multiplier, Knowledge knowledge = Knowledge::loss);

  Knowledge knowledge() const override { return knowledge_; }
  Growth growth() const override;

 private:
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override;
  Bounded chernoff_of(double a) const override;
  Cumulants cumulants_of() const override;
  std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const override;

  double rate_;  // 1/(2 m^2), the rho of zero-concentrated DP
  Knowledge knowledge_;
};

}  // namespace renyi::mechanism
