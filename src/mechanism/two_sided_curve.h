// The curve of a loss with three atoms: +e with probability `high`, -e with
// probability `low`, and 0 with the rest; low = high exp(-e).
// Randomized response of any arity and every pure DP step are of this form.
#pragma once

#include "mechanism/symmetric_curve.h"

namespace renyi::mechanism {

class TwoSidedCurve final : public SymmetricCurve {
 public:
  // e >= 0, with relative error of at most `epsilon_ulps` roundings.
  TwoSidedCurve(double e, double high, double low, double epsilon_ulps);

 private:
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override;

  double e_;
  double epsilon_ulps_;
  double high_;
  double low_;
  double ulps_;
};

}  // namespace renyi::mechanism
