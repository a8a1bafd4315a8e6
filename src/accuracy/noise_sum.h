// The law of a sum of independent noises, by its moment generating function M(z) = E[exp(z S)]
// (docs/math/accuracy.md).
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "renyi/plan.h"

namespace renyi::noise_error {

// Extended precision where the machine has it.
using Real = long double;
using Complex = std::complex<Real>;

// The noises of one kind and scale, and how many of them there are.
struct Noises {
  Real scale = 1;
  Real count = 1;
};

// ln M at a point, with a bound on its absolute error in roundings: the error is at most roundings * extended_roundoff.
struct LogMgf {
  Complex value = 0;
  Real roundings = 0;
};

class NoiseSum {
 public:
  // Reads the steps; throws Unsupported for a step that is not known by the noise it adds.
  explicit NoiseSum(const Plan& plan);

  // True if all noises are whole numbers.
  bool is_lattice() const { return !has_continuous(); }
  bool has_continuous() const { return gaussian_variance > 0 || !laplace.empty(); }
  bool has_discrete() const { return skellam_variance > 0 || !discrete_laplace.empty() || !discrete_gaussian.empty(); }
  // The time of an evaluation, in units of one simple factor.
  std::size_t size() const;

  // The variance; its relative error is at most variance_roundings * extended_roundoff.
  Real variance() const;
  static constexpr Real variance_roundings = 256;

  // M(z) is finite for |Re z| below this.
  Real pole() const;
  // ln M of the continuous and of the discrete noises, at |Re z| < pole(), Im z >= 0.
  LogMgf continuous(Complex z) const;
  LogMgf discrete(Complex z) const;
  // The number of Laplace factors and of discrete Laplace factors.
  Real laplace_count() const;
  Real discrete_laplace_count() const;

  Real gaussian_variance = 0;
  Real skellam_variance = 0;
  std::vector<Noises> gaussian{};  // their variances are also in gaussian_variance
  std::vector<Noises> laplace{};
  std::vector<Noises> discrete_laplace{};
  std::vector<Noises> discrete_gaussian{};
  std::int64_t continuous_count = 0;  // how many Gaussian and Laplace noises there are
};

}  // namespace renyi::noise_error
