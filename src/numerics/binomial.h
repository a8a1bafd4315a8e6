// Binomial probabilities: the logarithm of one of them, with an error bound, for counts beyond the range of lgamma; and
// the upper tail.
#pragma once

#include <cstdint>

namespace renyi::numerics {

struct LogProbability {
  long double value = 0;
  long double error = 0;  // |value - exact value| <= error
};

// ln Pr[i of `runs` independent trials succeed], each with probability 1/(1 + e^epsilon);
// 0 <= i <= runs/2, epsilon >= 0, and 1 <= (runs + 1)/(1 + e^epsilon) unless i is 0.
LogProbability log_binomial(std::int64_t i, std::int64_t runs, long double epsilon);

// Returns Pr[Binomial(n, p) >= k], rounded up; n and k are whole.
double binomial_tail_up(double n, double p, double k);

}  // namespace renyi::numerics
