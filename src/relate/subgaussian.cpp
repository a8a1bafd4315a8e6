// sup over x != 0 of 2 N(x)/x^2, N(x) = K(x) - x m convex with N(0) = N'(0) = 0
// (docs/math/privacy-notions.md, "Subgaussian standard").
#include "relate/subgaussian.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"

namespace renyi::relate {

namespace subgaussian_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double few_roundings = 8 * numerics::unit_roundoff;
// A bound on what the estimate near 0 may add to the answer, relative to the answer.
constexpr double near_zero_accuracy = 1e-7;
constexpr double search_accuracy = 2e-8;

// The half-axis on which the centred loss is considered.
enum class Sign { plus, minus };

// N(x) = K(x) - x m for all real x: convex, with N(0) = N'(0) = 0.
class CentredLoss {
 public:
  CentredLoss(const Curve& curve, Direction direction);

  const Interval& mean() const { return mean_; }
  // N at x or at -x, for x > 0.
  Interval at(double x, Sign sign) const;

 private:
  Interval below_zero(double x) const;

  const Curve& curve_;
  Direction direction_;
  Interval mean_;
};

Interval mean_of(const Curve& curve, Direction direction) {
  const LogMoment k = curve.log_moment(0.0, direction);
  const Bounded mean{k.slope, k.slope_error};
  return {mean.lower(), mean.upper()};
}

Interval sum(const Interval& k, double shift_low, double shift_high) {
  const double rounding = 3 * numerics::unit_roundoff * std::max(std::abs(k.upper), std::abs(shift_high));
  return {std::max(0.0, k.lower + shift_low - rounding), std::max(0.0, k.upper + shift_high + rounding)};
}

Interval ends(const LogMoment& k, double argument_error) {
  const double error = k.error + argument_error * (k.slope + k.slope_error);
  if (!std::isfinite(k.value) || !std::isfinite(error)) return {0, std::numeric_limits<double>::infinity()};
  return {numerics::next_down(k.value - error), numerics::next_up(k.value + error)};
}

CentredLoss::CentredLoss(const Curve& curve, Direction direction)
    : curve_(curve), direction_(direction), mean_(mean_of(curve, direction)) {}

Interval CentredLoss::at(double x, Sign sign) const {
  if (sign == Sign::minus) return below_zero(x);
  return sum(ends(curve_.log_moment(x, direction_), 0), x * -mean_.upper, x * -mean_.lower);
}

// K(-x) is -chernoff(1-x) up to x = 1, where it is ln E_P[Q/P] = 0, and K of the other direction at x - 1 beyond.
Interval CentredLoss::below_zero(double x) const {
  if (x == 1) return sum({0, 0}, mean_.lower, mean_.upper);
  if (x > 1) {
    const LogMoment k = curve_.log_moment(x - 1, opposite(direction_));
    return sum(ends(k, x > 2 ? numerics::unit_roundoff * x : 0), x * mean_.lower, x * mean_.upper);
  }
  // The order 1 - x is rounded so that x' = 1 - (1-x), which is exact, is at least x: N rises with x, and
  // 2 N(x')/x'^2 is little less than 2 N(x')/x^2.
  double order = 1 - x;
  if (1 - order < x) order = numerics::next_down(order);
  const double moved = 1 - order;
  const Bounded c = curve_.chernoff(order, direction_);
  const Interval n = sum({-c.upper(), -c.lower()}, moved * mean_.lower, moved * mean_.upper);
  return {n.lower * std::max(0.0, 1 - 4 * numerics::unit_roundoff / x), n.upper};
}

// Bounds 2 N / x^2 on (0, reach]: with Q >= E (L-m)^4 exp(reach |L-m|),
//     K''(t) <= E (L-m)^2 exp(t (L-m)) <= variance + third t + Q t^2/2, averaged with weight 2 (x-t)/x^2.
struct NearZero {
  double reach = 0;
  double plus = infinity;
  double minus = infinity;
};

// Q = (4/(e (h - reach)))^4 (exp N(h) + exp N(-h)), from y^4 <= (4/(e c))^4 exp(c y).
double fourth_moment(const CentredLoss& loss, double h) {
  const double both = std::exp(loss.at(h, Sign::plus).upper) + std::exp(loss.at(h, Sign::minus).upper);
  return std::pow(4 / (M_E * h * 63.0 / 64.0), 4) * both;
}

// Returns the widest neighbourhood of 0 (at most h/64) on which the term in Q stays below `allowance`.
NearZero near_zero(const CentredLoss& loss, const Cumulants& c, double allowance) {
  NearZero best;
  double q_at_best = 0;
  const double start = std::min(1e-6, 1e-3 / std::sqrt(c.variance + c.variance_error));
  for (double h = start; h < 1e60; h *= 4) {
    const double q = fourth_moment(loss, h);
    if (!std::isfinite(q)) break;
    const double reach = std::min(h / 64, std::sqrt(12 * allowance / q));
    if (!(reach > best.reach)) continue;
    best.reach = reach;
    q_at_best = q;
  }
  const double variance = c.variance + c.variance_error + best.reach * best.reach / 12 * q_at_best;
  const double skew = best.reach / 3, rounding = 1 + few_roundings;
  best.plus = (variance + skew * std::max(0.0, c.third + c.third_error)) * rounding;
  best.minus = (variance + skew * std::max(0.0, c.third_error - c.third)) * rounding;
  return best;
}

class Spread final : public Objective {
 public:
  Spread(const CentredLoss& loss, Sign sign, Growth growth, double near)
      : loss_(loss), sign_(sign), growth_(growth), near_(near) {}

