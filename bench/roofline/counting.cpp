#include "roofline/counting.h"

#include <utility>

namespace bench {

namespace {

using renyi::Bounded;
using renyi::ComplexLogMoment;
using renyi::Direction;
using renyi::LogMoment;

class CountingLine final : public renyi::VerticalLine {
 public:
  CountingLine(std::unique_ptr<const VerticalLine> line, Counts& counts) : line_(std::move(line)), counts_(counts) {}

  ComplexLogMoment log_phi(double y) const override {
    ++counts_.points;
    return line_->log_phi(y);
  }
  void log_phis(double first, double step, std::span<ComplexLogMoment> values) const override {
    counts_.points += static_cast<long>(values.size());
    line_->log_phis(first, step, values);
  }
  double shift_error() const override { return line_->shift_error(); }
  double decay(double y) const override { return line_->decay(y); }
  double decay_beyond(double y) const override { return line_->decay_beyond(y); }
  double cost(double y) const override { return line_->cost(y); }
  std::size_t distinct_steps() const override { return line_->distinct_steps(); }

 private:
  std::unique_ptr<const VerticalLine> line_;
  Counts& counts_;
};

class CountingCurve final : public renyi::Curve {
 public:
  CountingCurve(std::shared_ptr<const Curve> curve, CountsOfBoth& counts) : curve_(std::move(curve)), counts_(counts) {}

  double last_order() const override { return curve_->last_order(); }
  renyi::Knowledge knowledge() const override { return curve_->knowledge(); }
  bool is_symmetric() const override { return curve_->is_symmetric(); }
  std::optional<Direction> larger_direction() const override { return curve_->larger_direction(); }
  renyi::Growth growth() const override { return curve_->growth(); }

 private:
  LogMoment real_at(double z, Direction direction) const override {
    ++of(direction).orders;
    return curve_->log_moment(z, direction);
  }
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const override {
    return curve_->log_moment(z, direction);
  }
  Bounded max_loss_at(Direction direction) const override { return curve_->max_loss(direction); }
  std::unique_ptr<const renyi::VerticalLine> line_at(double c, Direction direction) const override {
    ++of(direction).lines;
    return std::make_unique<CountingLine>(curve_->line(c, direction), of(direction));
  }
  Bounded chernoff_at(double a, Direction direction) const override { return curve_->chernoff(a, direction); }
  renyi::Cumulants cumulants_at(Direction direction) const override { return curve_->cumulants(direction); }

  Counts& of(Direction direction) const { return counts_[static_cast<std::size_t>(direction)]; }

  std::shared_ptr<const Curve> curve_;
  CountsOfBoth& counts_;
};

}  // namespace

std::shared_ptr<const renyi::Curve> counting(std::shared_ptr<const renyi::Curve> curve, CountsOfBoth& counts) {
  return std::make_shared<CountingCurve>(std::move(curve), counts);
}

}  // namespace bench
