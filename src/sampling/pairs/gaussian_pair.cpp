#include "sampling/pairs/gaussian_pair.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "numerics/rounding.h"
#include "renyi/error.h"
#include "sampling/pairs/normal_pair.h"
#include "sampling/pairs/normal_tail.h"

namespace renyi::sampling {

namespace {

using numerics::unit_roundoff;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding_up = 1 + 16 * unit_roundoff;

// P = sum_i w_i N(i) against N(0).
class MixtureAgainstNormal : public NormalPair {
 public:
  MixtureAgainstNormal(const GaussianGroup& group, Reading reading)
      : NormalPair(group, reading), zero_(0.5 * static_cast<double>(group.group)) {}

  PairPoint at(double x) const override {
    const TiltedSum sum = mixture().tilted(x);
    PairPoint point = normal_at(x);
    point.up = sum.mean * inv_s2();
    point.loss = sum.log_sum;
    point.loss_error = sum.error;
    point.log_p = log_scale() + sum.log_density;
    point.log_p_error = sum.log_density_error + log_scale_error();
    if (std::abs(sum.log_sum) < small_loss) {
      const SmallSum excess = mixture().excess(x);
      point.loss = std::log1p(excess.value);
      point.loss_error = excess.error / (1 + excess.value) + 2 * unit_roundoff * std::abs(point.loss);
    }
    return point;
  }

  double zero() const override { return zero_; }
  void find_zero() {
    // l(0) < 0 < l(k): Jensen's inequality, and every i (k - i/2) >= 0.
    double low = 0, high = reach();
    for (int i = 0; i < 200 && high - low > 1e-14 * high; ++i) {
      zero_ = 0.5 * (low + high);
      (loss(zero_) < 0 ? low : high) = zero_;
    }
  }

  Bounded largest_loss() const override { return {infinity, 0}; }
  Bounded largest_fall() const override { return {-none(), -4 * unit_roundoff * none()}; }

  double log_q_above(double x) const override { return log_normal_above(x / s()); }
  double log_q_below(double x) const override { return log_normal_above(-x / s()); }
  double log_p_above(double x) const override { return log_mixture_above(x); }
  double log_p_below(double x) const override { return log_mixture_below(x); }

  // Add: K <= z times the largest loss. Read as symmetric, it is below N(1) against N(0), and A - 1 below E_Q[r^a].
  FarOut far_out(double z, Direction direction) const override {
    const double largest = unsampled(z) * rounding_up;
    if (is_symmetric()) return {power_lower(z), std::min(largest, power_upper(z) + std::numbers::ln2)};
    if (direction == Direction::add) return {0, std::min(-none() * z * rounding_up, largest)};
    return {power_lower(z), power_upper(z)};
  }
  // Quasi-convexity: D_a <= a k^2/(2 s^2), and D_a/a tends to it.
  Growth growth() const override { return {0, 0.5 * inv_s2() * reach() * reach() * rounding_up}; }

 protected:
  PairPoint normal_at(double x) const {
    return {.log_q = log_normal(x), .log_q_error = log_normal_error(x), .base = -x * inv_s2()};
  }

 private:
  double zero_;
};

// A group of one: two terms.
class SampledNormal final : public MixtureAgainstNormal {
 public:
  SampledNormal(const GaussianGroup& group, Reading reading)
      : MixtureAgainstNormal(group, reading), log_rate_(std::log(rate())) {}

  PairPoint at(double x) const override {
    PairPoint point = normal_at(x);
    const double tilt = (x - 0.5) * inv_s2();
    double membership = 1;
    if (tilt < far_tilt) {
      const double grown = std::expm1(tilt), excess = rate() * grown;
      // Where 1 + excess and 1 + grown would cancel: 1 - q + q exp(tilt), whose terms are positive.
      const bool falls = excess < -0.5;
      const double factor = falls ? std::exp(tilt) : 1 + grown,
                   ratio = falls ? (1 - rate()) + rate() * factor : 1 + excess;
      point.loss = falls ? std::log(ratio) : std::log1p(excess);
      membership = rate() * factor / ratio;
    } else {
      point.loss = tilt + log_rate_;
    }
    set_log_p(x, tilt, point);
    point.up = membership * inv_s2();
    const double size = far_tilt > tilt ? std::abs(point.loss) : std::abs(tilt) + std::abs(log_rate_);
    point.loss_error = (4 * membership * std::abs(tilt) + 3 * size + 5 * std::min(1.0, size)) * unit_roundoff;
    return point;
  }

  // x = 1/2 + s^2 ln(1 + (e^l - 1)/q).
  double x_at(double target) const override {
    if (-target >= largest_fall().value) return -infinity;
    const double grown = target < far_tilt ? std::log1p(std::expm1(target) / rate()) : target - log_rate_;
    const double x = 0.5 + grown * s() * s();
    return std::isnan(x) ? -infinity : x;
  }

  // Mironov, Talwar, Zhang 2019, section 3.1.
  bool remove_is_larger() const override { return true; }

 private:
  // Where it is next to nothing else, that of q N(1, s^2).
  void set_log_p(double x, double tilt, PairPoint& point) const {
    const bool far = tilt >= far_tilt;
    point.log_p = far ? log_rate_ + log_normal(x - 1) : point.log_q + point.loss;
    point.log_p_error =
        (far ? log_normal_error(x - 1) + 2 * unit_roundoff * (std::abs(log_rate_) + std::abs(x - 1) / s())
             : point.log_q_error + std::abs(point.loss) * 4 * unit_roundoff) +
        unit_roundoff * std::abs(point.log_p);
  }

  // (1-q)/q exp(-tilt) is below 1e-100 from here on, for q >= 1e-100.
  static constexpr double far_tilt = 500;
  double log_rate_;
};

}  // namespace

std::shared_ptr<const MonotonePair> gaussian_pair(const GaussianGroup& group, Reading reading) {
  if (group.group == 1) return std::make_shared<SampledNormal>(group, reading);
  if (reading == Reading::symmetric) {
    throw Unsupported("group", "a group of several is read one way only", "use the opposite pair for replace-one");
  }
  auto pair = std::make_shared<MixtureAgainstNormal>(group, reading);
  pair->find_zero();
  return pair;
}

}  // namespace renyi::sampling
