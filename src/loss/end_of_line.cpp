#include "loss/end_of_line.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace renyi::loss {

namespace {

using std::numbers::pi;

// All the points of a line together, in units of one exp: in all, and for each step that differs from the others.
constexpr double most_cost = 2.5e7, most_cost_each = 2e6;
constexpr double stride = 1.25;
constexpr int most_zones = 60, most_strides = 400;

// Terms of the zone [y, 2y], where |phi| <= exp(decay).
double zone(Kernel kernel, double decay, double c, double y, double h) {
  return std::exp(decay) * modulus_of_kernel(kernel, c, y) * (y + h) / pi;
}

// All terms from y on, where |phi| <= exp(decay) throughout: with the kernel of delta,
//     h sum over y_j >= y of 1/y_j^2 <= 1/y + h/y^2.
double rest(Kernel kernel, double decay, double y, double h) {
  if (kernel != Kernel::delta) return std::numeric_limits<double>::infinity();
  return std::exp(decay) * (1 / y + h / (y * y)) / pi;
}

// All terms beyond y, or more than `limit`: zones that double, until the bound for all the rest is
// small, or halves from zone to zone, which the bound |phi(v)|^n <= (TV/v)^n then does for ever.
double beyond(const VerticalLine& line, Kernel kernel, double c, double y, double h, double limit) {
  double total = 0;
  for (int i = 0; i < most_zones && total < limit; ++i, y *= 2) {
    const double decay = line.decay_beyond(y);
    if (const double all = rest(kernel, decay, y, h); all < 0.1 * limit) return total + all;
    const double here = zone(kernel, decay, c, y, h);
    if (here < 0.1 * limit && zone(kernel, line.decay_beyond(2 * y), c, 2 * y, h) <= 0.5 * here)
      return total + 2 * here;
    total += zone(kernel, line.decay(y), c, y, h);
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

double modulus_of_kernel(Kernel kernel, double c, double y) {
  const double from_0 = kernel == Kernel::other_tail ? 1 : 1 / std::hypot(c, y);
  return kernel == Kernel::tail ? from_0 : from_0 / std::hypot(c + 1, y);
}

double argument_of_poles(Kernel kernel, double c, double y) {
  return (kernel == Kernel::other_tail ? 0 : std::atan2(y, c)) + (kernel == Kernel::tail ? 0 : std::atan2(y, c + 1));
}

std::optional<End> end_of_line(const VerticalLine& line, Kernel kernel, double c, double h, double start,
                               double limit) {
  const double budget = std::max(most_cost, most_cost_each * static_cast<double>(line.distinct_steps()));
  double y = start;
  for (int i = 0; i < most_strides; ++i, y *= stride) {
    if (y / h * line.cost(y) > budget) return std::nullopt;
    const double left = beyond(line, kernel, c, y, h, limit);
    if (left < limit) return End{y, left};
  }
  return std::nullopt;
}

}  // namespace renyi::loss
