// From one order and its log-moment to (epsilon, delta): the formulas and the
// equations of their best order (docs/math/conversion.md).
#pragma once

#include "renyi/account.h"
#include "renyi/curve.h"

namespace renyi::account {

// Upper bound on epsilon at `delta` in (0, 1) from K at z = order - 1 > 0.
double epsilon_at(Conversion conversion, double z, const LogMoment& k, double delta);
// Upper bound on ln(delta) at a finite `epsilon`; above 0 it says nothing.
double log_delta_at(Conversion conversion, double z, const LogMoment& k, double epsilon);

// A function of v = ln z, increasing, zero at the best order. Where Newton's method
// would go astray, `jump_z` > 0 proposes a z instead.
struct Condition {
  double value = 0;
  double slope = 0;
  double jump_z = 0;
};
Condition epsilon_condition(Conversion conversion, double z, const LogMoment& k, double delta);
Condition delta_condition(Conversion conversion, double z, const LogMoment& k, double epsilon);

// exp, rounded up and at most 1. Never 0, which would claim pure DP: where exp
// underflows, the smallest double stays above it.
double delta_from_log(double log_delta);

// D_a = K(z)/z, rounded up.
double divergence_upper(double z, const LogMoment& k);

// delta(epsilon) <= delta(0) = TV <= sqrt(1 - exp(-D_1)) for every epsilon >= 0.
double delta_by_total_variation(double divergence);

}  // namespace renyi::account
