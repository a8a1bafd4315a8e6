#include "plan/select/tolls.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"
#include "plan/select/least_at.h"
#include "plan/select/select_curve.h"

namespace renyi::plan {

namespace {

constexpr double formula_rounding = 8 * numerics::unit_roundoff;
constexpr double up = 1 + formula_rounding;
constexpr double smallest_z = 1e-12;

// The least of [K(b-1) + ln(1/gamma)]/b over b in [1, inf]; every b is as valid.
double least_hatted_term(const Curve& one_run, double log_inverse_gamma) {
  double least = std::min(log_inverse_gamma, one_run.worst_max_loss().upper());
  const double last = std::min(one_run.last_order() - 1, largest_order);
  if (!(last > smallest_z)) return least;
  const auto term = [&](double w) {
    const LogMoment k = one_run.worst_log_moment(w);
    return (k.value + k.error + log_inverse_gamma) / (1 + w) * up;
  };
  for (const double w : {least_at(term, smallest_z, last), last}) {
    if (const double here = term(w); here < least) least = here;
  }
  return least;
}

}  // namespace

// D_a of the best <= D_a + (1+eta)(1-1/b) D_b + (1+eta) ln(1/gamma)/b + ln E[K]/(a-1):
//     Papernot, Steinke 2022, Theorem 2; (1-1/b) D_b = K(b-1)/b. b = inf and a = inf: Corollary 3.
std::shared_ptr<const Curve> truncated_binomial_curve(std::shared_ptr<const Curve> one_run,
                                                      const TruncatedBinomial& runs) {
  const double rate = (1 + runs.eta) * least_hatted_term(*one_run, runs.log_inverse_gamma) * up;
  Toll toll{.at = [rate](double z) { return rate * z; }, .steepest = rate, .linear = true};
  return std::make_shared<SelectCurve>(std::move(one_run), std::move(toll), runs.log_mean);
}

// exp((a-1) D_a of the best) <= exp(-mean) + mean exp((a-1)(D_a + mean delta)) with delta that of one run at epsilon =
// ln(1 + 1/(a-1)): Papernot, Steinke 2022, Theorem 6, and beside it the outcome of no run at all.
std::shared_ptr<const Curve> poisson_curve(std::shared_ptr<const Curve> one_run, double mean, DeltaOfOneRun delta) {
  const double once = std::max(0.0, std::log(mean + std::exp(-mean))) + formula_rounding;
  Toll toll{.steepest = mean * delta(0) * up};
  toll.at = [mean, delta = std::move(delta)](double z) {
    return z * mean * delta(std::log1p(1 / z) * (1 - formula_rounding)) * up;
  };
  return std::make_shared<SelectCurve>(std::move(one_run), std::move(toll), once);
}

}  // namespace renyi::plan
