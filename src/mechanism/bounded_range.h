// Steps of bounded range: the loss lies in an interval of length epsilon, whose position is not known
// (docs/math/selection.md). This file has the tight Renyi curve and the dominating pair of all such steps.
#pragma once

#include <memory>

#include "mechanism/curve.h"
#include "mechanism/law.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

// The dominating pair of every step of bounded range: under P the loss has the density exp(l/2) / (4 sinh(epsilon/2))
// on [-epsilon, epsilon]. For some mechanisms this is the pair itself, so that the distribution of their loss is known.
class BoundedRangePair : public SymmetricCurve {
 public:
  // epsilon > 0. It may have been rounded once; the errors include that.
  explicit BoundedRangePair(double epsilon, Knowledge knowledge = Knowledge::profile)
      : epsilon_(epsilon), h_(0.5 * epsilon), knowledge_(knowledge) {}

  Knowledge knowledge() const final { return knowledge_; }
  Law law() const override { return ExponentialOnInterval{epsilon_}; }

 private:
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override { return {epsilon_, 0}; }
  Bounded chernoff_of(double a) const override;
  Cumulants cumulants_of() const override;
  std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const override;

  double value_by_series(double z) const;
  ComplexLogMoment by_series(std::complex<double> z) const;

  double epsilon_;
  double h_;  // epsilon / 2
  Knowledge knowledge_;
};

// At each order this is the largest divergence that bounded range allows; no single pair of distributions attains it at
// all orders.
class BoundedRangeCurve final : public SymmetricCurve {
 public:
  // epsilon > 0.
  explicit BoundedRangeCurve(double epsilon) : epsilon_(epsilon), h_(0.5 * epsilon) {}

  Knowledge knowledge() const override { return Knowledge::orders; }
  // Returns the pair whose (epsilon, delta) are the largest that bounded range allows.
  std::shared_ptr<const Curve> dominating_curve() const override;

 private:
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override { return {epsilon_, 0}; }

  LogMoment by_series(double z) const;
  LogMoment narrow(double z) const;
  LogMoment wide(double z) const;
  double curvature(double z) const;

  double epsilon_;
  double h_;  // epsilon / 2
};

}  // namespace renyi::mechanism
