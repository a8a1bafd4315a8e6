// Steps whose loss ranges over an interval of length epsilon, wherever that lies (docs/math/selection.md): the tight
// Renyi curve, and the pair of laws that dominates them all.
#pragma once

#include <memory>

#include "mechanism/curve.h"
#include "mechanism/law.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

// The pair of laws that dominates every step of bounded range: under P the loss has the density
// exp(l/2) / (4 sinh(epsilon/2)) on [-epsilon, epsilon]. Some steps are that pair, and their loss is known.
class BoundedRangePair : public SymmetricCurve {
 public:
  // epsilon > 0; it may be rounded once, which the errors hold.
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

// Per order the largest divergence that bounded range allows; no single pair of laws has all of them.
class BoundedRangeCurve final : public SymmetricCurve {
 public:
  // epsilon > 0.
  explicit BoundedRangeCurve(double epsilon) : epsilon_(epsilon), h_(0.5 * epsilon) {}

  Knowledge knowledge() const override { return Knowledge::orders; }
  // The pair whose (epsilon, delta) are the largest that bounded range allows.
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
