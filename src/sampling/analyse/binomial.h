// Binomial probabilities of sampling.
#pragma once

#include <vector>

namespace renyi::sampling {

// At least Pr[Binomial(n, p) >= k], by a rounding error more.
double binomial_tail_up(double n, double p, double k);

// How often a record is hit, given that it is hit at all. Counts whose probability is next to nothing may stand as the
// largest count, n, which never costs less.
struct Count {
  double hits = 0;
  double probability = 0;
};
struct CountLaw {
  double some = 0;  // Pr[hit at all]
  std::vector<Count> counts{};
};
// n trials of probability 0 < p < 1.
CountLaw count_law(double n, double p);

}  // namespace renyi::sampling
