// The single guarantees that `explain` collects: bad outcomes, Bayes factors, groups of records
// (docs/math/guarantees.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "renyi/explain.h"

namespace renyi {

// The range of a bad outcome from the whole curve: each bound is taken at its best real order, infinity included.
OutcomeRange best_outcome(const Curve& curve, double baseline);

// The tightest possible ranges for steps whose parameters are fixed in advance: f(1 - p) and 1 - f(p) of the plan's
// trade-off function. A range does not depend on which other baselines are requested. Throws Unsupported if there are
// no exact answers.
std::vector<Interval> exact_outcomes(const Analysis& analysis, std::span<const double> baselines,
                                     const ExactOptions& options = {});

// Upper bound on the expectation of (R_post / R_prior)^(order - 1); may be infinite.
double bayes_moment(const Curve& curve, double order);
// Upper bound on the probability that the odds grow more than `factor` (at least 1) times.
RenyiBound bayes_tail(const Curve& curve, double factor);

// The same probability computed from the privacy loss distribution, in the direction in which it is larger.
class ExactBayesTails {
 public:
  explicit ExactBayesTails(const Analysis& analysis);

  // Returns std::nullopt if neither a closed form nor an integral gives it.
  std::optional<TailProbability> operator()(double factor) const;
  // Returns why there is no such probability at any factor; empty if there may be one.
  const std::string& obstacle() const noexcept { return obstacle_; }

 private:
  std::vector<PrivacyLoss> losses_{};  // one per direction
  std::string obstacle_{};
};

// Returns the plan for groups of `size` of its units, if every step can be analysed for them (sensitivity or pure
// epsilon times size, sampled Gaussians by the group's mixture): this is tighter than group_privacy. Returns
// std::nullopt if a step cannot.
std::optional<Plan> scaled_to_group(const Plan& plan, std::int64_t size);

}  // namespace renyi
