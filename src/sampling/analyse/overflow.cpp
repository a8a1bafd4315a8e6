#include "renyi/sampling.h"
#include "sampling/analyse/binomial.h"

namespace renyi {

// A record added is one beside all others; one that is replaced or zeroed out is counted among them.
double overflow_probability(const Sampling& sampling, Neighbors neighbors) {
  if (sampling.scheme != Scheme::truncated_poisson) return 0;
  const double others = sampling.dataset_size - (neighbors == Neighbors::add_or_remove_one ? 0 : 1);
  return sampling::binomial_tail_up(others, sampling.rate, sampling.batch_limit);
}

}  // namespace renyi
