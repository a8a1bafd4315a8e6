// Gaussian noise for the mechanisms that come down to it: its curve, and the Gaussian mechanism beside a sensitivity
// that may be a bound only.
#pragma once

#include <algorithm>
#include <cmath>

#include "mechanism/curve.h"
#include "mechanism/law.h"
#include "numerics/rounding.h"
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
inline Mechanism rounded_gaussian(double noise_multiplier, double sensitivity, double share) {
  const Parameter& range = Gaussian::parameters()[1];
  const double most = std::max(range.lowest, sensitivity), least = numerics::next_down(most * (1 - share));
  if (share == 0 || !range.allows(least)) return Gaussian{noise_multiplier, most};
  return Mechanism(Gaussian{noise_multiplier, most}).rounded_up_from(Gaussian{noise_multiplier, least});
}

// The square of a sensitivity, rounded up, and by which share of it.
struct SquaredSensitivity {
  double upper = 0;
  double rounding = 0;
  bool attained = true;  // some record moves the query so far
};

// The Gaussian mechanism where the sensitivity is attained. Otherwise any step of that Gaussian DP: lower ends of exact
// figures would not hold for what was run. A smaller one than a Gaussian may have is rounded up to that.
inline Mechanism gaussian_beside(double noise_multiplier, const SquaredSensitivity& squared) {
  const double sensitivity = std::max(Gaussian::parameters()[1].lowest, numerics::sqrt_up(squared.upper));
  const double mu = numerics::quotient_up(sensitivity, noise_multiplier);
  if (!squared.attained && GaussianDp::parameters()[0].allows(mu)) return GaussianDp{mu};
  const bool exact = squared.rounding == 0 && std::fma(sensitivity, sensitivity, -squared.upper) == 0;
  return rounded_gaussian(noise_multiplier, sensitivity, exact ? 0 : squared.rounding + 4 * numerics::unit_roundoff);
}

}  // namespace renyi::mechanism
