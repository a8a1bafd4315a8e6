#include "sampling/bounds/without_replacement_bound.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mechanism/linear_divergence_curve.h"
#include "renyi/sampling_bounds.h"
#include "sampling/bounds/binomial_terms.h"
#include "sampling/bounds/logarithms.h"

namespace renyi::sampling {

namespace {

constexpr long double ln_2 = std::numbers::ln2_v<long double>;

// ln of min{4 (e^k - 1), e^k min{2, ratio^2}}, k = D_2.
long double second_term(double k, long double log_ratio) {
  return std::min(2 * ln_2 + log_expm1(k), k + std::min(ln_2, 2 * log_ratio));
}

}  // namespace

WithoutReplacementBound::WithoutReplacementBound(const std::shared_ptr<const Curve>& step, double rate)
    : WholeOrderCurve(step),
      rate_(rate),
      moments_([step](double z) { return step_worst_log_moment(*step, z); }),
      log_ratio_(log_expm1(step->worst_max_loss().upper())),
      largest_(mixed_log_moment(step->worst_max_loss().upper(), rate)) {}

// Wang, Balle, Kasiviswanathan 2019 (arXiv:1808.00087), Theorem 9, with ratio = e^D_inf - 1:
//   E_Q[(P/Q)^n] <= 1 + g^2 C(n,2) min{4 (e^D_2 - 1), e^D_2 min{2, ratio^2}}
//                     + sum_(j=3..n) g^j C(n,j) e^((j-1) D_j) min{2, ratio^j}
double WithoutReplacementBound::log_moment_at_whole(std::size_t n, Direction) const {
  const WholeMoments::Values k = moments_.up_to(n);
  const long double in = std::log(static_cast<long double>(rate_));
  LogSum sum;
  BinomialLog choose(n);
  for (std::size_t j = 2; j <= n; ++j, choose.next()) {
    const auto chosen = static_cast<long double>(j);
    const long double spread = std::min(ln_2, chosen * log_ratio_);
    const long double moment = j == 2 ? second_term((*k)[2], log_ratio_) : (*k)[j] + spread;
    const long double size = 8 + std::abs(chosen * in) + std::abs(moment) + (*k)[j];
    sum.add(choose.value() + chosen * in + moment, choose.error() + 8 * log_epsilon * size);
  }
  return log1p_exp_up(sum.upper(), 0);
}

double WithoutReplacementBound::divergence_at_any(double order, Direction) const {
  const double k = step_worst_log_moment(step(), order - 1);
  return mixed_divergence(k, order == 1 ? rdp(step(), 1).upper() : 0, rate_, order);
}

}  // namespace renyi::sampling

namespace renyi {

std::shared_ptr<const Curve> without_replacement_bound(std::shared_ptr<const Curve> step, double rate) {
  sampling::check_sampled(step, rate);
  if (rate == 1) return step;
  if (rate == 0) return std::make_shared<mechanism::LinearDivergenceCurve>(0, 0);
  return std::make_shared<sampling::WithoutReplacementBound>(step, rate);
}

}  // namespace renyi
