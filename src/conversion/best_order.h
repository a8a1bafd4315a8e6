// Minimises a bound over all real orders, in one direction, by finding the root of a monotone condition in ln z.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "numerics/minimum.h"
#include "numerics/root.h"
#include "renyi/extras/curve.h"
#include "renyi/limits.h"

namespace renyi::conversion {

// A curve in one direction.
class DirectedCurve {
 public:
  DirectedCurve(const Curve& curve, Direction direction) : curve_(curve), direction_(direction) {}

  LogMoment log_moment(double z) const { return curve_.log_moment(z, direction_); }
  Bounded max_loss() const { return curve_.max_loss(direction_); }
  double last_order() const { return curve_.last_order(); }
  Knowledge knowledge() const { return curve_.knowledge(); }

 private:
  const Curve& curve_;
  Direction direction_;
};

// Returns the directions that may have the largest bound: each has its own best order.
inline std::span<const Direction> candidate_directions(const Curve& curve) {
  static constexpr std::array both{Direction::remove, Direction::add};
  const auto larger = curve.larger_direction();
  return larger ? std::span(both).subspan(*larger == Direction::remove ? 0 : 1, 1) : std::span(both);
}

// A point of the curve: z = order - 1 and K there.
struct Point {
  double z = 0;
  LogMoment k;
};

// A function of v = ln z that increases and is zero at the best order. Where Newton's method would diverge, `jump_z` >
// 0 proposes a z instead.
struct Condition {
  double value = 0;
  double slope = 0;
  double jump_z = 0;
};

// The range of the search: from the first double above order 1 to where no bound changes any more.
inline constexpr double smallest_z = 0x1p-52, largest_z = largest_order;
// With the condition at this value, one Newton step leaves about its square, and the bound is flat at the best order:
// it is then within 1e-12 of the best. Delta is steeper in the order than epsilon, by a factor of up to K'^2/K''.
inline constexpr double last_value_for_epsilon = 1e-3, last_value_for_delta = 1e-7;
inline constexpr double last_step = 1e-2;
// The longest Newton step: a flat stretch must not make Newton's method jump too far.
inline constexpr double longest_step = 7;
inline constexpr int most_steps = 200;
// Whole orders up to this one are tried separately.
inline constexpr double most_whole = 1e6, rounding = 1e-12;
// A slope with a larger relative error was computed from differences.
inline constexpr double blurred = 1e-6;
// A bracket (in ln z) this narrow cannot be improved.
inline constexpr double narrow = 1e-13;

// Returns whether any order above 1 has a finite divergence.
inline bool has_orders(const DirectedCurve& curve) { return curve.last_order() - 1 >= smallest_z; }

// Follows `condition` (increasing in ln z, zero at the best order) from `start` and returns the visited point with the
// smallest `bound`. Every point gives a valid bound, and the root gives the best one; where rounding hides the root,
// the result is the best visited point. 1 + z is a double at each point, so the order reported is the order used. The
// curve must have orders.
template <class ConditionAt, class BoundAt>
Point best_point(const DirectedCurve& curve, double start, double last_value, const ConditionAt& condition,
                 const BoundAt& bound) {
  const double last_z = std::min(largest_z, curve.last_order() - 1);
  if (last_z < largest_z) {
    // The bound may decrease up to the last order.
    const Point last{last_z, curve.log_moment(last_z)};
    if (condition(last).value <= 0) return last;
  }
  numerics::Bracket bracket{std::log(smallest_z), std::log(last_z)};
  double v = start > 0 ? std::clamp(std::log(start), bracket.low(), bracket.high()) : 0;
  Point best;
  double least = std::numeric_limits<double>::infinity();
  bool rough = false;
  // Makes this point the best one if its bound is smaller than the best bound by more than this fraction of it.
  const auto visit = [&](double z, double share = 0) {
    const Point point{z, curve.log_moment(z)};
    const double here = bound(point);
    rough = rough || point.k.slope_error > blurred * point.k.slope;
    if (here < (share > 0 ? least - share * std::abs(least) : least) || best.z == 0) {
      least = here;
      best = point;
    }
    stop_if_asked();
    return point;
  };
  const auto visit_here = [&] { return visit(std::clamp((1 + std::exp(v)) - 1, smallest_z, last_z)); };
  try {
    for (int i = 0; i < most_steps && bracket.width() > narrow; ++i) {
      const Condition at = condition(visit_here());
      const double newton = v + std::clamp(-at.value / at.slope, -longest_step, longest_step);
      const bool settled = std::abs(at.value) < last_value && std::abs(newton - v) < last_step;
      v = settled ? newton : bracket.next(v, at.value, at.jump_z > 0 ? std::log(at.jump_z) : newton);
      if (settled) break;
    }
    visit_here();
    // A table of bounds has its kinks at whole orders, where the bound is smallest; other curves do not change beyond
    // rounding.
    if (curve.knowledge() == Knowledge::orders && best.z < most_whole) {
      const double below = std::floor(best.z), above = std::ceil(best.z);
      if (below > 0) visit(below, rounding);
      if (above <= last_z) visit(above, rounding);
    }
    // Where slopes are known only roughly, there may be hidden kinks, so the values are compared instead.
    if (rough) {
      const auto near = [&](double z) { return bound(visit(std::clamp((1 + z) - 1, smallest_z, last_z), rounding)); };
      numerics::minimum_between(near, best.z * (1 - last_step), std::min(best.z * (1 + last_step), last_z));
    }
  } catch (const LimitReached&) {
    if (best.z == 0) throw;  // no order has been evaluated; every other point gives a valid bound
  }
  return best;
}

}  // namespace renyi::conversion
