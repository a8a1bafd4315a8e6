// Mills' ratio R(x) = Pr[X > x] / phi(x) of the standard normal distribution, which neither underflows nor cancels
// where Pr and phi do (docs/math/exact-closed-forms.md, "Mills").
#pragma once

#include "numerics/extended.h"

namespace renyi::numerics {

// Extended precision where the machine has it.
inline constexpr long double extended_roundoff = extended_epsilon / 2;

// A value and a bound on its relative error.
struct Approximation {
  long double value = 0;
  long double relative_error = 0;
};

// Requires x >= -1; infinity is allowed.
Approximation mills_ratio(long double x);

// Returns R(x) - R(x + w) > 0 for x >= -1, w > 0: accurate relative to itself, however small w is.
Approximation mills_difference(long double x, long double w);

}  // namespace renyi::numerics
