#include "sampling/pairs/normal_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "numerics/rounding.h"
#include "renyi/error.h"
#include "sampling/pairs/normal_tail.h"

namespace renyi::sampling {

namespace {

using numerics::unit_roundoff;

constexpr std::int64_t largest_group = 10000;
// Exponents up to this are off by a fraction of 1: peaks are still found, and K, of this size, loses nothing.
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

}  // namespace

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

// (ln q + power l)' = base + power up + (power - 1) down: below 0 beyond power times both means of i, each at most k.
// Where l is small, l^2 grows like exp(2 k x/s^2) at most.
double NormalPair::highest(double power) const {
  return (is_symmetric() ? 2 : 1) * std::max(power, 2.0) * reach_ + tail_width * s_;
}

// On the left the means of i are below those at 0.
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
  // Quasi-convexity: K <= that of the largest i.
  return std::min(largest, std::max(0.0, most + std::log(sum))) + 16 * unit_roundoff * (largest + std::abs(most));
}

// P >= w_k N(k): K >= a ln w_k + a (a-1) k^2/(2 s^2), of whose integral at least half lies at x > 0.
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

}  // namespace renyi::sampling
