// The sum of curves, each of which is run a number of times.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "renyi/extras/curve.h"

namespace renyi::mechanism {

struct CountedCurve {
  std::shared_ptr<const Curve> curve;
  std::int64_t count = 1;
};

// Combines what is known about the directions of several curves.
class Directions {
 public:
  void add(const Curve& curve);

  bool are_same() const { return same_; }
  std::optional<Direction> larger() const { return larger_; }

 private:
  bool same_ = true;
  std::optional<Direction> larger_ = Direction::remove;
};

class ComposedCurve : public Curve {
 public:
  explicit ComposedCurve(std::vector<CountedCurve> parts);

  double last_order() const override { return last_order_; }
  Knowledge knowledge() const override { return knowledge_; }
  bool is_symmetric() const override { return directions_.are_same(); }
  std::optional<Direction> larger_direction() const override { return directions_.larger(); }
  Growth growth() const override;
  Bounded infinite_mass(Direction direction) const override;
  std::shared_ptr<const Curve> finite_part() const override;

 private:
  LogMoment real_at(double z, Direction direction) const override;
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const override;
  Bounded max_loss_at(Direction direction) const override;
  Bounded chernoff_at(double a, Direction direction) const override;
  Cumulants cumulants_at(Direction direction) const override;
  std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const override;

  Bounded sum_of_max_losses(Direction direction) const;

  // It is computed when it is first needed, which every question does.
  struct MaxLoss {
    std::once_flag found;
    Bounded value;
  };

  std::vector<CountedCurve> parts_;
  double last_order_;
  Knowledge knowledge_ = Knowledge::loss;
  Directions directions_;
  mutable MaxLoss max_loss_remove_;
  mutable MaxLoss max_loss_add_;
};

}  // namespace renyi::mechanism
