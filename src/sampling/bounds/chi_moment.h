// Even moments of p/q - 1 under q for two normal distributions: the Pearson-Vajda divergences of even order.
#pragma once

#include <cstddef>

namespace renyi::sampling {

struct LogValue {
  long double value = 0;
  long double error = 0;  // |value - exact value| <= error
};

// ln E_q[(p/q - 1)^l], q = N(0, s^2), p = N(1, s^2), l even and at least 2. Throws NotConverged.
LogValue log_chi_moment(double noise_multiplier, std::size_t l);

}  // namespace renyi::sampling
