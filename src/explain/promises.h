// The single promises that `explain` puts together: bad outcomes, Bayes factors, groups of records
// (docs/math/guarantees.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "renyi/explain.h"

namespace renyi {

// The range of a bad outcome from the whole curve: each end at its best real order, infinity included.
OutcomeRange best_outcome(const Curve& curve, double baseline);

// The best ranges there are, for steps whose parameters are fixed in advance: f(1 - p) and 1 - f(p) of the plan's
// trade-off function. A range does not depend on which others are asked for. Unsupported where there are no exact
// figures.
std::vector<Interval> exact_outcomes(const Analysis& analysis, std::span<const double> baselines,
                                     const ExactOptions& options = {});

// Upper bound on the expectation of (R_post / R_prior)^(order - 1); may be infinite.
double bayes_moment(const Curve& curve, double order);
// Upper bound on the probability that the odds grow more than `factor` (at least 1) times.
RenyiBound bayes_tail(const Curve& curve, double factor);

// That probability by the law of the loss, in whichever direction it is larger.
class ExactBayesTails {
 public:
  explicit ExactBayesTails(const Analysis& analysis);

  // Nothing where no closed form and no integral gives it.
  std::optional<TailProbability> operator()(double factor) const;
  // Why there is none at any factor; empty where there may be.
  const std::string& obstacle() const noexcept { return obstacle_; }

 private:
  std::vector<PrivacyLoss> losses_{};  // one for each direction
  std::string obstacle_{};
};

// The plan seen by groups of `size` of its units, where every step is analysed for them (sensitivity or pure epsilon
// times size, sampled Gaussians by the group's mixture): tighter than group_privacy. Nothing where one is not.
std::optional<Plan> scaled_to_group(const Plan& plan, std::int64_t size);

}  // namespace renyi
