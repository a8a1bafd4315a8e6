#include "loss/line_truncation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "mechanism/close_decay.h"
#include "renyi/limits.h"

namespace renyi::loss {

namespace line_truncation_file {
namespace {

using std::numbers::pi;

// The largest cost of all points of a line together, in units of VerticalLine::cost: in total, and for each step that
// differs from the others. The lattice, which answers where no line does, takes longer.
constexpr double most_cost = 5e6, most_cost_each = 5e5;
// A line that costs no more than this, for each step that differs from the others, is not made shorter.
constexpr double small_cost = 1.5e4;
// The search moves from the first guess by short strides, then by longer ones.
constexpr double short_stride = 1.1, stride = 1.25;
constexpr int short_strides = 3, most_zones = 60, most_strides = 400;
// For a line of more points than this, the end is located more closely.
constexpr double many_points = 64;
constexpr int most_halvings = 3;
// No line has this many points, because each takes some time.
constexpr double most_points = 1e6;

// The question where a line may end.
struct Truncation {
  const VerticalLine& line;
  Kernel kernel;
  double c;
  double h;
  double limit;
  double budget;
  bool closely;  // decay is bounded more closely, which takes longer

  double decay(double y) const { return closely ? mechanism::close_decay(line, y) : line.decay(y); }
  double decay_beyond(double y) const {
    return closely ? mechanism::close_decay_beyond(line, y) : line.decay_beyond(y);
  }
  double cost(double y) const { return y / h * line.cost(y); }
  double beyond(double y) const;
  End closer(double before, End found) const;
  std::optional<End> longest(double low, double y) const;
  std::optional<End> search(double start) const;
};

// Bounds the terms of the zone [y, 2y], where |phi| <= exp(decay).
double zone(Kernel kernel, double decay, double c, double y, double h) {
  return std::exp(decay) * modulus_of_kernel(kernel, c, y) * (y + h) / pi;
}

// Bounds all terms from y on, where |phi| <= exp(decay) throughout: with the kernel of delta,
//     h sum over y_j >= y of 1/y_j^2 <= 1/y + h/y^2.
double rest(Kernel kernel, double decay, double y, double h) {
  if (kernel != Kernel::delta) return std::numeric_limits<double>::infinity();
  return std::exp(decay) * (1 / y + h / (y * y)) / pi;
}

// Bounds all terms beyond y, or returns more than `limit`: zones that double are added until the bound for all the rest
// is small, or until it halves from zone to zone, which the bound |phi(v)|^n <= (TV/v)^n then does permanently.
double Truncation::beyond(double y) const {
  double total = 0;
  for (int i = 0; i < most_zones; ++i, y *= 2) {
    stop_if_asked();
    total += zone(kernel, decay(y), c, y, h);
    if (!(total < limit)) break;
    const double next = 2 * y, far = decay_beyond(next);
    if (const double all = rest(kernel, far, next, h); all < 0.1 * limit) return total + all;
    const double there = zone(kernel, far, c, next, h);
    if (there < 0.1 * limit && zone(kernel, decay_beyond(2 * next), c, 2 * next, h) <= 0.5 * there)
      return total + 2 * there;
  }
  return std::numeric_limits<double>::infinity();
}

// The line may end at `found`, and is not known to end at `before`: looks for an end between them.
End Truncation::closer(double before, End found) const {
  for (int i = 0; i < most_halvings; ++i) {
    const double middle = 0.5 * (before + found.y);
    if (const double left = beyond(middle); left < limit) {
      found = {middle, left};
    } else {
      before = middle;
    }
  }
  return found;
}

// A line that ends at `y` costs too much, and one that ends at `low` does not: returns the longest one between them, if
// it may end there.
std::optional<End> Truncation::longest(double low, double y) const {
  constexpr int halvings = 10;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + y);
    (cost(middle) > budget ? y : low) = middle;
  }
  if (!(low > 0)) return std::nullopt;
  const double left = beyond(low);
  return left < limit ? std::optional(End{low, left}) : std::nullopt;
}

std::optional<End> Truncation::search(double start) const {
  double before = start;
  for (int i = 0; i < most_strides; ++i) {
    stop_if_asked();
    const double y = i == 0 ? start : before * (i <= short_strides ? short_stride : stride);
    if (cost(y) > budget) return longest(i == 0 ? 0 : before, y);
    if (const double left = beyond(y); left < limit) {
      const bool is_long = i > 0 && y / h > many_points;
      return is_long ? closer(before, End{y, left}) : End{y, left};
    }
    before = y;
  }
  return std::nullopt;
}

}  // namespace
}  // namespace line_truncation_file

double modulus_of_kernel(Kernel kernel, double c, double y) {
  // Positions are at most 1e12, so no square overflows before the line is far too long.
  const double from_0 = kernel == Kernel::other_tail ? 1 : c * c + y * y;
  const double from_minus_1 = kernel == Kernel::tail ? 1 : (c + 1) * (c + 1) + y * y;
  return 1 / (std::sqrt(from_0) * std::sqrt(from_minus_1));
}

double argument_of_poles(Kernel kernel, double c, double y) {
  if (kernel == Kernel::tail) return std::atan2(y, c);
  if (kernel == Kernel::other_tail) return std::atan2(y, c + 1);
  return std::atan2(y * (2 * c + 1), c * (c + 1) - y * y);  // the argument of (c + iy)(c+1 + iy)
}

// For a normal loss |phi(y)| is exp(-curvature y^2/2); the looseness of the bounds on it is allowed for.
double likely_end(Kernel kernel, double c, double h, double curvature, double limit) {
  double y = 2.4 / std::sqrt(curvature + poles_of(kernel).stiffness(c));
  for (int i = 0; i < 2; ++i) {
    const double needed = std::log(line_truncation_file::zone(kernel, 0, c, y, h) / limit),
                 there = std::sqrt(needed / (0.47 * curvature));
    if (there > y) y = std::max(y, std::min(there, line_truncation_file::most_points * h));  // false for NaN
  }
  return y;
}

std::optional<End> find_line_end(const VerticalLine& line, Kernel kernel, double c, double h, double start,
                                 double limit, double patience) {
  const auto steps = static_cast<double>(line.distinct_steps());
  const double small = line_truncation_file::small_cost * steps;
  if (const auto end = line_truncation_file::Truncation{line, kernel, c, h, limit, small, false}.search(start))
    return end;
  const double budget = std::max(line_truncation_file::most_cost, line_truncation_file::most_cost_each * steps);
  return line_truncation_file::Truncation{line, kernel, c, h, limit, patience * budget, true}.search(start);
}

}  // namespace renyi::loss
