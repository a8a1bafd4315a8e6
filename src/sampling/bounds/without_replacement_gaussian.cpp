// Wang, Balle, Kasiviswanathan 2019, Theorem 27, for the Gaussian (docs/math/sampling-bounds.md).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "renyi/error.h"
#include "renyi/sampling_bounds.h"
#include "sampling/bounds/binomial_terms.h"
#include "sampling/bounds/chi_moment.h"
#include "sampling/bounds/logarithms.h"
#include "sampling/bounds/whole_order_curve.h"

namespace renyi {

namespace {

using sampling::log_epsilon;
using sampling::log_expm1;

constexpr long double ln_2 = std::numbers::ln2_v<long double>;

void check(double noise_multiplier, double rate, double order) {
  if (!(noise_multiplier >= 0.01 && noise_multiplier <= 1e6)) {
    throw InvalidArgument("noise_multiplier", fmt::format("{}", noise_multiplier), "a number in [0.01, 1e6]");
  }
  if (!(rate >= 0 && rate <= 1)) throw InvalidArgument("rate", fmt::format("{}", rate), "a number in [0, 1]");
  constexpr auto most = static_cast<double>(sampling::most_whole_order);
  if (!(order >= 2 && order <= most && order == std::floor(order))) {
    throw InvalidArgument("order", fmt::format("{}", order), fmt::format("a whole number in [2, {}]", most));
  }
}

// Element i is ln E_q[(p/q - 1)^(2i)], i >= 1, up to the even number that is not below n.
std::vector<sampling::LogValue> even_moments(double noise_multiplier, std::size_t n) {
  std::vector<sampling::LogValue> b(1);
  while (2 * (b.size() - 1) < n) b.push_back(sampling::log_chi_moment(noise_multiplier, 2 * b.size()));
  return b;
}

}  // namespace

//   E_Q[(P/Q)^n] <= 1 + g^2 C(n,2) min{4 (e^D_2 - 1), 2 e^D_2}
//                     + 4 sum_(j=3..n) g^j C(n,j) sqrt(B(2 floor(j/2)) B(2 ceil(j/2))),  B(l) = E_q[(p/q - 1)^l]
Bounded without_replacement_gaussian_bound(double noise_multiplier, double rate, double order) {
  check(noise_multiplier, rate, order);
  if (rate == 0) return {};
  const auto n = static_cast<std::size_t>(order);
  const long double s = noise_multiplier, d2 = 1 / (s * s), in = std::log(static_cast<long double>(rate));
  const std::vector<sampling::LogValue> b = even_moments(noise_multiplier, n);
  sampling::LogSum sum;
  sampling::BinomialLog choose(n);
  for (std::size_t j = 2; j <= n; ++j, choose.next()) {
    const auto chosen = static_cast<long double>(j);
    const sampling::LogValue low = b[j / 2], high = b[(j + 1) / 2];
    const long double second = std::min(2 * ln_2 + log_expm1(d2), ln_2 + d2);
    const long double moment = j == 2 ? second : 2 * ln_2 + (low.value + high.value) / 2;
    const long double error = j == 2 ? 4 * log_epsilon * d2 : (low.error + high.error) / 2;
    const long double size = 8 + std::abs(chosen * in) + std::abs(moment);
    sum.add(choose.value() + chosen * in + moment, error + choose.error() + 8 * log_epsilon * size);
  }
  return {sampling::divergence_up(sampling::log1p_exp_up(sum.upper(), 0), order), 0};
}

}  // namespace renyi
