// Bounds for a sample of fixed size without replacement, for a step known by its replace-one curve and for the
// Gaussian: Wang, Balle, Kasiviswanathan 2019, Theorems 9 and 27 (docs/math/sampling-bounds.md, "Without replacement").
// Both directions are the same.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "mechanism/shared_curves.h"
#include "renyi/error.h"
#include "renyi/papers/sampling_bounds.h"
#include "sampling/bounds/chi_moment.h"
#include "sampling/bounds/logarithms.h"
#include "sampling/bounds/whole_order_curve.h"

namespace renyi::sampling {

namespace without_replacement_bound_file {
namespace {

class WithoutReplacementBound final : public WholeOrderCurve {
 public:
  // The rate is in (0, 1).
  WithoutReplacementBound(const std::shared_ptr<const Curve>& step, double rate);

  bool is_symmetric() const override { return true; }

 private:
  double log_moment_at_whole(std::size_t n, Direction direction) const override;
  double divergence_at_any(double order, Direction direction) const override;
  double largest_loss(Direction) const override { return largest_; }

  double rate_;
  WholeMoments moments_;
  long double log_ratio_;  // ln(e^D_inf - 1), where D_inf is that of the step
  double largest_;
};

constexpr long double ln_2 = std::numbers::ln2_v<long double>;

// Computes ln of min{4 (e^k - 1), e^k min{2, ratio^2}}, k = D_2.
long double second_term(double k, long double log_ratio) {
  return std::min(2 * ln_2 + log_expm1(k), k + std::min(ln_2, 2 * log_ratio));
}

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

void check(double noise_multiplier, double rate, double order) {
  if (!(noise_multiplier >= 0.01 && noise_multiplier <= 1e6)) {
    throw InvalidArgument("noise_multiplier", fmt::format("{}", noise_multiplier), "a number in [0.01, 1e6]");
  }
  if (!(rate >= 0 && rate <= 1)) throw InvalidArgument("rate", fmt::format("{}", rate), "a number in [0, 1]");
  constexpr auto most = static_cast<double>(most_whole_order);
  if (!(order >= 2 && order <= most && order == std::floor(order))) {
    throw InvalidArgument("order", fmt::format("{}", order), fmt::format("a whole number in [2, {}]", most));
  }
}

// Element i is ln E_q[(p/q - 1)^(2i)], i >= 1, up to the smallest even number that is at least n.
std::vector<LogValue> even_moments(double noise_multiplier, std::size_t n) {
  std::vector<LogValue> b(1);
  while (2 * (b.size() - 1) < n) b.push_back(log_chi_moment(noise_multiplier, 2 * b.size()));
  return b;
}

}  // namespace
}  // namespace without_replacement_bound_file

}  // namespace renyi::sampling

namespace renyi {

using sampling::log_epsilon;
using sampling::log_expm1;
namespace without_replacement_bound_file = sampling::without_replacement_bound_file;

std::shared_ptr<const Curve> without_replacement_bound(std::shared_ptr<const Curve> step, double rate) {
  sampling::check_sampled(step, rate);
  if (rate == 1) return step;
  if (rate == 0) return std::make_shared<mechanism::LinearDivergenceCurve>(0, 0);
  return std::make_shared<without_replacement_bound_file::WithoutReplacementBound>(step, rate);
}

// Wang, Balle, Kasiviswanathan 2019, Theorem 27, for the Gaussian (docs/math/sampling-bounds.md):
//   E_Q[(P/Q)^n] <= 1 + g^2 C(n,2) min{4 (e^D_2 - 1), 2 e^D_2}
//                     + 4 sum_(j=3..n) g^j C(n,j) sqrt(B(2 floor(j/2)) B(2 ceil(j/2))),  B(l) = E_q[(p/q - 1)^l]
Bounded without_replacement_gaussian_bound(double noise_multiplier, double rate, double order) {
  without_replacement_bound_file::check(noise_multiplier, rate, order);
  if (rate == 0) return {};
  const auto n = static_cast<std::size_t>(order);
  constexpr long double ln_2 = without_replacement_bound_file::ln_2;
  const long double s = noise_multiplier, d2 = 1 / (s * s), in = std::log(static_cast<long double>(rate));
  const std::vector<sampling::LogValue> b = without_replacement_bound_file::even_moments(noise_multiplier, n);
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
