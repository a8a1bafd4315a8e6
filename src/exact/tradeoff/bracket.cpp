#include "exact/tradeoff/bracket.h"

#include <algorithm>
#include <cmath>

#include "numerics/rounding.h"

namespace renyi::exact {

namespace {

using numerics::next_down;
using numerics::next_up;

// The maximum of h lies in [lower, upper]; the same of h - 1.
struct Maximum {
  double lower = 0;
  double upper = 0;

  void may_reach(double value) { upper = value <= upper ? upper : value; }  // NaN too
};

Maximum largest_known(const std::vector<KnownValue>& values) {
  double lower = values.front().lower;
  for (const KnownValue& v : values) lower = std::max(lower, v.lower);
  return {lower, lower};
}

// 0 <= f <= 1 - a: one test rejects blindly with probability a, and no error is negative. Each of
// the two maxima gives the other what it knows better.
LeastError range_of(Maximum h, Maximum h_minus_1, double a, bool open) {
  if (open || !(h.upper < 1 - a)) h.upper = next_up(1 - a);
  if (open || !(h_minus_1.upper < -a)) h_minus_1.upper = -a;
  const double f_upper = std::min({h.upper, next_up(1 + h_minus_1.upper), 1.0});
  const double f_lower = std::clamp(std::max(h.lower, next_down(1 + h_minus_1.lower)), 0.0, f_upper);
  const double power_lower = std::max(-h_minus_1.upper, next_down(1 - h.upper));
  const double power_upper = std::clamp(std::min(-h_minus_1.lower, next_up(1 - h.lower)), power_lower, 1.0);
  return {{f_lower, f_upper}, {power_lower, power_upper}};
}

}  // namespace

Bracket bracket_of(const KnownErrors& known, double a) {
  Bracket found;
  Maximum h = largest_known(known.h), h_minus_1 = largest_known(known.h_minus_1);
  for (std::size_t i = 0; i + 1 < known.s.size(); ++i) {
    // 0 <= -D' <= 1, so the slope of h lies in [-a, 1 - a].
    const ConcaveBound one = bound_between(known.h, i, 1 - a, -a), other = bound_between(known.h_minus_1, i, 1 - a, -a);
    h.may_reach(one.upper);
    h_minus_1.may_reach(other.upper);
    const double gap_of_one = one.upper - h.lower, gap_of_other = other.upper - h_minus_1.lower;
    const double gap = std::min(gap_of_one, gap_of_other);
    if (gap > found.gap) {
      found.gap = gap;
      found.interval = i;
      found.where = gap_of_one <= gap_of_other ? one.where : other.where;
    }
  }
  // Beyond 1/a, h is negative; before it nothing ends the last interval.
  found.range = range_of(h, h_minus_1, a, !(known.h.back().x * a >= 1));
  return found;
}

}  // namespace renyi::exact
