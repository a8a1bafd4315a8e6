// A step whose loss is infinite with some probability, in both directions alike: no order above 1 is finite
// (docs/math/infinite-loss.md).
#pragma once

#include <limits>
#include <memory>
#include <utility>

#include "mechanism/symmetric_curve.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

class InfiniteLossCurve final : public SymmetricCurve {
 public:
  // mass in (0, 1]. `finite` is the step given that its loss is finite, symmetric and not sampled.
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

// The step given that its loss is finite, as a mechanism; the mechanism itself if its loss is never infinite.
Mechanism finite_mechanism(const Mechanism& mechanism);

}  // namespace renyi::mechanism
