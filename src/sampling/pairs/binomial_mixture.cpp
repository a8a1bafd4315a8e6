#include "sampling/pairs/binomial_mixture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "numerics/rounding.h"

namespace renyi::sampling {

using numerics::unit_roundoff;

namespace binomial_mixture_file {
namespace {

// The sum stops at terms that are less than this share of it: they fall at least geometrically there.
constexpr double negligible = 1e-20;
constexpr double base_noise = 12;
// exp of a larger tilt is not multiplied by weights.
constexpr double large_tilt = 40;

// Computes C(k, i) as a product that is kept in range explicitly, with a relative error of 2k units of extended
// precision.
std::vector<double> binomial_log_weights(double rate, std::size_t k) {
  const long double log_q = std::log(static_cast<long double>(rate));
  const long double log_rest = std::log1p(-static_cast<long double>(rate));
  const long double log_2 = std::log(2.0L);
  std::vector<double> logs;
  logs.reserve(k + 1);
  long double mantissa = 1;
  std::int64_t exponent = 0;
  for (std::size_t i = 0; i <= k; ++i) {
    const auto hits = static_cast<long double>(i), misses = static_cast<long double>(k - i);
    const long double choices = std::log(mantissa) + static_cast<long double>(exponent) * log_2;
    logs.push_back(static_cast<double>(choices + hits * log_q + misses * log_rest));
    int shift = 0;
    mantissa = std::frexp(mantissa * misses / (hits + 1), &shift);
    exponent += shift;
  }
  return logs;
}

}  // namespace
}  // namespace binomial_mixture_file

BinomialMixture::BinomialMixture(double rate, std::size_t group, double s)
    : log_weight_(binomial_mixture_file::binomial_log_weights(rate, group)),
      inv_s2_(1 / s / s),
      likeliest_(
          static_cast<std::size_t>(std::max_element(log_weight_.begin(), log_weight_.end()) - log_weight_.begin())) {
  weight_.reserve(log_weight_.size());
  for (const double log_weight : log_weight_) weight_.push_back(std::exp(log_weight));
}

double BinomialMixture::exponent(std::size_t i, double x) const {
  const auto n = static_cast<double>(i);
  return log_weight_[i] + n * (x - 0.5 * n) * inv_s2_;
}

double BinomialMixture::exponent_error(std::size_t i, double x) const {
  const auto n = static_cast<double>(i);
  return (2 * std::abs(log_weight_[i]) + 5 * n * (std::abs(x) + 0.5 * n) * inv_s2_ +
          binomial_mixture_file::base_noise) *
         unit_roundoff;
}

std::size_t BinomialMixture::peak(double x) const {
  std::size_t low = 0, high = group();
  while (low < high) {
    const std::size_t i = low + (high - low) / 2;
    const double step = log_weight_[i + 1] - log_weight_[i] + (x - static_cast<double>(i) - 0.5) * inv_s2_;
    if (step > 0) {
      low = i + 1;
    } else {
      high = i;
    }
  }
  return low;
}

template <class Term>
void BinomialMixture::for_terms(std::size_t low, std::size_t high, const Term& term) const {
  for (std::size_t i = low; i <= high; ++i) term(i);
  for (std::size_t i = low; i-- > 0;) {
    if (!term(i)) break;
  }
  for (std::size_t i = high + 1; i <= group(); ++i) {
    if (!term(i)) break;
  }
}

TiltedSum BinomialMixture::tilted(double x) const {
  const std::size_t top = peak(x);
  const auto best = static_cast<double>(top);
  double sum = 0, hits = 0, terms = 0, noise = 0;
  for_terms(top, top, [&](std::size_t i) {
    const auto n = static_cast<double>(i);
    // Exponents are taken relative to the largest: differences lose nothing where the exponents are large.
    const double lift = log_weight_[i] - log_weight_[top], bend = (n - best) * (x - 0.5 * (n + best)) * inv_s2_;
    const double term = std::exp(lift + bend);
    sum += term;
    hits += term * n;
    noise += term * 5 * (std::abs(lift) + std::abs(bend));
    ++terms;
    return term > binomial_mixture_file::negligible * sum;
  });
  const double rounding = noise / sum + terms + binomial_mixture_file::base_noise + 2 * std::abs(log_weight_[top]);
  const double off = (x - best) * (x - best) * 0.5 * inv_s2_, log_sum = std::log(sum);
  return {.log_sum = exponent(top, x) + log_sum,
          .error = exponent_error(top, x) + rounding * unit_roundoff,
          .mean = hits / sum,
          .log_density = log_weight_[top] - off + log_sum,
          .log_density_error = (rounding + 6 * off) * unit_roundoff};
}

SmallSum BinomialMixture::excess(double x) const {
  const std::size_t top = peak(x);
  const std::size_t low = std::max<std::size_t>(1, std::min(top, likeliest_)), high = std::max({top, likeliest_, low});
  SmallSum sum;
  double size = 0, terms = 0;
  for_terms(low, high, [&](std::size_t i) {
    if (i == 0) return false;
    const auto n = static_cast<double>(i);
    const double tilt = n * (x - 0.5 * n) * inv_s2_;
    // In w_i exp(tilt), w_i may be too small for a double, and exp(tilt) too large.
    const bool large = tilt > binomial_mixture_file::large_tilt;
    const double grown = large ? 0 : std::expm1(tilt);
    const double tilted = large ? std::exp(log_weight_[i] + tilt) : weight_[i] * (1 + grown);
    const double term = large ? tilted - weight_[i] : weight_[i] * grown;
    sum.value += term;
    size += std::abs(term);
    const double moved = 5 * n * (std::abs(x) + 0.5 * n) * inv_s2_;  // the rounding of the tilt
    sum.error += std::abs(term) * (2 * std::abs(log_weight_[i]) + binomial_mixture_file::base_noise) + tilted * moved;
    ++terms;
    // Both w_i and w_i exp(tilt) have passed their peaks.
    return weight_[i] + tilted > binomial_mixture_file::negligible * size;
  });
  sum.error = (sum.error + terms * size) * unit_roundoff;
  return sum;
}

SmallSum BinomialMixture::difference(double x, double log_scale) const {
  const std::size_t top = std::max<std::size_t>(1, peak(x));
  SmallSum sum;
  double terms = 0;
  for_terms(top, top, [&](std::size_t i) {
    const auto n = static_cast<double>(i);
    const double turn = n * x * inv_s2_;
    // 2 sinh(t) exp(-t) = -expm1(-2t)
    const double term = std::exp(exponent(i, x) - log_scale) * -std::expm1(-2 * turn);
    sum.value += term;
    sum.error += term * exponent_error(i, x);
    ++terms;
    return term > binomial_mixture_file::negligible * sum.value;
  });
  sum.error += terms * sum.value * unit_roundoff;
  return sum;
}

}  // namespace renyi::sampling
