// The loss is ln((1-q) + q exp(l)), where l is that of the pair. It increases m = q exp(l) / ((1-q) + q exp(l)) times
// as fast, and m never decreases with x (docs/math/sampled-pairs.md, "Mixtures of any pair").
#include "sampling/pairs/mixed_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "numerics/exponentials.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::sampling {

namespace mixed_pair_file {
namespace {

using monotone::FarOut;
using monotone::MonotonePair;
using monotone::PairPoint;
using monotone::Reading;
using numerics::mixed_loss;
using numerics::mixed_loss_slope;
using numerics::unit_roundoff;

constexpr double far_loss = 500;
// Exponents keep enough digits while z times the largest loss is at most this.
constexpr double largest_exponent = 1e12;

double raised(double logarithm) { return std::min(0.0, logarithm + 1e-12 + 4e-16 * std::abs(logarithm)); }

class MixedPair final : public MonotonePair {
 public:
  MixedPair(double rate, std::shared_ptr<const MonotonePair> pair, Reading reading)
      : MonotonePair(reading), q_(rate), log_q_(std::log(rate)), pair_(std::move(pair)) {}

  // The slope of ln Q decreases, and up >= 0 and down <= 0 hold for the pair itself: all stay monotone when multiplied
  // by m.
  PairPoint at(double x) const override {
    const PairPoint one = pair_->at(x);
    const double share = mixed_loss_slope(q_, one.loss);
    PairPoint point{.log_q = one.log_q, .log_q_error = one.log_q_error};
    const Bounded loss = mixed({one.loss, one.loss_error});
    point.loss = loss.value;
    point.loss_error = loss.error;
    point.up = share * one.up;
    point.down = share * one.down;
    point.base = one.base - one.down + point.down;
    point.rise = share * one.slope();
    set_log_p(one, share, point);
    return point;
  }

  double x_at(double target) const override {
    if (target >= far_loss) return pair_->x_at(target - log_q_);
    const double moved = std::expm1(target) / q_;
    // Near -1 the sum would lose its digits; 1 - q is exact there.
    const double grown = moved < -0.5 ? std::log((std::exp(target) - (1 - q_)) / q_) : std::log1p(moved);
    return std::isnan(grown) ? first() : pair_->x_at(grown);
  }

  double first() const override { return pair_->first(); }
  double last() const override { return pair_->last(); }
  double log_mass_below() const override { return pair_->log_mass_below(); }
  double log_mass_above() const override { return pair_->log_mass_above(); }

  Bounded largest_loss() const override {
    const Bounded loss = pair_->largest_loss();
    return std::isinf(loss.value) ? loss : mixed(loss);
  }
  Bounded largest_fall() const override {
    const Bounded fall = pair_->largest_fall();
    const Bounded loss = mixed({-fall.value, fall.error});
    return {-loss.value, loss.error};
  }

  double scale() const override { return pair_->scale(); }
  double mode() const override { return pair_->mode(); }
  double zero() const override { return pair_->zero(); }

  double log_q_above(double x) const override { return pair_->log_q_above(x); }
  double log_q_below(double x) const override { return pair_->log_q_below(x); }
  double log_p_above(double x) const override { return mixture(pair_->log_q_above(x), pair_->log_p_above(x)); }
  double log_p_below(double x) const override { return mixture(pair_->log_q_below(x), pair_->log_p_below(x)); }

  // The loss changes no faster than that of the pair, and is of the same sign.
  double lowest(double power) const override { return pair_->lowest(power); }
  double highest(double power) const override { return pair_->highest(power); }

  double largest_z(Direction direction) const override {
    const double most = largest(direction);
    return std::isinf(most) ? pair_->largest_z(direction) : largest_exponent / most;
  }
  // By quasi-convexity no divergence exceeds that of the pair itself, in either direction.
  FarOut far_out(double z, Direction direction) const override {
    const double both = std::max(pair_->far_out(z, Direction::remove).upper, pair_->far_out(z, Direction::add).upper);
    return {0, std::min(z * largest(direction), both)};
  }
  Growth growth() const override {
    const double most = std::max(largest_loss().upper(), largest_fall().upper());
    return std::isinf(most) ? pair_->growth() : Growth{most, 0};
  }
  // This holds for noise that is symmetric about its centre (docs/math/sampled-pairs.md, "Directions").
  bool remove_is_larger() const override { return pair_->remove_is_larger(); }

 private:
  // From 700 on mixed_loss adds ln q to the loss.
  Bounded mixed(const Bounded& loss) const {
    const double value = mixed_loss(q_, loss.value);
    const double sum = loss.value >= far_loss ? loss.value - log_q_ : 0;
    return {value, mixed_loss_slope(q_, loss.value + loss.error) * loss.error +
                       unit_roundoff * (8 * std::abs(value) + 4 * sum)};
  }

  // Where q P outweighs (1-q) Q, ln P' is computed from q P: added to ln Q, the loss would lose its digits.
  void set_log_p(const PairPoint& one, double share, PairPoint& point) const {
    const bool far = share > 0.5;
    point.log_p = far ? log_q_ + one.log_p - std::log(share) : point.log_q + point.loss;
    point.log_p_error = (far ? one.log_p_error + one.loss_error : point.log_q_error + point.loss_error) +
                        unit_roundoff * (8 + 4 * std::abs(log_q_) + 4 * std::abs(point.log_p));
  }

  double largest(Direction direction) const {
    const bool falls = direction == Direction::add && !is_symmetric();
    return numerics::next_up(falls ? largest_fall().upper() : largest_loss().upper());
  }
  double mixture(double log_outer, double log_inner) const {
    const double outer = std::log1p(-q_) + log_outer, inner = log_q_ + log_inner, most = std::max(outer, inner);
    return raised(most + std::log1p(std::exp(std::min(outer, inner) - most)));
  }

  double q_;
  double log_q_;
  std::shared_ptr<const MonotonePair> pair_;
};

}  // namespace
}  // namespace mixed_pair_file

std::shared_ptr<const monotone::MonotonePair> mixed_pair(double rate,
                                                         std::shared_ptr<const monotone::MonotonePair> pair,
                                                         monotone::Reading reading) {
  if (!(rate > 0 && rate < 1)) throw InvalidArgument("rate", fmt::format("{}", rate), "a number in (0, 1)");
  if (!pair || !pair->can_be_mixed()) throw InvalidArgument("pair", "another one", "a pair that can be mixed");
  return std::make_shared<mixed_pair_file::MixedPair>(rate, std::move(pair), reading);
}

}  // namespace renyi::sampling