  Interval convex(double x) const override { return loss_.at(x, sign_); }
  double value(double x, double n) const override { return 2 * (n / x) / x; }
  // (A + g x)/x^2 is largest at x = -2A/g.
  double peak(double offset, double slope) const override { return offset < 0 && slope > 0 ? -2 * offset / slope : 0; }
  double before(double, double) const override { return near_; }

  // K(x) <= x (xi + rho (x+1)); K(-x) <= (x-1)(xi + rho x) from 1 on, and <= 0 before.
  double beyond(double x) const override {
    const double rounding = 1 + few_roundings;
    if (sign_ == Sign::plus) return (2 * growth_.rho + 2 * excess(growth_.rho - loss_.mean().lower) / x) * rounding;
    const double far = 2 * growth_.rho + 2 * excess(loss_.mean().upper - growth_.rho) / std::max(1.0, x);
    return std::max(far, x < 1 ? 2 * loss_.mean().upper / x : 0) * rounding;
  }

 private:
  double excess(double beside_xi) const { return std::max(0.0, growth_.xi + beside_xi); }

  const CentredLoss& loss_;
  Sign sign_;
  Growth growth_;
  double near_;
};

Interval over_one_side(const CentredLoss& loss, Sign sign, const Growth& growth, const NearZero& near,
                       double at_least) {
  // If the mean is enormous, rounding may leave nothing known near 0.
  if (near.reach == 0) return {at_least, infinity};
  const Spread spread(loss, sign, growth, sign == Sign::plus ? near.plus : near.minus);
  const Search search{.first = near.reach,
                      .last = infinity,
                      .at_least = at_least,
                      .relative = search_accuracy,
                      .split_first = false,
                      .most_evaluations = 5000};
  return supremum(spread, search);
}

// Hoeffding's lemma: a loss within an interval has a subgaussian standard of at most half the interval's width.
double hoeffding(const Curve& curve) {
  const double half = 0.5 * (curve.max_loss(Direction::remove).upper() + curve.max_loss(Direction::add).upper());
  return half * half * (1 + few_roundings);
}

}  // namespace
}  // namespace subgaussian_file

Interval subgaussian_variance(const Curve& curve) {
  if (curve.worst_max_loss().upper() == 0) return {0, 0};
  const Growth growth = curve.growth();
  Interval most{2 * growth.rho * (1 - 1e-13), 0};  // x -> inf
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const subgaussian_file::CentredLoss loss(curve, direction);
    const Cumulants cumulants = curve.cumulants(direction);
    most.lower = std::max(most.lower, 2 * loss.mean().lower);                          // x = -1
    most.lower = std::max(most.lower, cumulants.variance - cumulants.variance_error);  // x -> 0
    const subgaussian_file::NearZero near =
        subgaussian_file::near_zero(loss, cumulants, subgaussian_file::near_zero_accuracy * most.lower);
    for (const subgaussian_file::Sign sign : {subgaussian_file::Sign::plus, subgaussian_file::Sign::minus}) {
      const Interval found = subgaussian_file::over_one_side(loss, sign, growth, near, most.lower);
      most = {std::max(most.lower, found.lower), std::max(most.upper, found.upper)};
    }
  }
  const double cap = subgaussian_file::hoeffding(curve);
  return {std::min(most.lower, cap), std::min(most.upper, cap)};
}

}  // namespace renyi::relate
