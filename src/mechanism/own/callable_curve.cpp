#include "mechanism/own/callable_curve.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::mechanism {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Whole numbers beyond this are all there is.
constexpr double most_whole = 0x1p52;

}  // namespace

CallableCurve::CallableCurve(std::string name, std::function<double(double)> divergence)
    : name_(std::move(name)), divergence_(std::move(divergence)) {
  if (!divergence_) throw InvalidArgument("divergence", "no function", "a function of the order");
}

double CallableCurve::asked(double order) const {
  const double value = divergence_(order);
  if (value >= 0) return value;  // false for NaN
  throw InvalidArgument("divergence", fmt::format("{} at order {} of '{}'", value, order, name_),
                        "a number of at least 0, or inf");
}

// K is convex with K(0) = 0, so it lies below the chord between bounds at whole orders n and n+1:
//   (a-1) D_a <= (1-t) (n-1) D_n + t n D_(n+1),  t = a - n.
double CallableCurve::by_chord(double order) const {
  const double n = std::floor(order), t = order - n;
  const double high = asked(n + 1);
  if (std::isinf(high)) return infinity;
  if (n == 1) return high;  // D_a <= D_2
  const double low = asked(n);
  if (std::isinf(low)) return high;  // D_a <= D_(n+1)
  const double k = (1 - t) * (n - 1) * low + t * n * high;
  return k / (order - 1) * (1 + 8 * numerics::unit_roundoff);
}

Bounded CallableCurve::divergence_of(double order, Direction) const {
  const double value = asked(order);
  const bool gap = std::isinf(value) && order < most_whole && (order != std::floor(order) || order == 1);
  return {gap ? by_chord(order) : value, 0};
}

}  // namespace renyi::mechanism
