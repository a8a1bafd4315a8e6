// The curve where no quadrature serves: bounds that hold at every order.
#include <algorithm>
#include <cmath>
#include <vector>

#include "numerics/rounding.h"
#include "sampling/pairs/pairs_curve.h"

namespace renyi::sampling {

namespace {

using numerics::unit_roundoff;

// Below this z, bounds are taken from it.
constexpr double least_z = 1e-6;
// Slopes are those of chords of this length, beside z.
constexpr double chord = 1e-3;

// K of the revealed mixture: at most the largest of its components', at least ln of any one's share.
FarOut bounds_of(const std::vector<WeightedPair>& components, double z, Direction direction) {
  FarOut all;
  for (const WeightedPair& c : components) {
    const FarOut one = c.pair->far_out(z, direction);
    all.upper = std::max(all.upper, one.upper);
    all.lower = std::max(all.lower, one.lower + std::log(c.weight));
  }
  all.lower = std::min(all.lower, all.upper);
  return all;
}

}  // namespace

LogMoment PairsCurve::far_out(double z, Direction direction) const {
  const double nearest = 0.5 * largest_z(direction);
  const LogMoment known = real_at(nearest, direction);
  const double scale = z / nearest * (1 - 8 * unit_roundoff);
  // K is convex and 0 at 0: K(z)/z and K' rise.
  return bounded(z, direction, {(known.value - known.error) * scale, known.slope - known.slope_error});
}

LogMoment PairsCurve::bounded(double z, Direction direction, const Least& known) const {
  if (z < least_z) {
    // K(z) <= z/t K(t) and K'(z) <= (K(2t) - K(t))/t for z <= t; K'(0) <= K(t)/t.
    const double share = z / least_z, value = 0.5 * bounds_of(components_, least_z, direction).upper * share;
    const double slope = 0.5 * bounds_of(components_, z == 0 ? least_z : 2 * least_z, direction).upper / least_z;
    return {value, value * (1 + 8 * unit_roundoff), slope, slope * (1 + 8 * unit_roundoff), 0};
  }
  FarOut here = bounds_of(components_, z, direction);
  here.lower = std::min(here.upper, std::max(here.lower, known.value));
  // K'(z) >= K(z)/z, and chords on both sides bound it.
  const double step = chord * z;
  const double before = bounds_of(components_, z - step, direction).upper;
  const double after = bounds_of(components_, z + step, direction).upper;
  const double least = std::max({here.lower / z, known.slope, (here.lower - before) / step});
  const double most = std::max(least, (after - here.lower) / step);
  LogMoment k;
  k.value = 0.5 * (here.lower + here.upper);
  k.error = 0.5 * (here.upper - here.lower) + 8 * unit_roundoff * here.upper;
  k.slope = 0.5 * (least + most);
  k.slope_error = 0.5 * (most - least) + 32 * unit_roundoff / chord * most;
  k.curvature = 2 * growth().rho;
  return k;
}

}  // namespace renyi::sampling
