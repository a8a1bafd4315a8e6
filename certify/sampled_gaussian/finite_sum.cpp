// Whole orders, direction remove (Mironov, Talwar, Zhang 2019, arXiv:1908.10530v1, section 3.3; Lemma C3).
#include <bit>

#include "certify/sampled_gaussian/curve.h"

namespace renyi::certify {
namespace {

// A product of n^2 factors loses 2 log2(n) bits, exp(2/(2s^2)) - 1 at s = 1e6 another 40.
long guard_bits(std::int64_t order) {
  return 64 + 2 * static_cast<long>(std::bit_width(static_cast<std::uint64_t>(order)));
}

// Lemma C3: A - 1 = sum over k >= 2 of C(a,k) (1-q)^(a-k) q^k (exp((k^2-k)/(2 s^2)) - 1), every term positive.
Ball moment_minus_one(const SampledGaussian& mechanism, std::int64_t order) {
  const Ball q = mechanism.sampling_rate;
  const Ball odds = q / (1 - q);
  const Ball ratio = exp(1 / square(Ball(mechanism.noise_multiplier)));
  Ball probability;  // C(a,k) (1-q)^(a-k) q^k
  arb_pow_ui(probability.raw(), (1 - q).raw(), static_cast<ulong>(order), Precision::bits());
  Ball growth = 1;       // exp((k^2-k)/(2 s^2))
  Ball next_growth = 1;  // exp(k/s^2)
  Ball sum;
  for (std::int64_t k = 0; k <= order; ++k) {
    if (k >= 2) sum += probability * (growth - 1);
    growth *= next_growth;
    next_growth *= ratio;
    probability *= odds * Ball(order - k) / Ball(k + 1);
  }
  return sum;
}

}  // namespace

Ball finite_sum_log_moment(const SampledGaussian& mechanism, std::int64_t order) {
  const Precision guarded(Precision::bits() + guard_bits(order));
  return log1p(moment_minus_one(mechanism, order));
}

}  // namespace renyi::certify
