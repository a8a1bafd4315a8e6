// Infinite losses are accounted for separately, as a part of delta, and the rest of delta is computed from the finite
// part (docs/math/infinite-loss.md, "The split").
#pragma once

#include <cmath>

#include "renyi/extras/curve.h"

namespace renyi::conversion {

// The infinite losses of one direction. Let d0 be the probability that the loss is infinite, d1 that of the other
// direction, and delta' the profile of the finite part; then
//     delta(epsilon) = d0 + (1-d0) delta'(epsilon - shift),   shift = ln((1-d0)/(1-d1)).
struct InfiniteLoss {
  double lower = 0;  // a lower bound on d0
  double upper = 0;
  bool exists = false;     // d0 is above 0, also where it is too small for a double
  double shift_lower = 0;  // infinite bounds where rounding hides whether anything is finite
  double shift_upper = 0;

  bool is_nothing() const { return upper == 0 && shift_lower == 0 && shift_upper == 0; }
  bool is_certain() const { return lower == 1; }  // no loss is finite
  bool has_shift() const { return std::isfinite(shift_lower) && std::isfinite(shift_upper); }

  // The bounds on d0 + (1-d0) x.
  double with_lower(double x) const;
  double with_upper(double x) const;
  // The part of delta that is left for the finite part, (delta-d0)/(1-d0), rounded down or up; below 0 if d0 is larger
  // than delta.
  double remaining_delta_lower(double delta) const;
  double remaining_delta_upper(double delta) const;
};

InfiniteLoss infinite_loss_of(const Curve& curve, Direction direction);

// delta'(-e) = 1 - exp(-e) + exp(-e) delta''(e), where delta'' is the delta of the other direction, rounded down or up;
// e >= 0.
double delta_at_negative_epsilon_lower(double e, double other);
double delta_at_negative_epsilon_upper(double e, double other);

}  // namespace renyi::conversion
