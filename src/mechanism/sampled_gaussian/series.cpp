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

// ln erfc(x); the asymptotic form where erfc itself would underflow, relative
// error of erfc there below 3/(4 x^4) < 1e-8 x^-2, and such terms are negligible.
long double log_erfc(long double x) {
  if (x < 100) return std::log(std::erfc(x));
  return -x * x - std::log(x * std::sqrt(pi)) + std::log1p(-1 / (2 * x * x));
}

// A sum of signed exponentials, scaled by the largest seen.
class SignedSum {
 public:
  void add(long double log_term, int sign) {
    if (log_term > scale_) {
      const long double shrink = std::exp(scale_ - log_term);
      sum_ *= shrink;
      modulus_ *= shrink;
      scale_ = log_term;
    }
    const long double term = std::exp(log_term - scale_);
    sum_ += static_cast<long double>(sign) * term;
    modulus_ += term;
  }
  long double log() const { return scale_ + std::log(sum_); }
  long double share(long double log_term) const { return std::exp(log_term - scale_) / sum_; }
  long double cancellation() const { return modulus_ / sum_; }

 private:
  long double scale_ = -std::numeric_limits<long double>::infinity();
  long double sum_ = 0;
  long double modulus_ = 0;
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
    const long double low = log_choose + j * log_1mq + k * log_q + growth(k) + log_erfc((k - z1) / root);
    const long double high = log_choose + j * log_q + k * log_1mq + growth(j) + log_erfc((z1 - j) / root);
    sum.add(low - std::log(2.0L), sign);
    sum.add(high - std::log(2.0L), sign);
    const long double factor = (a - k) / (k + 1);  // C(a,k+1) / C(a,k)
    if (factor == 0) return {sum.log(), sum.cancellation() * 64 * std::numeric_limits<long double>::epsilon()};
    if (factor < 0) sign = -sign;
    log_choose += std::log(std::abs(factor));
    const long double next = sum.share(low) + sum.share(high);
    const long double rounding = sum.cancellation() * (64 + k) * std::numeric_limits<long double>::epsilon();
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
