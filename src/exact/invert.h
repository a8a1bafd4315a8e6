// Computes epsilon from delta, where evaluating delta again is cheap.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "numerics/root.h"
#include "numerics/rounding.h"
#include "renyi/interval.h"
#include "renyi/limits.h"

namespace renyi::exact {

namespace invert_detail {

constexpr int most_halvings = 5;

// Moves from `from` by strides that double until `reached`, then back by halves towards the last point that was not.
template <class Reached>
std::optional<double> walk(double from, double stride, const Reached& reached) {
  double before = from;
  for (int i = 0; i < 80; ++i, stride *= 2) {
    stop_if_asked();
    double x = std::max(0.0, from + stride);
    if (!reached(x)) {
      before = x;
      continue;
    }
    for (int j = 0; i > 0 && j < most_halvings; ++j) {
      const double middle = 0.5 * (before + x);
      (reached(middle) ? x : before) = middle;
    }
    return x;
  }
  return std::nullopt;
}

}  // namespace invert_detail

// Returns approximate values of ln function(x) - ln delta and of its slope; the slope is taken to be -`c` where only
// the bounds are known.
template <class Function>
numerics::ValueSlope excess_at(const Function& function, double x, double log_delta, double c) {
  const numerics::ValueSlope at = function.log_estimate(x);
  if (std::isfinite(at.value) && at.slope < 0) return {at.value - log_delta, at.slope};
  const auto ends = function.at(x);
  return {std::log(0.5 * (ends.lower + ends.upper)) - log_delta, -c};
}

// Returns the interval of epsilon(delta) = inf{x >= 0 : function(x) <= delta}. `function` (loss::Contour) decreases,
// and returns its bounds and approximate values of its logarithm and slope. Newton's method on the logarithm starts
// from `start`; then the search moves outwards to where the bounds prove the result.
template <class Function>
std::optional<Interval> epsilon_where(const Function& function, double delta, double start, double largest) {
  // Newton's method has converged if ln delta is met to `settled`. From `nearly`, one more step leaves less than
  // `settled`.
  constexpr double settled = 1e-13, nearly = 1e-7;
  const double log_delta = std::log(delta);
  numerics::Bracket bracket{0, largest};
  double x = std::clamp(start, 0.0, largest), slope = -function.c();
  for (int i = 0; i < 100; ++i) {
    stop_if_asked();
    if (x == 0 && function.upper(0) <= delta) return Interval{0, 0};
    const numerics::ValueSlope excess = excess_at(function, x, log_delta, function.c());
    slope = excess.slope;
    if (std::abs(excess.value) < settled) break;
    const double last_x = x, proposed = x - excess.value / slope, next = bracket.next(x, -excess.value, proposed);
    if (std::abs(proposed - x) <= 2 * numerics::unit_roundoff * x) break;
    // Newton's method may well propose a value below 0, and the answer may be 0; the middle of a bracket without an
    // upper limit is not a usable proposal.
    x = proposed <= 0 && bracket.low() == 0 ? 0 : std::min(next, 2 * x + 1);
    if (x == last_x || bracket.width() <= 2 * numerics::unit_roundoff * x) break;
    if (x == proposed && std::abs(excess.value) < nearly) break;
  }
  const auto here = function.at(x);
  // The search moves a little further than delta's width over the slope: the bounds are rounded, and a failed try takes
  // more time than this margin costs.
  constexpr double room = 1.02;
  const double least = 2 * numerics::unit_roundoff * std::max(x, 1e-290);
  const double width = std::log(here.upper / delta) / -slope, depth = std::log(delta / here.lower) / -slope;
  const auto upper =
      invert_detail::walk(x, std::max(least, room * width), [&](double at) { return function.upper(at) <= delta; });
  const auto lower = invert_detail::walk(x, -std::max(least, room * depth),
                                         [&](double at) { return at == 0 || function.lower(at) > delta; });
  if (!upper || !lower) return std::nullopt;
  // The search from above 0 only approaches 0, so 0 itself is tested here.
  if (*lower == 0 && function.upper(0) <= delta) return Interval{0, 0};
  return Interval{*lower, std::min(*upper, largest)};
}

}  // namespace renyi::exact
