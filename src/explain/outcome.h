// The two ends of the bad-outcome range as logarithms, at one order.
// z = order - 1, k = an upper bound on K(z), log_p = ln of the baseline.
#pragma once

namespace renyi::promises {

// Upper bound on ln P(S); above 0 it says nothing.
double log_upper_at(double z, double k, double log_p);
// Lower bound on ln P(S); minus infinity says nothing.
double log_lower_at(double z, double k, double log_p);

// Order infinity: the loss never exceeds epsilon.
double log_upper_by_loss(double epsilon, double log_p);
double log_lower_by_loss(double epsilon, double log_p);

}  // namespace renyi::promises
