// Shared by tests of vector kernels: the instruction sets to try, and a reference in long double.
#pragma once

#include <cmath>
#include <vector>

#include "simd/dispatch.h"

namespace renyi::test {

// Those that this processor runs.
inline std::vector<renyi::simd::Target> available_targets() {
  using renyi::simd::Target;
  std::vector<Target> result{Target::baseline};
  for (const Target target : {Target::avx2, Target::avx3}) {
    if (target <= renyi::simd::best_target()) result.push_back(target);
  }
  return result;
}

// exp(y) - 1 - y. The difference loses 6 bits at 0.05, of the 11 that long double has to spare.
inline long double exp_rest(long double y) {
  if (std::abs(y) > 0.05L) return std::expm1(y) - y;
  long double sum = 0, term = y * y / 2;
  for (int k = 3; k < 20; ++k) {
    sum += term;
    term *= y / k;
  }
  return sum;
}

}  // namespace renyi::test
