// A - 1 = sum_{k>=2} C(a,k) (1-q)^(a-k) q^k (exp((k^2-k)/(2 s^2)) - 1): the
// published sum with the binomial theorem subtracted, so all terms are >= 0.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "mechanism/sampled_gaussian/methods.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::sampled_gaussian {

namespace {

constexpr double largest_order = 1e6;

// ln(exp(e) - 1) for e > 0.
long double log_expm1(long double e) { return e > 1 ? e + std::log1p(-std::exp(-e)) : std::log(std::expm1(e)); }

}  // namespace

Bounded by_integer_sum(const SampledGaussian& mechanism, double order) {
  if (!(order >= 2 && order <= largest_order && order == std::floor(order))) {
    throw Unsupported("order",
                      fmt::format("the integer method needs a whole order from 2 to {}, got {}", largest_order, order),
                      "use method quadrature");
  }
  const long double a = order, q = mechanism.sampling_rate, s = mechanism.noise_multiplier;
  const long double log_q = std::log(q), log_1mq = std::log1p(-q);
  long double log_choose = std::log(a);  // ln C(a, k)
  std::vector<long double> logs;
  logs.reserve(static_cast<std::size_t>(order));
  long double largest = -std::numeric_limits<long double>::infinity(), size = 0;
  for (long double k = 2; k <= a; ++k) {
    log_choose += std::log((a - k + 1) / k);
    const long double growth = (k * k - k) / (2 * s * s);
    logs.push_back(log_choose + (a - k) * log_1mq + k * log_q + log_expm1(growth));
    largest = std::max(largest, logs.back());
    size = std::max(size, log_choose + a * -std::min(log_q, log_1mq));
  }
  long double sum = 0;
  for (const long double log_term : logs) sum += std::exp(log_term - largest);
  const long double log_s = largest + std::log(sum);
  const long double k = log_s > 40 ? log_s + std::log1p(std::exp(-log_s)) : std::log1p(std::exp(log_s));
  // The running sum of log C(a,k) rounds once a term; exponents carry their own size.
  const long double rounding = std::numeric_limits<long double>::epsilon() * (a + 16) * (1 + size);
  const long double relative = std::min<long double>(1, rounding * -std::expm1(-k) / k) + 4 * numerics::unit_roundoff;
  const auto value = static_cast<double>(k / (a - 1));
  return {value, static_cast<double>(relative) * value};
}

}  // namespace renyi::sampled_gaussian
