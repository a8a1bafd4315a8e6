// epsilon from delta, for any engine whose delta is cheap to ask again.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "numerics/root.h"
#include "numerics/rounding.h"

namespace renyi::exact {

// The truth lies in [lower, upper].
struct Ends {
  double lower = 0;
  double upper = 0;

  double middle() const { return 0.5 * (lower + upper); }
};

namespace invert_detail {

// Moves from `from` by strides that double until `reached`, then back by halves towards the last point that was not;
// nothing if that cannot be told.
template <class Reached>
std::optional<double> walk(double from, double stride, const Reached& reached) {
  double before = from;
  for (int i = 0; i < 80; ++i, stride *= 2) {
    double x = std::max(0.0, from + stride);
    const std::optional<bool> there = reached(x);
    if (!there) return std::nullopt;
    for (int j = 0; *there && i > 0 && j < 10; ++j) {
      const double middle = 0.5 * (before + x);
      const std::optional<bool> at_middle = reached(middle);
      if (!at_middle) break;
      (*at_middle ? x : before) = middle;
    }
    if (*there) return x;
    before = x;
  }
  return std::nullopt;
}

}  // namespace invert_detail

// The interval of epsilon(delta) = inf{x >= 0 : delta_at(x) <= delta}, where `delta_at` gives the ends of
// a decreasing function, or nothing where it cannot. Newton's method on ln delta from `start`, where the
// slope is about -c, then by secants; then outwards to where delta's own ends prove it.
template <class DeltaAt>
std::optional<Ends> epsilon_where(const DeltaAt& delta_at, double delta, double start, double c, double largest) {
  constexpr double settled = 1e-13;  // in ln delta
  const double log_delta = std::log(delta);
  numerics::Bracket bracket{0, largest};
  double x = std::clamp(start, 0.0, largest), slope = -c, last_x = x, last_excess = 0;
  std::optional<Ends> here;
  for (int i = 0; i < 100; ++i) {
    here = delta_at(x);
    if (!here) return std::nullopt;
    if (x == 0 && here->upper <= delta) return Ends{0, 0};
    const double excess = std::log(here->middle()) - log_delta, moved = x - last_x, change = excess - last_excess;
    // Differences that rounding may have made tell nothing.
    if (i > 0 && change * moved < 0 && std::abs(change) > 1e-7) slope = change / moved;
    if (std::abs(excess) < settled) break;
    last_x = x;
    last_excess = excess;
    const double proposed = x - excess / slope, next = bracket.next(x, -excess, proposed);
    if (std::abs(proposed - x) <= 2 * numerics::unit_roundoff * x) break;
    // Newton's method may well ask for less than 0, and the answer may be there; the middle of a bracket without
    // an end is no proposal.
    x = proposed <= 0 && bracket.low() == 0 ? 0 : std::min(next, 2 * x + 1);
    if (x == last_x || bracket.width() <= 2 * numerics::unit_roundoff * x) break;
  }
  // A little further than delta's width over the slope.
  const double least = 2 * numerics::unit_roundoff * std::max(x, 1e-290);
  const double width = std::log(here->upper / delta) / -slope, depth = std::log(delta / here->lower) / -slope;
  const auto upper = invert_detail::walk(x, std::max(least, 1.001 * width), [&](double at) -> std::optional<bool> {
    const auto d = delta_at(at);
    return d ? std::optional(d->upper <= delta) : std::nullopt;
  });
  const auto lower = invert_detail::walk(x, -std::max(least, 1.001 * depth), [&](double at) -> std::optional<bool> {
    if (at == 0) return true;
    const auto d = delta_at(at);
    return d ? std::optional(d->lower > delta) : std::nullopt;
  });
  if (!upper || !lower) return std::nullopt;
  // From above 0 only an approximation to it is reached.
  if (const std::optional<Ends> at_zero = *lower == 0 ? delta_at(0.0) : std::nullopt;
      at_zero && at_zero->upper <= delta) {
    return Ends{0, 0};
  }
  return Ends{*lower, std::min(*upper, largest)};
}

}  // namespace renyi::exact
