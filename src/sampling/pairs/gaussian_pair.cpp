#include "sampling/pairs/gaussian_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mechanism/monotone/monotone_pair.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "sampling/pairs/binomial_mixture.h"

namespace renyi::sampling {

namespace gaussian_pair_file {
namespace {

using monotone::FarOut;
using monotone::PairPoint;
using numerics::unit_roundoff;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding_up = 1 + 16 * unit_roundoff;

// ln Pr[X > t] of a standard normal X, rounded up.
double log_normal_above(double t) {
  constexpr double slack = 1e-12;  // covers the errors of erfc and of the logarithm
  if (t < 25) return std::min(0.0, std::log(0.5 * std::erfc(t / std::numbers::sqrt2)) + slack);
  // Pr[X > t] <= exp(-t^2/2)/(t sqrt(2 pi)).
  return -0.5 * t * t * (1 - 1e-15) - std::log(t * std::sqrt(2 * std::numbers::pi));
}

// Losses above this are computed as the logarithm of a sum, smaller ones from r - 1.
constexpr double small_loss = 0.5;

// The base class of all pairs of binomial normal mixtures.
class NormalPair : public MonotonePair {
 public:
  double scale() const override { return s_; }
  double lowest(double power) const override;
  double highest(double power) const override;
  double largest_z(Direction direction) const override;

 protected:
  NormalPair(const GaussianGroup& group, Reading reading);

  const BinomialMixture& mixture() const { return mixture_; }
  double rate() const { return rate_; }
  double s() const { return s_; }
  double inv_s2() const { return mixture_.inv_s2(); }
  double reach() const { return reach_; }                 // the largest i
  double none() const { return mixture_.log_weight(0); }  // ln w_0
  // The logarithm of the density of N(0, s^2) at x.
  double log_normal(double x) const { return log_scale_ - 0.5 * (x / s_) * (x / s_); }
  double log_normal_error(double x) const;
  double log_scale() const { return log_scale_; }
  double log_scale_error() const;
  // An upper bound on ln of sum_i w_i Pr[N(i, s^2) > x], P's mass above x.
  double log_mixture_above(double x) const;
  // An upper bound on ln of P's mass below x.
  double log_mixture_below(double x) const;
  // a (a-1) k^2/(2 s^2), a = z+1: K of N(k, s^2) against N(0, s^2).
  double unsampled(double z) const { return 0.5 * z * (z + 1) * inv_s2() * reach_ * reach_; }
  // power_upper bounds K of P against N(0, s^2) from above. power_lower bounds K of P's part above 0 from below,
  // against any distribution whose density is below that of N(0, s^2) there.
  double power_upper(double z) const;
  double power_lower(double z) const;

