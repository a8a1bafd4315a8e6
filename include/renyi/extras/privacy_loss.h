// The distribution of the privacy loss of a plan: its moments and tail probabilities (docs/math/privacy-loss.md). The
// privacy loss is L = ln(P(x)/Q(x)), where x is drawn from P; the losses of all steps add.
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

// The method that computed a tail probability.
enum class LossMethod {
  closed_form,  // a formula, for one step, Gaussian steps only, or one binary randomized response
  contour,      // the inverse Laplace integral of exp(K), where K is the log-moment curve
  lattice,      // the slope of the exact privacy profile delta(epsilon)
  chernoff,     // bounds from the curve alone, if the privacy loss is not known or no other method applies
};
// Returns the name of the method.
[[nodiscard]] std::string_view to_string(LossMethod method) noexcept;

// A tail probability of the privacy loss, and the method that computed it.
struct TailProbability : Interval {
  LossMethod method = LossMethod::chernoff;
};

// The privacy loss of a plan in one direction.
//
//     const renyi::PrivacyLoss loss(plan, renyi::Direction::remove);
//     loss.mean().upper();     // the expectation of the privacy loss
//     loss.at_least(2).upper;  // the probability that the privacy loss is at least 2
class PrivacyLoss {
 public:
  // If no closed form and no integral gives a tail probability, it is computed from the slope of delta, which may take
  // seconds. If `by_slope` is false, or there is no slope, Chernoff's bound is used instead.
  PrivacyLoss(const Analysis& analysis, Direction direction, bool by_slope = true);

  // Returns whether the privacy loss distribution is known, and not just bounds on its moments. It is not known if only
  // a dominating pair of a step is known, as for shuffled epochs, since a dominating pair may have thinner tails.
  [[nodiscard]] bool known() const noexcept { return known_; }
  // Returns E[L], the divergence of order 1. It is an upper bound if the privacy loss is not known.
  [[nodiscard]] Bounded mean() const;
  // Returns the mean, the variance and the third central moment. Throws Unsupported if the privacy loss is not known.
  [[nodiscard]] Cumulants cumulants() const;
  // Returns the third central moment divided by the variance to the power 3/2. Returns std::nullopt if the privacy loss
  // is constant, or varies so little that the variance is lost in rounding.
  [[nodiscard]] std::optional<Interval> skewness() const;
  // Returns ln E[exp(s L)] for s >= 0. It is an upper bound if the privacy loss is not known, and may be infinite.
  [[nodiscard]] Bounded log_moment(double s) const;

  // Returns Pr[L >= t] for finite t.
  [[nodiscard]] TailProbability at_least(double t) const;
  // Returns Pr[|L| <= epsilon] for epsilon >= 0. If it is at least 1 - delta, the plan is (epsilon, delta)-DP in this
  // direction; this condition is sufficient, but not necessary.
  [[nodiscard]] TailProbability within(double epsilon) const;

 private:
  // Returns Pr[L < -s], the lower tail.
  TailProbability below(double s) const;

  std::vector<CountedMechanism> steps_;
  std::shared_ptr<const Curve> curve_;
  Direction direction_;
  bool known_;
  std::shared_ptr<const exact::SlopeTails> slopes_{};  // set if the privacy loss is known
};

}  // namespace renyi
