#include "divergence/laplace_sets.h"

#include <algorithm>
#include <cmath>

#include "divergence/extended.h"

namespace renyi::divergence_detail {
namespace {

// P(S) - exp(epsilon) Q(S), piece by piece, and the size of what was added.
struct Difference {
  long double value = 0;
  long double size = 0;

  void add(long double term, long double exponent = 0) {
    value += term;
    size += std::abs(term) * (1 + exponent);
  }
};

// Outside, from distance `from` to `to` (in scales of P), where the loss at distance 0 is c + epsilon and grows by k:
// 1/2 e^(-gap) integral of exp(-E) (1 - exp(-c - kE)). Under Q the exponent grows 1 + k times as fast.
void add_outside(Difference& sum, long double c, const LaplaceShape& s, long double gap, long double from,
                 long double to) {
  if (!(from < to)) return;
  const long double scale = 0.5L * std::exp(-gap);
  // The mass of Q beyond x, times exp(epsilon).
  const auto q_beyond = [&](long double x) {
    return std::isinf(x) ? 0 : 0.5L * std::exp(-x * s.ratio - c - gap) / s.ratio;
  };
  const auto size = [&](long double x) { return std::isinf(x) ? 0 : x * (1 + s.ratio) + std::abs(c) + gap; };
  sum.add(scale * std::exp(-from), size(from));
  sum.add(-scale * std::exp(-to), size(to));
  sum.add(-q_beyond(from), size(from));
  sum.add(q_beyond(to), size(to));
}

// Between the locations, from P's location to y: the loss falls from c + epsilon by 2 + k a unit.
void add_between(Difference& sum, long double c, const LaplaceShape& s, long double y) {
  if (!(y > 0)) return;
  const long double rise = s.ratio * y;
  sum.add(-0.5L * std::expm1(-y));
  sum.add(-0.5L * (std::exp(rise - c) - std::exp(-c)) / s.ratio, rise + std::abs(c));
}

// Where the loss c + kE is above 0: before or behind -c/k.
void add_where_positive(Difference& sum, long double c, const LaplaceShape& s, long double gap) {
  const long double crossing = -c / s.k;
  if (s.k > 0) add_outside(sum, c, s, gap, std::max(0.0L, crossing), infinity);
  if (s.k < 0 && c > 0) add_outside(sum, c, s, gap, 0, crossing);
}

}  // namespace

Bounded laplace_hockey_stick(const LaplaceShape& s, double epsilon) {
  if (std::isinf(epsilon)) return exactly(0);
  const long double c = s.left - epsilon, d = s.right - epsilon;
  if (s.k == 0) {
    // Equal scales: 1 - exp((epsilon - left)/2).
    const long double value = -std::expm1(-std::max(c, 0.0L) / 2), rounding = 8 * long_epsilon * (s.left + epsilon);
    return c < -rounding ? exactly(0) : to_bounded(value, rounding + 8 * long_epsilon * value);
  }
  if (s.k < 0 && c < -16 * long_epsilon * (s.left + epsilon)) return exactly(0);
  Difference sum;
  add_where_positive(sum, c, s, 0);
  add_between(sum, c, s, std::min(s.gap, c / (2 + s.k)));
  add_where_positive(sum, d, s, s.gap);
  // An error of c moves the result by at most itself times P(S).
  const long double of_c = 16 * long_epsilon * (std::abs(s.left) + std::abs(s.right) + epsilon);
  return to_bounded(sum.value, 16 * long_epsilon * sum.size + of_c * std::min(1.0L, sum.size + of_c));
}

}  // namespace renyi::divergence_detail