 private:
  double rate_;
  double s_;
  double reach_;
  double log_scale_;  // -ln(s sqrt(2 pi))
  BinomialMixture mixture_;
};

constexpr std::int64_t largest_group = 10000;
// Exponents up to this have an error of a fraction of 1: peaks are still found, and K, which is of this size, loses
// nothing.
constexpr double largest_exponent = 1e15;
// exp(-t^2/2) is below e^-84 from here on.
constexpr double tail_width = 13;

const GaussianGroup& checked(const GaussianGroup& g) {
  if (!(g.rate > 0 && g.rate < 1)) throw InvalidArgument("rate", fmt::format("{}", g.rate), "a number in (0, 1)");
  if (!(g.noise_multiplier >= 1e-12 && g.noise_multiplier <= 1e6)) {
    throw InvalidArgument("noise_multiplier", fmt::format("{}", g.noise_multiplier), "a number in [1e-12, 1e6]");
  }
  if (!(g.group >= 1 && g.group <= largest_group)) {
    throw InvalidArgument("group", fmt::format("{}", g.group), fmt::format("a whole number in [1, {}]", largest_group));
  }
  return g;
}

double log_sum(double most, double sum) { return std::min(0.0, most + std::log(sum) + 1e-12 + 4e-16 * std::abs(most)); }

NormalPair::NormalPair(const GaussianGroup& group, Reading reading)
    : MonotonePair(reading),
      rate_(checked(group).rate),
      s_(group.noise_multiplier),
      reach_(static_cast<double>(group.group)),
      log_scale_(-std::log(s_ * std::sqrt(2 * std::numbers::pi))),
      mixture_(rate_, static_cast<std::size_t>(group.group), s_) {}

double NormalPair::log_normal_error(double x) const {
  return log_scale_error() + 2 * (x / s_) * (x / s_) * unit_roundoff;
}

double NormalPair::log_scale_error() const { return (4 + 2 * std::abs(log_scale_)) * unit_roundoff; }

// (ln q + power l)' = base + power up + (power - 1) down is negative beyond power times both means of i, each at most
// k. Where l is small, l^2 grows at most like exp(2 k x/s^2).
double NormalPair::highest(double power) const {
  return (is_symmetric() ? 2 : 1) * std::max(power, 2.0) * reach_ + tail_width * s_;
}

// Left of 0 the means of i are below those at 0.
double NormalPair::lowest(double power) const {
  const PairPoint origin = at(0);
  return std::min(power, 0.0) * (origin.up + origin.down) / inv_s2() - tail_width * s_;
}

double NormalPair::largest_z(Direction direction) const {
  const double most = std::sqrt(2 * largest_exponent) * s_ / reach_;
  return direction == Direction::add && !is_symmetric() ? std::max(most, largest_exponent / -none()) : most;
}

// r^a <= sum_i w_i (N(i)/N(0))^a by convexity, and E_Q of that is sum_i w_i exp(a (a-1) i^2/(2 s^2)).
double NormalPair::power_upper(double z) const {
  const double unit = 0.5 * z * (z + 1) * inv_s2(), largest = unsampled(z);
  double most = mixture_.log_weight(0), sum = 1;
  for (std::size_t i = 1; i <= mixture_.group(); ++i) {
    const auto n = static_cast<double>(i);
    const double e = mixture_.log_weight(i) + unit * n * n;
    sum = e > most ? sum * std::exp(most - e) + 1 : sum + std::exp(e - most);
    most = std::max(most, e);
  }
  // By quasi-convexity K is at most that of the largest i.
  return std::min(largest, std::max(0.0, most + std::log(sum))) + 16 * unit_roundoff * (largest + std::abs(most));
}

// P >= w_k N(k), so K >= a ln w_k + a (a-1) k^2/(2 s^2); at least half of that integral lies at x > 0.
double NormalPair::power_lower(double z) const {
  const double top = mixture_.log_weight(mixture_.group()) * (z + 1), gain = unsampled(z);
  return std::max(0.0, top + gain - 16 * unit_roundoff * (gain - top) - std::numbers::ln2);
}

double NormalPair::log_mixture_above(double x) const {
  double most = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t i = 0; i <= mixture_.group(); ++i) {
    const double e = mixture_.log_weight(i) + log_normal_above((x - static_cast<double>(i)) / s_);
    sum = e > most ? sum * std::exp(most - e) + 1 : sum + std::exp(e - most);
    most = std::max(most, e);
  }
  return log_sum(most, sum);
}

double NormalPair::log_mixture_below(double x) const {
  double most = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t i = 0; i <= mixture_.group(); ++i) {
    const double e = mixture_.log_weight(i) + log_normal_above((static_cast<double>(i) - x) / s_);
    sum = e > most ? sum * std::exp(most - e) + 1 : sum + std::exp(e - most);
    most = std::max(most, e);
  }
  return log_sum(most, sum);
}

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
    // l(0) < 0 < l(k) by Jensen's inequality, and because every i (k - i/2) >= 0.
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

  // In direction add, K <= z times the largest loss. H_t of the symmetric reading is at most q times that of N(1)
  // against N(0), at every t (docs/math/sampled-pairs.md, "Far out").
  FarOut far_out(double z, Direction direction) const override {
    const double largest = unsampled(z) * rounding_up;
    if (is_symmetric()) return {std::min(power_lower(z), power_upper(z)), power_upper(z)};
    if (direction == Direction::add) return {0, std::min(-none() * z * rounding_up, largest)};
    return {power_lower(z), power_upper(z)};
  }
  // By quasi-convexity D_a <= a k^2/(2 s^2), and D_a/a tends to k^2/(2 s^2).
  Growth growth() const override { return {0, 0.5 * inv_s2() * reach() * reach() * rounding_up}; }

 protected:
  PairPoint normal_at(double x) const {
    return {.log_q = log_normal(x), .log_q_error = log_normal_error(x), .base = -x * inv_s2()};
  }

 private:
  double zero_;
};

// A group of one record has a mixture of two terms.
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
      // If 1 + excess and 1 + grown would cancel, 1 - q + q exp(tilt) is used, whose terms are positive.
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
  // Where the term q N(1, s^2) dominates the mixture, ln P is that of this term.
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

// P = sum_i w_i N(i) against its mirror image.
class OppositeMixtures final : public NormalPair {
 public:
  explicit OppositeMixtures(const GaussianGroup& group) : NormalPair(group, Reading::symmetric) {}

