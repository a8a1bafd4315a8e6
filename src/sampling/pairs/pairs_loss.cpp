// The law of the loss: divergences of orders below 1, and cumulants.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "numerics/rounding.h"
#include "renyi/error.h"
#include "sampling/pairs/pairs_curve.h"
#include "sampling/pairs/statistics.h"

namespace renyi::sampling {

using numerics::unit_roundoff;

Bounded PairsCurve::chernoff_at(double a, Direction direction) const {
  Bounded lost;
  for (const WeightedPair& c : components_) {
    const Bounded part = lost_at(*c.pair, a, direction);
    lost.value += c.weight * part.value;
    lost.error += c.weight * (part.error + 8 * unit_roundoff * part.value);
  }
  const double kept = 1 - lost.value, error = lost.error / kept;
  if (!(kept > 0 && error < 0.5)) throw NotConverged(fmt::format("the divergence of sampled pairs at order {}", a));
  const double value = -std::log1p(-lost.value);
  return {value, 2 * error + 4 * unit_roundoff * value};
}

Cumulants PairsCurve::cumulants_at(Direction direction) const {
  const LogMoment at_zero = summed(0, direction);
  const double mean = at_zero.slope, d = at_zero.slope_error;
  double rest = 1;
  CentralMoments all;
  for (const WeightedPair& c : components_) {
    const CentralMoments part = central_moments(*c.pair, mean, direction);
    rest -= c.weight;
    all.second += c.weight * part.second;
    all.second_error += c.weight * (part.second_error + 4 * unit_roundoff * part.second);
    all.third += c.weight * part.third;
    all.third_error += c.weight * (part.third_error + 4 * unit_roundoff * std::abs(part.third));
  }
  rest = std::max(0.0, rest);
  // With the mean off by d, E(L-m)^2 is off by d^2 and E(L-m)^3 by 3 d variance + d^3.
  return {.mean = mean,
          .mean_error = d,
          .variance = all.second + rest * mean * mean,
          .variance_error = all.second_error + d * d,
          .third = all.third - rest * mean * mean * mean,
          .third_error = all.third_error + 3 * d * (all.second + d * d)};
}

}  // namespace renyi::sampling
