// Entropies, in bits, of the laws that are drawn.
#pragma once

#include <cmath>
#include <numbers>

namespace bench {

// Above this scale the sums below are their integrals, but for less than a rounding error.
inline constexpr double smooth_scale = 64;

// Adds -p log2(p) for p = mass(n) over whole numbers, n and -n alike, until nothing more is added.
template <class Mass>
double summed_entropy(const Mass& mass) {
  double sum = 0;
  for (int n = 0;; ++n) {
    const double p = mass(n);
    if (!(p > 1e-30)) return sum;
    sum -= (n == 0 ? 1 : 2) * p * std::log2(p);
  }
}

inline double normal_entropy(double scale) {
  return std::log2(scale * std::sqrt(2 * std::numbers::pi * std::numbers::e));
}

inline double discrete_gaussian_entropy(double stddev) {
  if (stddev >= smooth_scale) return normal_entropy(stddev);
  const auto weight = [&](int n) { return std::exp(-0.5 * (n / stddev) * (n / stddev)); };
  double all = 1;
  for (int n = 1; weight(n) > 1e-30; ++n) all += 2 * weight(n);
  return summed_entropy([&](int n) { return weight(n) / all; });
}

// The entropy of round(noise), for the ideal Gaussian noise.
inline double rounded_gaussian_entropy(double stddev) {
  if (stddev >= smooth_scale) return normal_entropy(stddev);
  const double unit = 1 / (stddev * std::numbers::sqrt2);
  return summed_entropy([&](int n) {
    if (n == 0) return std::erf(unit / 2);
    return 0.5 * (std::erfc((n - 0.5) * unit) - std::erfc((n + 0.5) * unit));
  });
}

// p(0) exp(-|n|/scale), whose mean modulus is 2a/(1 - a^2) for a = exp(-1/scale).
inline double discrete_laplace_entropy(double scale) {
  const double at_zero = std::tanh(0.5 / scale);
  const double modulus = 1 / std::sinh(1 / scale);
  return -std::log2(at_zero) + modulus / scale * std::numbers::log2e;
}

// The masses of round(noise): 1 - exp(-1/(2 scale)) at 0, and sinh(1/(2 scale)) exp(-|n|/scale) elsewhere.
inline double rounded_laplace_entropy(double scale) {
  const double at_zero = -std::expm1(-0.5 / scale), side = std::sinh(0.5 / scale);
  const double a = std::exp(-1 / scale), step = -std::expm1(-1 / scale);
  const double modulus = 2 * side * a / (step * step);
  return -at_zero * std::log2(at_zero) - (1 - at_zero) * std::log2(side) + modulus / scale * std::numbers::log2e;
}

}  // namespace bench
