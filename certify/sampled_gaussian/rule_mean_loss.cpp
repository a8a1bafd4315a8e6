// D_1 by the trapezoidal rule: Lemma C7.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "certify/sampled_gaussian/curve.h"
#include "certify/sampled_gaussian/mean_loss.h"
#include "renyi/error.h"

namespace renyi::certify {
namespace {

constexpr double most_nodes = 4e6;
constexpr double widest_angle = 3;  // below pi, where the logarithm has its singularities

struct Rule {
  double step = 0;
  double strip = 0;
};

// The longest step for an error of 2^-bits; for choosing only.
Rule choose_rule(const SampledGaussian& mechanism, long bits) {
  const double s = mechanism.noise_multiplier;
  const double wanted = static_cast<double>(bits + 16) * std::numbers::ln2;
  const double strip = std::min(widest_angle * s * s, s * std::sqrt(2 * wanted));
  const double step = 2 * std::numbers::pi * strip / (wanted + strip * strip / (2 * s * s));
  // Few bits, so that every multiple is exact.
  return {.step = static_cast<double>(static_cast<float>(step)), .strip = strip};
}

class Sum {
 public:
  Sum(const SampledGaussian& mechanism, Direction direction, const Rule& rule)
      : q_(mechanism.sampling_rate),
        variance_(square(Ball(mechanism.noise_multiplier))),
        step_(rule.step),
        direction_(direction) {}

  void add(std::int64_t index) {
    const Ball x = step_ * Ball(index);
    const Ball grown = q_ * expm1((2 * x - 1) / (2 * variance_));  // r - 1
    const Ball term = exp(-square(x) / (2 * variance_)) * log1p(grown);
    sum_ += direction_ == Direction::remove ? term * (grown + 1) : -term;
  }
  Ball value() const { return sum_ * step_ / sqrt(2 * Ball::pi() * variance_); }

 private:
  Ball q_;
  Ball variance_;
  Ball step_;
  Direction direction_;
  Ball sum_;
};

// The multiples of the step in the windows, each once.
Ball sum_over(const MeanLossWindows& windows, const Rule& rule, Sum sum) {
  if (!(2 * windows.half_width / rule.step <= most_nodes / 2)) {
    throw NotConverged("trapezoidal rule: more than 4e6 points needed");
  }
  std::int64_t next = std::numeric_limits<std::int64_t>::min();
  for (const double centre : windows.centres) {
    const auto first = static_cast<std::int64_t>(std::floor((centre - windows.half_width) / rule.step)) - 1;
    const auto last = static_cast<std::int64_t>(std::ceil((centre + windows.half_width) / rule.step)) + 1;
    for (std::int64_t i = std::max(first, next); i <= last; ++i) sum.add(i);
    next = std::max(next, last + 1);
  }
  return sum.value();
}

}  // namespace

Ball trapezoid_mean_loss(const SampledGaussian& mechanism, Direction direction, Effort effort) {
  const Rule rule = choose_rule(mechanism, effort.rule);
  const MeanLossWindows windows = mean_loss_windows(mechanism, direction, effort.window);
  const Precision guarded(Precision::bits() + 32);
  Ball result = sum_over(windows, rule, Sum(mechanism, direction, rule));
  // Lemma T1: the two edges' integrals over exp(2 pi d/h) - 1.
  result.widen(2 * mean_loss_on_edge(mechanism, rule.strip) / expm1(2 * Ball::pi() * rule.strip / rule.step));
  result.widen(mean_loss_outside(mechanism, windows, rule.step));
  return result;
}

Ball max_loss(const SampledGaussian& mechanism, Direction direction) {
  // r = (1-q) + q exp(u) runs from 1-q to infinity.
  if (direction == Direction::remove) return Ball::infinity();
  return -log1p(-Ball(mechanism.sampling_rate));
}

}  // namespace renyi::certify
