// What the theorems on private selection need to know of the number of runs.
#pragma once

#include "renyi/select.h"

namespace renyi::plan {

// The truncated negative binomial law: geometric for eta = 1, logarithmic for eta = 0.
struct TruncatedBinomial {
  double eta = 0;
  double log_inverse_gamma = 0;  // ln(1/gamma), rounded up
  double log_mean = 0;           // ln E[K], rounded up
};
// For every law but Poisson.
TruncatedBinomial truncated_binomial(const Runs& runs);

}  // namespace renyi::plan
