// Gaussian noise for the mechanisms that come down to it: its curve, and the Gaussian mechanism beside a sensitivity
// that may be a bound only.
#pragma once

#include "mechanism/curve.h"
#include "mechanism/law.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

// K(z) = z (z+1) / (2 m^2): the curve of Gaussian noise with multiplier m = stddev / shift.
class GaussianCurve final : public SymmetricCurve {
 public:
  explicit GaussianCurve(const NormalShift& noise, Knowledge knowledge = Knowledge::loss);

  Knowledge knowledge() const override { return knowledge_; }
  Law law() const override { return noise_; }
  Growth growth() const override;

 private:
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override;
  Bounded chernoff_of(double a) const override;
  Cumulants cumulants_of() const override;
  std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const override;

  NormalShift noise_;
  double rate_;  // 1/(2 m^2), the rho of zero-concentrated DP
  Knowledge knowledge_;
};

// A Gaussian whose sensitivity was computed: at most the one stated, and less by at most that share of it.
Mechanism rounded_gaussian(double noise_multiplier, double sensitivity, double share);

// The square of a sensitivity, rounded up, and by which share of it.
struct SquaredSensitivity {
  double upper = 0;
  double rounding = 0;
  bool attained = true;  // some record moves the query so far
};

// The Gaussian mechanism where the sensitivity is attained. Otherwise any step of that Gaussian DP: lower ends of exact
// figures would not hold for what was run. A smaller one than a Gaussian may have is rounded up to that.
Mechanism gaussian_with_sensitivity(double noise_multiplier, const SquaredSensitivity& squared);

}  // namespace renyi::mechanism
