// Gaussian noise for the mechanisms that reduce to it: its curve, and the Gaussian mechanism for a sensitivity that may
// be only an upper bound.
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

// Returns a Gaussian mechanism whose sensitivity was computed: the exact sensitivity is at most `sensitivity`, and
// smaller by at most the given share of it.
Mechanism rounded_gaussian(double noise_multiplier, double sensitivity, double share);

// The square of a sensitivity, rounded up, and the relative amount by which it may have been rounded.
struct SquaredSensitivity {
  double upper = 0;
  double rounding = 0;
  bool attained = true;  // some record moves the query that far
};

// Returns the Gaussian mechanism if the sensitivity is attained. Otherwise it returns any step with the same Gaussian
// DP guarantee, because the lower bounds of exact values would not hold for the mechanism as run. A sensitivity below
// the smallest that a Gaussian mechanism accepts is rounded up to that.
Mechanism gaussian_with_sensitivity(double noise_multiplier, const SquaredSensitivity& squared);

}  // namespace renyi::mechanism
