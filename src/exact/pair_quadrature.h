// Integrals over a one-dimensional pair: Gauss-Legendre on pieces over which neither density changes by much.
#pragma once

#include <algorithm>
#include <cmath>

#include "exact/lattice/quadrature.h"
#include "mechanism/monotone/monotone_pair.h"

namespace renyi::exact {

// A point x of the line and the values of the pair there.
struct LocatedPoint {
  double x = 0;
  monotone::PairPoint at{};

  double slope() const { return at.slope(); }
};

inline LocatedPoint place_at(const monotone::MonotonePair& pair, double x) { return {x, pair.at(x)}; }

// Returns a point above `from` at which the loss is approximately `loss`: the same as x_at gives, but mostly by a step
// or two of Newton's method.
inline LocatedPoint place_of_loss(const monotone::MonotonePair& pair, const LocatedPoint& from, double loss,
                                  double tolerance) {
  LocatedPoint to = from;
  for (int i = 0; i < 4; ++i) {
    const double x = to.x + (loss - to.at.loss) / to.slope();
    if (!(x >= from.x && x - from.x < pair.scale() && x <= pair.last())) break;
    to = place_at(pair, x);
    if (std::abs(to.at.loss - loss) <= std::max(tolerance, to.at.loss_error)) return to;
  }
  const double x = pair.x_at(loss);
  return std::isfinite(x) ? place_at(pair, std::max(x, from.x)) : LocatedPoint{x, {}};
}

// Returns a bound on the rate at which the densities change between two points: the slopes of ln Q and ln P lie between
// the values of their terms at both points, and the densities bend on the pair's scale.
inline double rate_near(const LocatedPoint& from, const LocatedPoint& to, double scale) {
  const double base = std::max(std::abs(from.at.base), std::abs(to.at.base));
  return base + std::max(from.at.down, to.at.up) + 1 / scale;
}

// Calls f(point, weight) at nodes of [from, to]. Integrals of P and of Q are accurate to lattice::gauss_legendre_error.
template <class F>
void integrate_pair(const monotone::MonotonePair& pair, const LocatedPoint& from, const LocatedPoint& to, const F& f) {
  constexpr double most_pieces = 1e5;
  const double width = to.x - from.x, scale = pair.scale();
  const auto at_node = [&](double x, double weight) { f(pair.at(x), weight); };
  if (!(width > 0)) return;
  if (width <= scale) return lattice::integrate(from.x, to.x, rate_near(from, to, scale), at_node);
  const double pieces = std::min(std::ceil(width / scale), most_pieces);
  LocatedPoint a = from;
  for (double i = 1; i <= pieces; ++i) {
    const LocatedPoint b = i < pieces ? place_at(pair, from.x + width * (i / pieces)) : to;
    lattice::integrate(a.x, b.x, rate_near(a, b, scale), at_node);
    a = b;
  }
}

// Returns approximately the smallest x from which on `log_mass`, which never rises, is at most `level`, or the last
// point of the pair if there is one.
template <class LogMass>
double tail_begins(const monotone::MonotonePair& pair, double level, const LogMass& log_mass) {
  if (std::isfinite(pair.last())) return pair.last();
  const double least = pair.is_symmetric() ? pair.zero() : std::min(pair.mode(), pair.zero());
  double step = pair.scale(), low = least, high = low + step;
  while (log_mass(high) > level && std::isfinite(high)) low = high, step *= 1.5, high += step;
  for (int i = 0; i < 12; ++i) {
    const double middle = 0.5 * (low + high);
    (log_mass(middle) > level ? low : high) = middle;
  }
  return high;
}

}  // namespace renyi::exact
