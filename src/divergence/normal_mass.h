// Masses of the standard normal law, scaled by exp(shift) without overflow.
#pragma once

namespace renyi::divergence_detail {

struct Mass {
  long double value = 0;
  long double error = 0;

  Mass& operator+=(const Mass& other) {
    value += other.value;
    error += other.error;
    return *this;
  }
};

// exp(shift) Pr[low < X < high], X standard normal; the ends may be infinite.
Mass normal_mass(long double low, long double high, long double shift);

}  // namespace renyi::divergence_detail
