#include "exact/tradeoff/concave_maximum.h"

#include <algorithm>
#include <cmath>

#include "numerics/rounding.h"

namespace renyi::exact {

namespace concave_maximum_file {
namespace {

// The rounding error of the points x, which are exponentials, and of the few operations on them.
constexpr double rounding = 32 * numerics::unit_roundoff;

// An upper bound on (to - from)/(distance of their points): the roundings of the points raise it.
double steepest(const KnownValue& from, const KnownValue& to) {
  const double distance = std::abs(to.x - from.x), slope = (to.upper - from.lower) / distance;
  return slope + std::abs(slope) * rounding * (1 + std::max(to.x, from.x) / distance);
}

// Returns how fast the function can rise beyond points[i], in the direction from its first point (step -1) or its last
// (step +1): every chord that ends there bounds it, long ones with less noise than short ones.
double rise_beyond(std::span<const KnownValue> points, std::size_t i, int step, double known) {
  double least = known + std::abs(known) * rounding;
  for (std::size_t apart = 1; apart < points.size(); apart *= 2) {
    if (step < 0 ? apart > i : i + apart >= points.size()) break;
    least = std::min(least, steepest(points[step < 0 ? i - apart : i + apart], points[i]));
  }
  return least;
}

}  // namespace
}  // namespace concave_maximum_file

ConcaveBound bound_between(std::span<const KnownValue> points, std::size_t i, double first_slope, double last_slope) {
  const KnownValue &a = points[i], &b = points[i + 1];
  const double rise = concave_maximum_file::rise_beyond(points, i, -1, first_slope),
               back = concave_maximum_file::rise_beyond(points, i + 1, +1, -last_slope);
  if (!(rise > 0)) return {a.upper, a.x};
  if (!(back > 0)) return {b.upper, b.x};
  // The function is below a + rise t and below b + back (width - t): the first rises with t and the second falls, so at
  // every t the larger of the two bounds the maximum. They meet at the best t; where one of them is known more
  // accurately than the other, the best t lies a little to its side.
  const double width = (b.x - a.x) * (1 + concave_maximum_file::rounding) + concave_maximum_file::rounding * a.x;
  const double meet = std::clamp((b.upper - a.upper + back * width) / (rise + back), 0.0, width);
  const auto noise_a = [&](double t) { return concave_maximum_file::rounding * (std::abs(a.upper) + rise * t); };
  const double noise_b = concave_maximum_file::rounding * (std::abs(b.upper) + back * width);
  ConcaveBound best{HUGE_VAL, std::min(a.x + meet, b.x)};
  for (const double t : {meet, meet - 2 * noise_a(meet) / rise, meet + 2 * noise_b / back}) {
    if (!(t >= 0 && t <= width)) continue;
    const double from_a = a.upper + rise * t + noise_a(t), from_b = b.upper + back * (width - t) + noise_b;
    best.upper = std::min(best.upper, std::max(from_a, from_b));
  }
  return best;
}

}  // namespace renyi::exact
