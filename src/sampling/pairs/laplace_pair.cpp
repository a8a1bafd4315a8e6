// If x lies between the centres 0 and 1, the inner loss is (2x - 1)/b; outside it is constant.
#include "sampling/pairs/laplace_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::sampling {

namespace laplace_pair_file {
namespace {

using monotone::FarOut;
using monotone::PairPoint;
using numerics::unit_roundoff;

// A panel near the upper endpoint is as narrow as b/z; it must be wider than the distance of neighbouring doubles.
constexpr double largest_exponent = 1e12;
constexpr double far_tilt = 500;

// Computes the logarithm of Q's mass above x; Q has median 0.
double log_above(double x, double b) { return x > 0 ? -x / b - std::log(2.0) : std::log1p(-0.5 * std::exp(x / b)); }

double raised(double logarithm) { return std::min(0.0, logarithm + 1e-12 + 4e-16 * std::abs(logarithm)); }

class LaplacePair final : public MonotonePair {
 public:
  LaplacePair(double rate, double b, Reading reading)
      : MonotonePair(reading), q_(rate), log_q_(std::log(rate)), b_(b), log_scale_(-std::log(2 * b)) {}

  PairPoint at(double x) const override {
    const double tilt = (2 * x - 1) / b_;
    PairPoint point{.log_q = log_scale_ - x / b_, .base = -1 / b_};
    point.log_q_error = (4 + std::abs(log_scale_) + 2 * std::abs(x) / b_) * unit_roundoff;
    double membership = 1;
    if (tilt < far_tilt) {
      const double grown = std::expm1(tilt), excess = q_ * grown;
      // If 1 + excess and 1 + grown would cancel, 1 - q + q exp(tilt) is used, whose terms are positive.
      const bool falls = excess < -0.5;
      const double factor = falls ? std::exp(tilt) : 1 + grown, ratio = falls ? (1 - q_) + q_ * factor : 1 + excess;
      point.loss = falls ? std::log(ratio) : std::log1p(excess);
      membership = q_ * factor / ratio;
    } else {
      point.loss = tilt + log_q_;
    }
    const double size = tilt < far_tilt ? std::abs(point.loss) : std::abs(tilt) + std::abs(log_q_);
    point.loss_error = (4 * membership * std::abs(tilt) + 3 * size + 5 * std::min(1.0, size)) * unit_roundoff;
    point.up = 2 * membership / b_;
    set_log_p(x, tilt, point);
    return point;
  }

  double x_at(double target) const override {
    const double grown = target < far_tilt ? std::log1p(std::expm1(target) / q_) : target - log_q_;
    return grown > -1 / b_ ? std::min(1.0, 0.5 * (1 + grown * b_)) : 0;  // false for NaN
  }

  double first() const override { return 0; }
  double last() const override { return 1; }
  double log_mass_below() const override { return -std::log(2.0); }
  double log_mass_above() const override { return -1 / b_ - std::log(2.0); }

  Bounded largest_loss() const override { return bounded(at(1)); }
  Bounded largest_fall() const override { return bounded(at(0)); }

  double scale() const override { return b_; }
  double zero() const override { return 0.5; }

  double log_q_above(double x) const override { return raised(log_above(x, b_)); }
  double log_q_below(double x) const override { return raised(log_above(-x, b_)); }
  double log_p_above(double x) const override { return mixed(log_above(x, b_), log_above(x - 1, b_)); }
  double log_p_below(double x) const override { return mixed(log_above(-x, b_), log_above(1 - x, b_)); }

  double lowest(double) const override { return 0; }
  double highest(double) const override { return 1; }
  double largest_z(Direction direction) const override { return largest_exponent / largest(direction); }
  FarOut far_out(double z, Direction direction) const override { return {0, z * largest(direction)}; }
  Growth growth() const override { return {std::max(largest_loss().upper(), largest_fall().upper()), 0}; }
  // The noise is symmetric about its centre (docs/math/sampled-pairs.md, "Directions").
  bool remove_is_larger() const override { return true; }

 private:
  // Where the term q Lap(1, b) dominates the mixture, ln P is that of this term.
  void set_log_p(double x, double tilt, PairPoint& point) const {
    const bool far = tilt >= far_tilt;
    point.log_p = far ? log_q_ + log_scale_ - (1 - x) / b_ : point.log_q + point.loss;
    point.log_p_error = point.log_q_error + (std::abs(log_q_) + 4 * std::abs(point.log_p)) * unit_roundoff;
  }
  static Bounded bounded(const PairPoint& point) { return {std::abs(point.loss), point.loss_error}; }
  double largest(Direction direction) const {
    return numerics::next_up(direction == Direction::add && !is_symmetric() ? largest_fall().upper()
                                                                            : largest_loss().upper());
  }
  double mixed(double log_outer, double log_inner) const {
    const double outer = std::log1p(-q_) + log_outer, inner = log_q_ + log_inner, most = std::max(outer, inner);
    return raised(most + std::log1p(std::exp(std::min(outer, inner) - most)));
  }

  double q_;
  double log_q_;
  double b_;
  double log_scale_;  // -ln(2 b)
};

}  // namespace
}  // namespace laplace_pair_file

std::shared_ptr<const MonotonePair> laplace_pair(double rate, double scale, Reading reading) {
  if (!(rate > 0 && rate < 1)) throw InvalidArgument("rate", fmt::format("{}", rate), "a number in (0, 1)");
  if (!(scale >= least_laplace_scale && scale <= 1e6)) {
    throw InvalidArgument("scale", fmt::format("{}", scale), "a number in [1e-12, 1e6]");
  }
  return std::make_shared<laplace_pair_file::LaplacePair>(rate, scale, reading);
}

}  // namespace renyi::sampling