  PairPoint at(double x) const override {
    const double away = std::abs(x);
    const TiltedSum p = mixture().tilted(away), q = mixture().tilted(-away);
    double loss = p.log_sum - q.log_sum, error = p.error + q.error + unit_roundoff * std::abs(loss);
    if (loss < small_loss) {
      const SmallSum excess = mixture().difference(away, q.log_sum);
      loss = std::log1p(excess.value);
      error = excess.error + (q.error + unit_roundoff * (8 + std::abs(q.log_sum))) * excess.value;
    }
    const bool right = x >= 0;
    const TiltedSum &first = right ? p : q, &second = right ? q : p;
    return {.log_q = log_scale() + second.log_density,
            .log_q_error = log_scale_error() + second.log_density_error,
            .log_p = log_scale() + first.log_density,
            .log_p_error = log_scale_error() + first.log_density_error,
            .loss = right ? loss : -loss,
            .loss_error = error,
            .base = -x * inv_s2(),
            .up = first.mean * inv_s2(),
            .down = second.mean * inv_s2()};
  }

  double zero() const override { return 0; }
  bool is_mirror_image() const override { return true; }
  Bounded largest_loss() const override { return {infinity, 0}; }
  Bounded largest_fall() const override { return {infinity, 0}; }

  double log_p_above(double x) const override { return log_mixture_above(x); }
  double log_p_below(double x) const override { return log_mixture_below(x); }
  double log_q_above(double x) const override { return log_mixture_below(-x); }
  double log_q_below(double x) const override { return log_mixture_above(-x); }

  // D is at most that of N(k) against N(-k) by quasi-convexity; and Q >= w_0 N(0), so D <= D(P||N(0)) - ln w_0.
  FarOut far_out(double z, Direction) const override {
    const double apart = 4 * unsampled(z) * rounding_up;
    return {power_lower(z), std::min(apart, (power_upper(z) - none() * z) * rounding_up)};
  }
  Growth growth() const override { return {-none() * rounding_up, 0.5 * inv_s2() * reach() * reach() * rounding_up}; }
};

// P = (1-g) N(-1) + g N(1) against Q = (1-g) N(-1) + g N(0), where P > Q: x > 1/2.
class EmptiedNormal final : public MonotonePair {
 public:
  explicit EmptiedNormal(const GaussianGroup& group)
      : MonotonePair(Reading::symmetric),
        rate_(checked(group).rate),
        s_(group.noise_multiplier),
        inv_s2_(1 / s_ / s_),
        log_rate_(std::log(rate_)),
        log_none_(std::log1p(-rate_)),
        log_scale_(-std::log(s_ * std::sqrt(2 * std::numbers::pi))),
        alone_({rate_, s_, 1}, Reading::symmetric) {}

  // With m = g N(0)/Q and d = ln(N(1)/N(0)), P/Q = 1 + m (exp(d) - 1). The means of the centres are m - 1 under Q and
  // 2 m' - 1 under P, m' = g N(1)/P, and both rise with x.
  PairPoint at(double x) const override {
    const double d = (x - 0.5) * inv_s2_, odds = log_rate_ - log_none_;
    const Share q = share_of(odds + (x + 0.5) * inv_s2_), p = share_of(odds + 2 * x * inv_s2_);
    PairPoint point;
    const double grown = d < far_tilt ? q.value * std::expm1(d) : infinity;
    point.loss = d < far_tilt ? std::log1p(grown) : d + q.log;
    const double changed = d < far_tilt ? std::abs(grown) / (1 + grown) : 1;
    point.loss_error = unit_roundoff * (changed * (4 * std::abs(odds) + 6 * (std::abs(x) + 0.5) * inv_s2_ + 16) +
                                        p.value * (4 * std::abs(d) + 4) + 4 * std::abs(point.loss));
    set_log(q, x, x, point.log_q, point.log_q_error);
    set_log(p, x, x - 1, point.log_p, point.log_p_error);
    point.base = -(x + 1) * inv_s2_;
    point.up = 2 * p.value * inv_s2_;
    point.down = -q.value * inv_s2_;
    return point;
  }

