// The privacy loss itself: L = ln(P(x)/Q(x)) with x ~ P, the sum over all steps
// (docs/math/privacy-loss.md).
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "renyi/extras/curve.h"
#include "renyi/interval.h"
#include "renyi/plan.h"

namespace renyi {

namespace exact {
class SlopeTails;
}

// How a probability was found.
enum class LossMethod {
  closed_form,  // one step, Gaussians only, or one binary randomized response
  contour,      // the inverse Laplace integral of exp(K)
  lattice,      // the slope of the exact delta(epsilon)
  chernoff,     // bounds from the curve alone: the loss is not known, or nothing else serves it
};
std::string_view to_string(LossMethod method) noexcept;

// The probability of a tail of the loss.
struct TailProbability : Interval {
  LossMethod method = LossMethod::chernoff;
};

// The loss of a plan in one direction.
class PrivacyLoss {
 public:
  // Where no integral serves, tails are found by the slope of delta, which may take seconds; or by Chernoff's bound.
  PrivacyLoss(const Analysis& analysis, Direction direction, bool by_slope = true);

  // Whether the law of the loss is known, not just bounds on its moments. Of steps that only a pair of laws dominates,
  // such as on a hidden batch, it is not: a dominating pair may have thinner tails.
  bool known() const noexcept { return known_; }
  // E[L]: the divergence of order 1. An upper bound when the loss is not known.
  Bounded mean() const;
  // Mean, variance and third central moment. Throws Unsupported when the loss is not known.
  Cumulants cumulants() const;
  // The third central moment over the variance to 3/2; nothing where the loss does not vary,
  // or so little that rounding hides it.
  std::optional<Interval> skewness() const;
  // ln E[exp(s L)] at s >= 0. Upper bounds when the loss is not known; may be infinite.
  Bounded log_moment(double s) const;

  // Pr[L >= t] for finite t.
  TailProbability at_least(double t) const;
  // Pr[|L| <= epsilon], epsilon >= 0. At least 1 - delta is sufficient for (epsilon, delta)-DP,
  // not necessary.
  TailProbability within(double epsilon) const;

 private:
  // Pr[L < -s], the other tail.
  TailProbability below(double s) const;

  std::vector<CountedMechanism> steps_;
  std::shared_ptr<const Curve> curve_;
  Direction direction_;
  bool known_;
  std::shared_ptr<const exact::SlopeTails> slopes_{};  // where the law of the loss is known
};

}  // namespace renyi
