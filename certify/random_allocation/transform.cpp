#include "certify/random_allocation/transform.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace renyi::certify {
namespace allocation_transform_file {
namespace {

// Estimates the y with ln y + variance y = x - variance/2.
double saddle_about(double x, double variance) {
  const double wanted = x - variance / 2;
  // The left-hand side is increasing and concave in y: Newton's iteration in ln y, where it is convex.
  double log_y = variance > 0 && wanted > 0 ? std::min(wanted, std::log1p(wanted / variance)) : wanted;
  constexpr int most = 100;
  for (int i = 0; i < most; ++i) {
    const double grown = variance * std::exp(log_y);
    const double change = (log_y + grown - wanted) / (1 + grown);
    log_y -= change;
    if (!(std::abs(change) > 1e-12)) break;
  }
  return std::exp(log_y);
}

struct Rule {
  double step = 0;
  double strip = 0;
};

// Chooses the longest step for an error of exp(-wanted) at this y, without proof.
Rule choose_rule(double sigma, double y, double wanted) {
  constexpr int tried = 400;
  Rule best;
  for (int i = 1; i < tried; ++i) {
    const double strip = std::min(std::numbers::pi / 2 / sigma, 2 * std::sqrt(2 * wanted)) * i / tried;
    const double growth = strip * strip / 2 - y * std::log(std::cos(sigma * strip));
    const double step = 2 * std::numbers::pi * strip / (wanted + growth);
    if (step > best.step) best = {step, strip};
  }
  // The step has few bits, so that every multiple of it is exact.
  int power = 0;
  const double mantissa = std::frexp(best.step, &power);
  best.step = std::ldexp(std::floor(std::ldexp(mantissa, 20)), power - 20);
  return best;
}

}  // namespace
}  // namespace allocation_transform_file

LogNormalTransform::LogNormalTransform(const Ball& variance, double largest, long bits)
    : variance_(variance), sigma_(sqrt(variance)), wanted_(static_cast<double>(bits + 8) * std::numbers::ln2) {
  const double y = allocation_transform_file::saddle_about(largest, variance.about());
  const auto rule = allocation_transform_file::choose_rule(sigma_.about(), y, wanted_);
  const Ball strip = rule.strip;
  step_ = rule.step;
  // Lemma A2 needs sigma d < pi/2, where the cosine is positive; otherwise the logarithm is not finite.
  log_cosine_ = surely_less(sigma_ * strip, Ball::pi() / 2) ? log(cos(sigma_ * strip)) : Ball::unknown();
  rule_ = 2 * exp(square(strip) / 2) / expm1(2 * Ball::pi() * strip / step_);
  left_ = side(-1);
  right_ = side(1);
}

LogNormalTransform::Side LogNormalTransform::side(int sign) const {
  Side nodes;
  const Ball scale = step_ / sqrt(2 * Ball::pi());
  for (std::int64_t j = 1;; ++j) {
    const Ball x = Ball(sign) * step_ * Ball(j);
    const Ball grown = sigma_ * x;
    nodes.weight.push_back(scale * exp(-square(x) / 2));
    nodes.exponent.push_back(expm1(grown) - grown);
    nodes.levels.push_back(nodes.exponent.back().about());
    nodes.normal.push_back(x.about() * x.about() / 2);
    if (nodes.normal.back() > wanted_) return nodes;
  }
}

// The sum over one side. What lies beyond the last node that is used is bounded by Lemma A2 and added to the radius.
Ball LogNormalTransform::summed(const Side& side, const Ball& y) const {
  const double about = y.about();
  Ball sum;
  Ball term;
  std::size_t i = 0;
  for (; i < side.weight.size(); ++i) {
    arb_mul(term.raw(), y.raw(), side.exponent[i].raw(), Precision::bits());
    arb_neg(term.raw(), term.raw());
    arb_exp(term.raw(), term.raw(), Precision::bits());
    arb_addmul(sum.raw(), side.weight[i].raw(), term.raw(), Precision::bits());
    if (side.normal[i] + about * side.levels[i] > wanted_) break;
  }
  const std::size_t last = std::min(i, side.weight.size() - 1);
  const Ball beyond = exp(-y * side.exponent[last]) * normal_above(step_ * Ball(static_cast<std::int64_t>(last) + 1));
  return sum.widen(beyond);
}

Ball LogNormalTransform::at(const Ball& x) const {
  Ball y;
  const Ball argument = variance_ * exp(x - variance_ / 2);
  arb_lambertw(y.raw(), argument.raw(), 0, Precision::bits());
  y /= variance_;
  const Ball front = exp(-y * (1 + variance_ * y / 2));
  // Lemma A1: 1 - y E[q] <= J <= 1, E[q] = exp(variance/2) - 1.
  const Ball least = y * expm1(variance_ / 2);
  if (surely_less(least, exp(-Ball(wanted_)))) return front * Ball(1).widen(least);
  Ball mean = summed(left_, y) + summed(right_, y) + step_ / sqrt(2 * Ball::pi());
  mean.widen(rule_ * exp(-y * log_cosine_));
  return front * mean;
}

}  // namespace renyi::certify