  // With w = exp(x/s^2), P = exp(l) Q is w^2 - b w - (1-g)/g (exp(l) - 1) = 0, b = exp(l + 1/(2 s^2)).
  double x_at(double target) const override {
    if (!(target > 0)) return target == 0 ? zero() : MonotonePair::x_at(target);
    const double log_b = target + 0.5 * inv_s2_;
    const double log_rest =
        std::log(4.0) + log_none_ - log_rate_ + (target < far_tilt ? std::log(std::expm1(target)) : target);
    const double ratio = log_rest - 2 * log_b;
    const double log_w = ratio > far_tilt ? 0.5 * log_rest - std::numbers::ln2
                                          : log_b + std::log(0.5 * (1 + std::sqrt(1 + std::exp(ratio))));
    return std::max(zero(), s_ * s_ * log_w);
  }

  double zero() const override { return 0.5; }
  double scale() const override { return s_; }
  Bounded largest_loss() const override { return {infinity, 0}; }
  Bounded largest_fall() const override { return {infinity, 0}; }

  double log_p_above(double x) const override {
    return mixed(log_normal_above((x + 1) / s_), log_normal_above((x - 1) / s_));
  }
  double log_q_above(double x) const override {
    return mixed(log_normal_above((x + 1) / s_), log_normal_above(x / s_));
  }
  double log_p_below(double x) const override {
    return mixed(log_normal_above(-(x + 1) / s_), log_normal_above((1 - x) / s_));
  }
  double log_q_below(double x) const override {
    return mixed(log_normal_above(-(x + 1) / s_), log_normal_above(-x / s_));
  }

  // (ln q + power l)' <= (2 power - 1 - x)/s^2.
  double highest(double power) const override { return 2 * std::max(power, 2.0) + tail_width * s_; }
  double lowest(double) const override { return zero(); }
  double largest_z(Direction) const override { return std::sqrt(2 * largest_exponent) * s_ / 2; }
  // H_t of both halves is at most g times that of N(1) against N(0) (docs/math/sampled-pairs.md, "Far out").
  FarOut far_out(double z, Direction direction) const override { return {0, alone_.far_out(z, direction).upper}; }
  Growth growth() const override { return alone_.growth(); }

 private:
  static constexpr double far_tilt = 500;

  // exp(o)/(1 + exp(o)), its logarithm, and whether it is at least 1/2.
  struct Share {
    double odds = 0;
    double value = 0;
    double log = 0;
  };
  static Share share_of(double odds) {
    return {odds, odds > 0 ? 1 / (1 + std::exp(-odds)) : std::exp(odds) / (1 + std::exp(odds)),
            odds > 0 ? -std::log1p(std::exp(-odds)) : odds - std::log1p(std::exp(odds))};
  }
  // The logarithm of a mixture, from its larger part: N(-1), or the other one, centred where `off` is 0.
  void set_log(const Share& share, double x, double off, double& value, double& error) const {
    const bool own = share.odds > 0;
    const double t = (own ? off : x + 1) / s_, log_weight = own ? log_rate_ : log_none_;
    value = log_scale_ + log_weight - 0.5 * t * t + std::log1p(std::exp(-std::abs(share.odds)));
    error = unit_roundoff * (16 + 2 * std::abs(log_scale_) + 2 * std::abs(log_weight) + 4 * t * t +
                             (2 + 4 * std::abs(share.odds)) * std::exp(-std::abs(share.odds)) + 2 * std::abs(value));
  }
  double mixed(double log_none, double log_hit) const {
    const double a = log_none_ + log_none, b = log_rate_ + log_hit, most = std::max(a, b);
    return log_sum(most, 1 + std::exp(std::min(a, b) - most));
  }

  double rate_;
  double s_;
  double inv_s2_;
  double log_rate_;
  double log_none_;
  double log_scale_;
  SampledNormal alone_;  // the same record without another one in its place
};

}  // namespace
}  // namespace gaussian_pair_file

std::shared_ptr<const MonotonePair> emptied_gaussian_pair(double rate, double noise_multiplier) {
  return std::make_shared<gaussian_pair_file::EmptiedNormal>(GaussianGroup{rate, noise_multiplier, 1});
}

std::shared_ptr<const MonotonePair> gaussian_pair(const GaussianGroup& group, Reading reading) {
  if (group.group == 1) return std::make_shared<gaussian_pair_file::SampledNormal>(group, reading);
  if (reading == Reading::symmetric) {
    throw Unsupported("group", "a group of several is read one way only", "use the opposite pair for replace-one");
  }
  auto pair = std::make_shared<gaussian_pair_file::MixtureAgainstNormal>(group, reading);
  pair->find_zero();
  return pair;
}

std::shared_ptr<const MonotonePair> opposite_gaussian_pair(const GaussianGroup& group) {
  return std::make_shared<gaussian_pair_file::OppositeMixtures>(group);
}

}  // namespace renyi::sampling
