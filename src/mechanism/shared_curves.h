// Curves that several mechanisms use, all of them the same in both directions: the curve of a loss with three atoms,
// the curve of a divergence that is bounded by a line in the order, and the curve of a loss that is infinite with some
// probability.
#pragma once

#include <limits>
#include <memory>
#include <utility>

#include "mechanism/curve.h"
#include "mechanism/law.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

// The curve of a loss with three atoms: +e with probability `high`, -e with
// probability `low`, and 0 with probability `rest`; low = high exp(-e).
// Randomized response of any arity and every pure DP step are of this form.
class TwoSidedCurve final : public SymmetricCurve {
 public:
  // e >= 0, with relative error of at most `epsilon_ulps` roundings.
  TwoSidedCurve(double e, double high, double low, double rest, double epsilon_ulps, Knowledge knowledge, Law law);

  Knowledge knowledge() const override { return knowledge_; }
  Law law() const override { return law_; }
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
  Law law_;  // the same distribution in the numbers that define the mechanism
};

// The curve of a step for which only D_a <= d1 + rho (a-1) up to a last order is known.
class LinearDivergenceCurve final : public SymmetricCurve {
 public:
  // d1 >= 0 and rho >= 0, each with a few roundings at most. `law` is what else is known about the step.
  LinearDivergenceCurve(double d1, double rho, double last_order = std::numeric_limits<double>::infinity(),
                        Law law = OnlyMoments{});
  LinearDivergenceCurve(double d1, double rho, Law law)
      : LinearDivergenceCurve(d1, rho, std::numeric_limits<double>::infinity(), law) {}

  double last_order() const override { return last_order_; }
  Knowledge knowledge() const override { return Knowledge::orders; }
  Law law() const override { return law_; }
  Growth growth() const override;

 private:
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override;

  double d1_;
  double rho_;
  double last_order_;
  Law law_;
};

// The curve of a step whose loss is infinite with the same probability in both directions: no order above 1 is finite
// (docs/math/infinite-loss.md).
class InfiniteLossCurve final : public SymmetricCurve {
 public:
  // mass is in (0, 1]. `finite` is the step under the condition that its loss is finite; it is symmetric and not
  // sampled.
  InfiniteLossCurve(double mass, Mechanism finite) : mass_(mass), finite_(std::move(finite)) {}

  const Mechanism& finite() const { return finite_; }

  double last_order() const override { return 1; }
  Knowledge knowledge() const override { return Knowledge::profile; }
  Bounded infinite_mass(Direction) const override { return {mass_, 0}; }
  std::shared_ptr<const Curve> finite_part() const override { return finite_.curve(); }
  Growth growth() const override { return {infinity, 0}; }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  LogMoment at(double z) const override { return {.value = z == 0 ? 0 : infinity, .slope = infinity}; }
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override { return {infinity, 0}; }

  double mass_;
  Mechanism finite_;
};

// Returns the step under the condition that its loss is finite, or the mechanism itself if its loss is never infinite.
Mechanism finite_mechanism(const Mechanism& mechanism);

}  // namespace renyi::mechanism
