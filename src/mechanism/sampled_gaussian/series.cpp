// The published fractional series (Mironov, Talwar, Zhang 2019, section 3.3): with
// z1 = 1/2 + s^2 ln(1/q - 1),
//   A = sum_k C(a,k) (1-q)^(a-k) q^k     exp((k^2-k)/(2 s^2))     erfc((k-z1)/(sqrt2 s))/2
//     + sum_k C(a,k) q^(a-k) (1-q)^k     exp((j^2-j)/(2 s^2))     erfc((z1-j)/(sqrt2 s))/2,   j = a-k.
// C(a,k) changes sign from k > a on, and the terms then fall like k^(-a-2): an
// alternating tail, whose error is at most its next term. Kept as the published
// method and a cross-check; the quadrature serves accounting.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanism/sampled_gaussian/methods.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::sampled_gaussian {

namespace {

constexpr long double pi = 3.14159265358979323846264338327950288L;
constexpr int most_terms = 100'000;
constexpr long double wanted = 1e-12L;      // relative to A - 1
constexpr long double acceptable = 1e-10L;  // what is left when the terms run out

// ln erfc(x); the asymptotic series where erfc itself would underflow, with a
// relative error of erfc below 105/(16 x^8) < 1e-15 from there on.
long double log_erfc(long double x) {
  if (x < 100) return std::log(std::erfc(x));
  const long double y = 1 / (2 * x * x);
  return -x * x - std::log(x * std::sqrt(pi)) + std::log1p(-y * (1 - 3 * y * (1 - 5 * y)));
}

// A sum of signed exponentials, scaled by the largest seen.
class SignedSum {
 public:
  // `size` is that of the pieces the exponent is made of: its rounding error.
  void add(long double log_term, int sign, long double size) {
    if (log_term > scale_) {
      const long double shrink = std::exp(scale_ - log_term);
      sum_ *= shrink;
      modulus_ *= shrink;
      rounding_ *= shrink;
      scale_ = log_term;
    }
    const long double term = std::exp(log_term - scale_);
    sum_ += static_cast<long double>(sign) * term;
    modulus_ += term;
    rounding_ += term * (8 + size);
  }
  long double log() const { return scale_ + std::log(sum_); }
  long double share(long double log_term) const { return std::exp(log_term - scale_) / sum_; }
  // Relative error of the sum by rounding: of each exponent, and once for each addition.
  long double rounding(long double additions) const {
    return (2 * rounding_ + additions * modulus_) / sum_ * std::numeric_limits<long double>::epsilon();
  }

 private:
  long double scale_ = -std::numeric_limits<long double>::infinity();
  long double sum_ = 0;
  long double modulus_ = 0;
  long double rounding_ = 0;
};

struct SeriesSum {
  long double log_a;
  long double relative_error;  // of A
};

SeriesSum sum_series(long double a, long double q, long double s) {
  const long double log_q = std::log(q), log_1mq = std::log1p(-q), root = std::sqrt(2.0L) * s;
  const long double z1 = 0.5L + s * s * (log_1mq - log_q);
  const auto growth = [&](long double j) { return (j * j - j) / (2 * s * s); };
  SignedSum sum;
  long double log_choose = 0;
  int sign = 1;
  for (int n = 0; n < most_terms; ++n) {
    const long double k = n, j = a - k;
    const long double low_tail = log_erfc((k - z1) / root), high_tail = log_erfc((z1 - j) / root);
    const long double low = log_choose + j * log_1mq + k * log_q + growth(k) + low_tail;
    const long double high = log_choose + j * log_q + k * log_1mq + growth(j) + high_tail;
    const long double size = std::abs(log_choose) - (std::abs(j) + k) * (log_q + log_1mq);
    sum.add(low - std::log(2.0L), sign, size + growth(k) + std::abs(low_tail));
    sum.add(high - std::log(2.0L), sign, size + std::abs(growth(j)) + std::abs(high_tail));
    const long double factor = (a - k) / (k + 1);  // C(a,k+1) / C(a,k)
    if (factor == 0) return {sum.log(), sum.rounding(2 * k)};
    if (factor < 0) sign = -sign;
    log_choose += std::log(std::abs(factor));
    const long double next = sum.share(low) + sum.share(high);
    const long double rounding = sum.rounding(2 * k);
    const long double excess = std::abs(std::expm1(sum.log()));
    if (k > a && (next < wanted * excess || n + 1 == most_terms || next < rounding)) {
      return {sum.log(), next + rounding};
    }
  }
  return {sum.log(), 1};
}

}  // namespace

Bounded by_series(const SampledGaussian& mechanism, double order) {
  if (!(order > 1) || std::isinf(order)) {
    throw Unsupported("order", fmt::format("the series needs a finite order above 1, got {}", order),
                      "use method quadrature");
  }
  const SeriesSum a = sum_series(order, mechanism.sampling_rate, mechanism.noise_multiplier);
  const long double relative = a.relative_error / std::abs(a.log_a);
  if (!(a.log_a > 0) || !(relative < acceptable)) {
    throw NotConverged(
        fmt::format("the fractional series at order {}, sampling_rate {}, noise_multiplier {} (A - 1 is "
                    "known to {:.1e} of itself); method quadrature serves every order",
                    order, mechanism.sampling_rate, mechanism.noise_multiplier, static_cast<double>(relative)));
  }
  const auto value = static_cast<double>(a.log_a / (static_cast<long double>(order) - 1));
  return {value, value * (static_cast<double>(relative) + 4 * numerics::unit_roundoff)};
}

}  // namespace renyi::sampled_gaussian
