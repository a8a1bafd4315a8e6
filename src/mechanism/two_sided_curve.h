// The curve of a loss with three atoms: +e with probability `high`, -e with
// probability `low`, and 0 with probability `rest`; low = high exp(-e).
// Randomized response of any arity and every pure DP step are of this form.
#pragma once

#include "mechanism/symmetric_curve.h"

namespace renyi::mechanism {

class TwoSidedCurve final : public SymmetricCurve {
 public:
  // e >= 0, with relative error of at most `epsilon_ulps` roundings.
  TwoSidedCurve(double e, double high, double low, double rest, double epsilon_ulps, Knowledge knowledge);

  Knowledge knowledge() const override { return knowledge_; }
  Growth growth() const override { return {supremum().upper(), 0}; }

 private:
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override;
  Bounded chernoff_of(double a) const override;
  Cumulants cumulants_of() const override;
  std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const override;

  double e_;
  double epsilon_ulps_;
  double high_;
  double low_;
  double rest_;
  double ulps_;
  Knowledge knowledge_;
};

}  // namespace renyi::mechanism
