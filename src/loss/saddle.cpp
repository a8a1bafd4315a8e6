#include "loss/saddle.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "numerics/root.h"
#include "renyi/limits.h"

namespace renyi::loss {

namespace saddle_file {
namespace {

constexpr double smallest_c = 1e-12, largest_c = 1e12;
constexpr int most_steps = 100;
constexpr double close = 1e-5;      // in ln c: the integrand is flat at its minimum
constexpr double same_value = 0.2;  // in ln of the integral: t is adjusted for it
constexpr double longest_step = 3;

numerics::Bracket all_c(const Curve& curve) {
  return {std::log(smallest_c), std::log(std::min(largest_c, curve.last_order() - 1))};
}

double normal_start(const Curve& curve, Direction direction, double log_value) {
  const double spread = std::sqrt(curve.log_moment(0, direction).curvature);
  return std::sqrt(1 + 2 * std::max(0.0, -log_value)) / spread;
}

}  // namespace
}  // namespace saddle_file

Saddle saddle_point(const Curve& curve, Direction direction, double t, const Poles& poles, double start) {
  numerics::Bracket bracket = saddle_file::all_c(curve);
  double v = std::clamp(start > 0 ? std::log(start) : 0.0, bracket.low(), bracket.high());
  Saddle here;
  for (int i = 0; i < saddle_file::most_steps && bracket.width() > saddle_file::close; ++i) {
    stop_if_asked();
    const double c = std::exp(v);
    here = {c, curve.log_moment(c, direction)};
    const double value = here.k.slope - t - poles.pull(c);
    const double slope = c * (here.k.curvature + poles.stiffness(c));
    const double step = slope > 0 ? std::clamp(value / slope, -saddle_file::longest_step, saddle_file::longest_step)
                                  : std::copysign(3, value);
    if (std::abs(step) < saddle_file::close) break;
    v = bracket.next(v, value, v - step);
  }
  return here;
}

// With t(c) = K'(c) - pull(c) and w = K'' + stiffness, the approximation is
//     exp(K(c) - c t(c)) kernel(c) / sqrt(2 pi w),
// whose logarithm falls with ln c at a rate of about c^2 w.
SaddleOfValue saddle_of_value(const Curve& curve, Direction direction, double log_value, const Poles& poles,
                              double start) {
  numerics::Bracket bracket = saddle_file::all_c(curve);
  if (!(start > 0)) start = saddle_file::normal_start(curve, direction, log_value);
  double v = start > 0 && std::isfinite(start) ? std::clamp(std::log(start), bracket.low(), bracket.high()) : 0;
  SaddleOfValue here;
  for (int i = 0; i < saddle_file::most_steps && bracket.width() > saddle_file::close; ++i) {
    stop_if_asked();
    const double c = std::exp(v);
    const LogMoment k = curve.log_moment(c, direction);
    const double t = k.slope - poles.pull(c), w = k.curvature + poles.stiffness(c);
    const double log_kernel = -poles.at_zero * std::log(c) - poles.at_minus_one * std::log1p(c);
    const double excess = k.value - c * t + log_kernel - 0.5 * std::log(2 * std::numbers::pi * w) - log_value;
    // The logarithm of the integral falls with t at a rate of about c.
    here = {{c, k}, t + std::clamp(excess, -saddle_file::same_value, saddle_file::same_value) / c};
    const double step = std::clamp(excess / (c * c * w), -saddle_file::longest_step, saddle_file::longest_step);
    if (std::abs(excess) < saddle_file::same_value || std::abs(step) < saddle_file::close) break;
    v = bracket.next(v, -excess, v + step);
  }
  return here;
}

}  // namespace renyi::loss
