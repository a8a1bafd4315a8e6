#include "exact/near_one.h"

#include <algorithm>
#include <cmath>

#include "numerics/rounding.h"

namespace renyi::exact {

namespace {

constexpr double shares[] = {0.5, 0.25, 0.125, 0.0625};

}  // namespace

// 1 - delta = E_P[min(1, exp(epsilon - L))] <= exp(a epsilon) E_P[exp(-a L)] for every a in [0, 1], and
// E_P[exp(-a L)] = E_Q[(P/Q)^(1-a)] (docs/math/exact-accounting.md, "Next to 1").
double delta_at_least(const Curve& curve, Direction direction, double epsilon) {
  if (curve.knowledge() != Knowledge::loss) return 0;
  double log_rest = 0;
  for (const double a : shares) {
    const Bounded c = curve.chernoff(1 - a, direction);
    const double rounding = 4 * numerics::unit_roundoff * (a * epsilon + c.value);
    const double bound = a * epsilon - c.lower() + rounding;
    if (bound < log_rest) log_rest = bound;  // false for NaN
  }
  if (log_rest == 0) return 0;
  return std::max(0.0, numerics::next_down(1 - std::exp(log_rest) * (1 + 8 * numerics::unit_roundoff)));
}

// Solved for epsilon: a epsilon >= ln(1 - delta) - ln E_P[exp(-a L)].
double epsilon_at_least(const Curve& curve, Direction direction, double delta) {
  if (curve.knowledge() != Knowledge::loss) return 0;
  const double log_rest = std::log1p(-delta);
  double least = 0;
  for (const double a : shares) {
    const Bounded c = curve.chernoff(1 - a, direction);
    const double rounding = 8 * numerics::unit_roundoff * (c.value - log_rest);
    const double bound = (c.lower() + log_rest - rounding) / a;
    if (bound > least) least = bound;  // false for NaN
  }
  return least;
}

}  // namespace renyi::exact
