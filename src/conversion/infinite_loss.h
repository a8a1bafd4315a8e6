// Losses that may be infinite are paid for apart, and the rest is asked of the finite part (docs/math/infinite-loss.md,
// "The split").
#pragma once

#include <cmath>

#include "renyi/extras/curve.h"

namespace renyi::conversion {

// One direction. With d0 the probability that the loss is infinite, d1 that of the other direction, and delta' the
// profile of the finite part,
//     delta(epsilon) = d0 + (1-d0) delta'(epsilon - shift),   shift = ln((1-d0)/(1-d1)).
struct InfiniteLoss {
  double lower = 0;  // of d0
  double upper = 0;
  bool exists = false;     // d0 is above 0, also where it is too small for a double
  double shift_lower = 0;  // infinite ends where rounding hides whether anything is finite
  double shift_upper = 0;

  bool is_nothing() const { return upper == 0 && shift_lower == 0 && shift_upper == 0; }
  bool is_certain() const { return lower == 1; }  // nothing is finite
  bool has_shift() const { return std::isfinite(shift_lower) && std::isfinite(shift_upper); }

  // The ends of d0 + (1-d0) x.
  double with_lower(double x) const;
  double with_upper(double x) const;
  // What is left of delta for the finite part, (delta-d0)/(1-d0), rounded down or up; below 0 if d0 is more.
  double remaining_delta_lower(double delta) const;
  double remaining_delta_upper(double delta) const;
};

InfiniteLoss infinite_loss_of(const Curve& curve, Direction direction);

// delta'(-e) = 1 - exp(-e) + exp(-e) delta''(e), delta'' that of the other direction: rounded down or up; e >= 0.
double delta_at_negative_epsilon_lower(double e, double other);
double delta_at_negative_epsilon_upper(double e, double other);

}  // namespace renyi::conversion
