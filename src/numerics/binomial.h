// ln of a binomial probability, with an error bound, for counts beyond lgamma's reach.
#pragma once

#include <cstdint>

namespace renyi::numerics {

struct LogProbability {
  long double value = 0;
  long double error = 0;  // |value - truth| <= error
};

// ln Pr[i of `runs` independent trials succeed], each with probability 1/(1 + e^epsilon);
// 0 <= i <= runs/2, epsilon >= 0, and 1 <= (runs + 1)/(1 + e^epsilon) unless i is 0.
LogProbability log_binomial(std::int64_t i, std::int64_t runs, long double epsilon);

}  // namespace renyi::numerics
