#include "sampling/analyse/binomial.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

#include "numerics/rounding.h"

namespace renyi::sampling {

namespace {

// Of the incomplete beta function in long double, relatively; it grows with its arguments.
double beta_error(double n) { return std::min(1e-10, 4e-16 * (1 + n / 1e4)); }

// Few counts are all listed. Of many, those are that weigh anything at any order of use; the rest count as the largest.
constexpr double few_counts = 32, most_counts = 4096;
constexpr long double negligible = 1e-40L;
// Below this a probability has lost its digits.
constexpr long double least = 1e-290L;

// Beyond the few, several counts go together as the largest of them.
bool is_listed(double k) { return k <= few_counts || std::fmod(k, std::floor(k / 16)) == 0; }

}  // namespace

// Pr[Binomial(n, p) >= k] = I_p(k, n-k+1).
double binomial_tail_up(double n, double p, double k) {
  if (k <= 0 || p == 1) return k <= n ? 1 : 0;
  if (k > n || p == 0) return 0;
  const long double tail =
      boost::math::ibeta(static_cast<long double>(k), static_cast<long double>(n - k + 1), static_cast<long double>(p));
  // A tail below the smallest double is not 0.
  return std::min(1.0, static_cast<double>(tail) * (1 + beta_error(n)) + 1e-300);
}

// Pr[k] = Pr[k-1] (n-k+1)/k p/(1-p), by logarithms: Pr[0] may underflow.
CountLaw count_law(double n, double p) {
  CountLaw law;
  const long double odds = static_cast<long double>(p) / (1 - static_cast<long double>(p));
  long double log_here = static_cast<long double>(n) * std::log1p(-static_cast<long double>(p));
  law.some = std::min(1.0, numerics::next_up(static_cast<double>(-std::expm1(log_here))));
  long double together = 0;
  for (double k = 1; k <= n; ++k) {
    log_here += std::log((n - k + 1) / static_cast<long double>(k) * odds);
    const long double here = std::exp(log_here);
    const bool is_past = k > n * p && here < negligible && k > few_counts;
    if (is_past || k > most_counts) {
      law.counts.push_back({n, binomial_tail_up(n, p, k) + static_cast<double>(together)});
      break;
    }
    together += std::max(here, least);
    if (k < n && !is_listed(k)) continue;
    law.counts.push_back({k, static_cast<double>(together)});
    together = 0;
  }
  return law;
}

}  // namespace renyi::sampling
