#include <algorithm>
#include <cmath>

#include "numerics/rounding.h"
#include "sampling/pairs/gaussian_pair.h"
#include "sampling/pairs/normal_pair.h"

namespace renyi::sampling {

namespace {

using numerics::unit_roundoff;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding_up = 1 + 16 * unit_roundoff;

// P = sum_i w_i N(i) against its mirror image.
class OppositeMixtures final : public NormalPair {
 public:
  explicit OppositeMixtures(const GaussianGroup& group) : NormalPair(group, Reading::symmetric) {}

  PairPoint at(double x) const override {
    const double away = std::abs(x);
    const TiltedSum p = mixture().tilted(away), q = mixture().tilted(-away);
    double loss = p.log_sum - q.log_sum, error = p.error + q.error + unit_roundoff * std::abs(loss);
    if (loss < small_loss) {
      const SmallSum excess = mixture().difference(away, q.log_sum);
      loss = std::log1p(excess.value);
      error = excess.error + (q.error + unit_roundoff * (8 + std::abs(q.log_sum))) * excess.value;
    }
    const bool right = x >= 0;
    const TiltedSum &first = right ? p : q, &second = right ? q : p;
    return {.log_q = log_scale() + second.log_density,
            .log_q_error = log_scale_error() + second.log_density_error,
            .log_p = log_scale() + first.log_density,
            .log_p_error = log_scale_error() + first.log_density_error,
            .loss = right ? loss : -loss,
            .loss_error = error,
            .base = -x * inv_s2(),
            .up = first.mean * inv_s2(),
            .down = second.mean * inv_s2()};
  }

  double zero() const override { return 0; }
  Bounded largest_loss() const override { return {infinity, 0}; }
  Bounded largest_fall() const override { return {infinity, 0}; }

  double log_p_above(double x) const override { return log_mixture_above(x); }
  double log_p_below(double x) const override { return log_mixture_below(x); }
  double log_q_above(double x) const override { return log_mixture_below(-x); }
  double log_q_below(double x) const override { return log_mixture_above(-x); }

  // D <= that of N(k) against N(-k) by quasi-convexity; and Q >= w_0 N(0), so D <= D(P||N(0)) - ln w_0.
  FarOut far_out(double z, Direction) const override {
    const double apart = 4 * unsampled(z) * rounding_up;
    return {power_lower(z), std::min(apart, (power_upper(z) - none() * z) * rounding_up)};
  }
  Growth growth() const override { return {-none() * rounding_up, 0.5 * inv_s2() * reach() * reach() * rounding_up}; }
};

}  // namespace

std::shared_ptr<const MonotonePair> opposite_gaussian_pair(const GaussianGroup& group) {
  return std::make_shared<OppositeMixtures>(group);
}

}  // namespace renyi::sampling
