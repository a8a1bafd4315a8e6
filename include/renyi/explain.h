// What a guarantee promises, in probabilities a person can weigh (docs/math/promises.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/account.h"
#include "renyi/analysis.h"
#include "renyi/cost.h"
#include "renyi/extras/curve.h"
#include "renyi/exact.h"
#include "renyi/extras/privacy_loss.h"
#include "renyi/plan.h"
#include "renyi/extras/group_privacy.h"

namespace renyi {

// ---- Bad outcomes: an event that has probability `baseline` in (0, 1) on one
// dataset has a probability in [lower, upper] on every neighbour of it.

struct ProbabilityRange {
  double lower = 0;  // rounded down
  double upper = 1;  // rounded up
};

// From (order, epsilon)-RDP alone, in the published form.
ProbabilityRange outcome_at_order(double order, double epsilon, double baseline);
// From (epsilon, delta)-DP; delta = 0 is pure DP.
ProbabilityRange outcome_by_dp(double epsilon, double delta, double baseline);

// One end of the range, and what proved it.
struct OutcomeEnd {
  double probability = 0;
  double order = 1;
  bool by_complement = false;  // read off the bound on the opposite event
};
struct OutcomeRange {
  OutcomeEnd lower;
  OutcomeEnd upper;
};
// From the whole curve: each end at its best real order, infinity included.
OutcomeRange best_outcome(const Curve& curve, double baseline);

// The best there is, for steps whose parameters are fixed in advance: f(1 - p) and 1 - f(p) of the
// plan's trade-off function. A range does not depend on which others are asked for. Unsupported where ExactAccountant
// is.
std::vector<ProbabilityRange> exact_outcomes(const Analysis& analysis, std::span<const double> baselines,
                                             const ExactOptions& options = {});

// ---- Bayes factor: someone weighs the true dataset against a neighbour. The results
// multiply the odds of the truth by R_post / R_prior.

// Upper bound on the expectation of (R_post / R_prior)^(order - 1); may be infinite.
double bayes_moment(const Curve& curve, double order);
// Upper bound on the probability that the odds grow more than `factor` (at least 1) times.
DeltaBound bayes_tail(const Curve& curve, double factor);

// That probability by the law of the loss, in whichever direction it is larger.
class ExactBayesTails {
 public:
  explicit ExactBayesTails(const Analysis& analysis);

  // Nothing where no closed form and no integral gives it.
  std::optional<Probability> operator()(double factor) const;
  // Why there is none at any factor; empty where there may be.
  const std::string& obstacle() const noexcept { return obstacle_; }

 private:
  std::vector<PrivacyLoss> losses_{};  // one a direction
  std::string obstacle_{};
};

// ---- Groups of records: renyi/extras/group_privacy.h.

// The plan seen by groups of `size` of its units, where every step is analysed for them (sensitivity or pure epsilon
// times size, sampled Gaussians by the group's mixture): tighter than group_privacy. Else nothing.
std::optional<Plan> scaled_to_group(const Plan& plan, std::int64_t size);

// ---- All of it for a plan.

struct ExplainOptions {
  std::vector<double> baselines{0.5, 0.1, 0.01, 1e-3, 1e-6};
  std::vector<double> orders{2, 8, 32};
  std::vector<double> factors{2, 10, 100};
  std::optional<double> delta{};             // adds the columns of (epsilon, delta)-DP
  std::optional<std::int64_t> group_size{};  // 2 to 2^most_doublings; adds the group
  bool exact = true;                         // exact figures too, wherever there are any
};

struct OrderPromise {
  double order = 1;
  double epsilon = 0;  // (order, epsilon)-RDP
  double bayes_moment = 1;
};
struct OutcomePromise {
  double baseline = 0;
  OutcomeRange best;
  std::vector<ProbabilityRange> at_orders{};  // one for each of the options' orders
  std::optional<ProbabilityRange> pure{};     // nothing: no bound on the loss is known
  std::optional<ProbabilityRange> approximate{};
  std::optional<ProbabilityRange> exact{};

  // The narrowest that is known.
  ProbabilityRange range() const {
    return exact.value_or(ProbabilityRange{best.lower.probability, best.upper.probability});
  }
};
struct BayesTail {
  double factor = 1;
  DeltaBound bound;  // from the curve
  std::optional<Probability> exact{};
  std::string exact_obstacle{};  // why there is none although it was asked for

  double upper() const { return exact ? exact->upper : bound.delta; }
};
struct GroupOrder {
  double order = 1;       // the group's
  double from_order = 1;  // the one of a single record it is read off
  double epsilon = 0;
};
struct GroupPromise {
  std::int64_t size = 2;
  int doublings = 1;  // size <= 2^doublings
  std::vector<GroupOrder> orders{};
  double pure_epsilon = 0;                    // size times that of one record; may be infinite
  std::optional<EpsilonBound> approximate{};  // by group_privacy, at the options' delta
  std::optional<Cost> scaled{};               // by scaled_to_group, at the options' delta
};
struct Explanation {
  std::vector<OrderPromise> orders;
  std::vector<OutcomePromise> outcomes;
  std::string exact_obstacle{};             // why outcomes have no exact range although it was asked for
  Standing standing = Standing::dominated;  // of all exact figures
  double pure_epsilon = 0;                  // infinite: no bound on the loss is known
  bool is_unbounded = false;                // and it is known that there is none
  std::optional<Cost> approximate{};        // epsilon at the options' delta
  double expected_log_bayes_factor = 0;     // upper bound
  double largest_bayes_factor = 1;          // exp(pure_epsilon); may be infinite
  std::vector<BayesTail> bayes_tails;
  std::optional<GroupPromise> group{};
};
Explanation explain(const Analysis& analysis, const ExplainOptions& options = {});

// What holds of every plan, in words.
struct Property {
  std::string_view name;
  std::string_view statement;
  std::string_view source;
};
std::span<const Property> standing_properties() noexcept;

// ---- The published example: epsilon = 0.1 at three orders and three baselines.

struct ReferenceRow {
  double baseline = 0;
  double order = 1;
  ProbabilityRange range;
};
inline constexpr double reference_epsilon = 0.1;
std::vector<ReferenceRow> reference_table();

}  // namespace renyi
