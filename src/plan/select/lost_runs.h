// Runs that may reveal everything: each with a probability, and so the best of them.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>

#include "mechanism/symmetric_curve.h"

namespace renyi::plan {

// The loss is infinite with at most this probability, else that of `finite`.
class LostRunsCurve final : public mechanism::SymmetricCurve {
 public:
  LostRunsCurve(double mass, std::shared_ptr<const Curve> finite)
      : mass_(std::min(1.0, mass)), finite_(std::move(finite)) {}

  double last_order() const override { return 1; }
  Knowledge knowledge() const override { return Knowledge::orders; }
  Bounded infinite_mass(Direction) const override { return {0.5 * mass_, 0.5 * mass_}; }  // or nothing
  std::shared_ptr<const Curve> finite_part() const override { return finite_; }

 private:
  LogMoment at(double) const override { return {.slope = std::numeric_limits<double>::infinity()}; }
  ComplexLogMoment at(std::complex<double>) const override { return {}; }  // no complex point is below order 1
  Bounded supremum() const override { return {std::numeric_limits<double>::infinity(), 0}; }

  double mass_;
  std::shared_ptr<const Curve> finite_;
};

}  // namespace renyi::plan
