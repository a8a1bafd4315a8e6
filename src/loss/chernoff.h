// Bounds on the tails of the loss from its curve alone (docs/math/privacy-loss.md, "Chernoff").
#pragma once

#include "renyi/curve.h"

namespace renyi::loss {

// ln Pr_P[L >= t] <= K(c) - c t for every c >= 0: the least of them, at most 0.
double log_chernoff_above(const Curve& curve, Direction direction, double t);

// ln Pr_P[L <= -s]: with L' = -L the loss of the other direction, whose law is Q,
// Pr_P[L' >= s] = E_Q[exp(-L'); L' >= s] <= exp(-s) Pr_Q[L' >= s]. At most 0.
double log_chernoff_below(const Curve& curve, Direction direction, double s);

// exp, rounded up.
double upper_exp(double log_value);

}  // namespace renyi::loss
