// The meaning of a guarantee, as probabilities: of bad outcomes, of Bayes factors, and for groups of records
// (docs/math/guarantees.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/cost.h"
#include "renyi/extras/curve.h"
#include "renyi/extras/privacy_loss.h"
#include "renyi/interval.h"
#include "renyi/plan.h"

namespace renyi {

// Options of `explain`.
struct ExplainOptions {
  std::vector<double> baselines{0.5, 0.1, 0.01, 1e-3, 1e-6};  // probabilities of bad outcomes, in (0, 1)
  std::vector<double> orders{2, 8, 32};                       // orders of Renyi divergences
  std::vector<double> factors{2, 10, 100};                    // Bayes factors, at least 1
  std::optional<double> delta{};                              // adds what (epsilon, delta)-DP at this delta implies
  std::optional<std::int64_t> group_size{};                   // adds Explanation::group; from 2 to 2^most_doublings
                                                              // (renyi/extras/group_privacy.h)
  bool exact = true;                                          // also computes exact intervals where they are available
};

// What the Renyi divergence of one order implies. R_prior and R_post are the odds that an adversary gives to the true
// dataset against a neighbour, before and after seeing the output.
struct OrderPromise {
  double order = 1;
  double epsilon = 0;       // the plan satisfies (order, epsilon)-RDP
  double bayes_moment = 1;  // an upper bound on the expectation of (R_post / R_prior)^(order - 1); may be infinite
};

// A lower or upper bound on the probability of a bad outcome, and the order that gives it.
struct OutcomeEnd {
  double probability = 0;
  double order = 1;
  bool by_complement = false;  // the bound follows from that on the opposite event
};
// A lower and an upper bound on the probability of a bad outcome.
struct OutcomeRange {
  OutcomeEnd lower;
  OutcomeEnd upper;
};

// A bad outcome is an event that a person fears. If it has the probability `baseline` in (0, 1) on one dataset, its
// probability on every neighbouring dataset lies in each of these intervals.
struct OutcomePromise {
  double baseline = 0;
  OutcomeRange best;                      // from the Renyi divergences, each bound at its best order, also infinity
  std::vector<Interval> at_orders{};      // one for each of ExplainOptions::orders
  std::optional<Interval> pure{};         // from pure DP; not set if no bound on the privacy loss is known
  std::optional<Interval> approximate{};  // from (epsilon, delta)-DP at ExplainOptions::delta; not set without it
  std::optional<Interval> exact{};        // from the trade-off function, the narrowest; not set if not available

  // Returns the exact interval or, if it is not available, the one from the Renyi divergences.
  [[nodiscard]] Interval range() const {
    return exact.value_or(Interval{best.lower.probability, best.upper.probability});
  }
};

// The Bayes factor R_post / R_prior is the factor by which the output multiplies the odds that an adversary gives to
// the true dataset against a neighbour. This is the probability that the factor exceeds `factor`.
struct BayesTail {
  double factor = 1;
  RenyiBound bound;  // from the Renyi divergences
  std::optional<TailProbability> exact{};
  std::string exact_obstacle{};  // why the exact probability was requested but is not available; empty otherwise

  // Returns the smallest upper bound on the probability.
  [[nodiscard]] double upper() const { return exact ? exact->upper : bound.upper; }
};

// The guarantee for a group of records at one order.
struct GroupOrder {
  double order = 1;       // the order of the guarantee for the group
  double from_order = 1;  // the order of the guarantee for one record that implies it
  double epsilon = 0;     // the group has (order, epsilon)-RDP
};
// The guarantees for a group of records.
struct GroupPromise {
  std::int64_t size = 2;
  int doublings = 1;  // the smallest number with size <= 2^doublings
  std::vector<GroupOrder> orders{};
  double pure_epsilon = 0;                  // `size` times the pure epsilon of one record; may be infinite
  std::optional<RenyiBound> approximate{};  // the epsilon that group_privacy implies at ExplainOptions::delta
  std::optional<Cost> scaled{};             // the epsilon at ExplainOptions::delta if every step is analysed for the
                                            // group; not set if a step cannot be
};

// A step of the plan, or of a group of its steps, and its share of a Renyi divergence.
struct StepShare {
  std::string path{};  // "steps[0]", or "steps[1].plan[2]" for a step of a group
  int depth = 0;       // how many groups the step is in
  std::string name{};  // as in the plan
  std::string comment{};
  std::string mechanism{};        // the kind of the mechanism ("laplace", "parallel", "select"), "group" for a group of
                                  // steps, and the name of a custom mechanism
  std::int64_t count = 1;         // how often it runs, or how often it runs in a run of its group
  Bounded divergence{};           // the divergence of all its runs together; may be infinite
  std::optional<double> share{};  // its part of the whole; not set if there is none
};

// How the steps of a plan share its Renyi divergence at one order: divergences add up, so the shares of the steps with
// depth 0 have the sum 1, and those of the steps of a group have the sum of the group, up to rounding. Where the
// privacy loss may be infinite, the divergences are those of the finite parts, as in the Renyi bound. A share describes
// that bound at that order, and bounds nothing itself (docs/math/guarantees.md, "Shares").
struct StepShares {
  double order = 1;                         // the order of the Renyi bound
  Direction direction = Direction::remove;  // the direction with the larger divergence at this order
  Bounded divergence{};                     // the divergence of the whole plan in this direction
  bool of_finite_parts = false;             // some loss may be infinite, and is left out
  std::vector<StepShare> steps{};           // in the order of the plan; the steps of a group follow below it
  std::string unavailable{};                // why no step has a share; empty if they have
};

// Computes the shares of the steps at the order of a Renyi bound of the plan, as `epsilon` or `delta` returned it.
//
//     const renyi::Cost cost = renyi::epsilon(plan, 1e-5);
//     for (const renyi::StepShare& step : renyi::step_shares(plan, *cost.renyi).steps) {
//       std::cout << step.name << " " << step.share.value_or(0) << "\n";
//     }
[[nodiscard]] StepShares step_shares(const Analysis& analysis, const RenyiBound& bound);

// The result of `explain`.
struct Explanation {
  std::vector<OrderPromise> orders;         // one for each of ExplainOptions::orders
  std::vector<OutcomePromise> outcomes;     // one for each of ExplainOptions::baselines
  std::string exact_obstacle{};             // why exact intervals of outcomes were requested but are not available
  Standing standing = Standing::dominated;  // what the exact intervals are exact for
  double pure_epsilon = 0;                  // infinite if no bound on the privacy loss is known
  bool is_unbounded = false;                // the privacy loss is known to be unbounded
  std::optional<Cost> approximate{};        // the epsilon at ExplainOptions::delta
  double expected_log_bayes_factor = 0;     // upper bound
  double largest_bayes_factor = 1;          // exp(pure_epsilon); may be infinite
  std::vector<BayesTail> bayes_tails;       // one for each of ExplainOptions::factors
  std::optional<GroupPromise> group{};      // set if ExplainOptions::group_size is
  std::optional<StepShares> shares{};       // at the order of the Renyi bound of `approximate`; set if that is

  // Returns standing_note(standing), or an empty text if there are no exact intervals.
  [[nodiscard]] std::string_view note() const {
    return exact_obstacle.empty() ? standing_note(standing) : std::string_view{};
  }
};

// Computes what the guarantees of the plan mean for a person whose record is in the dataset. Throws InvalidArgument if
// an option is out of range.
//
//     const renyi::Explanation explanation = renyi::explain(plan, {.baselines = {1e-3}});
//     explanation.outcomes[0].range().upper;  // a bad outcome of probability 1/1000 gets at most this probability
[[nodiscard]] Explanation explain(const Analysis& analysis, const ExplainOptions& options = {});

// Returns exp(epsilon), rounded up: under pure epsilon-DP, no probability and no odds grow by a larger factor. The
// result is 1 at epsilon 0, and may be infinite.
//
//     renyi::largest_factor(1);  // 2.718...
[[nodiscard]] double largest_factor(double epsilon);

// A property that the guarantees of every plan have, as text.
struct Property {
  std::string_view name;
  std::string_view statement;
  std::string_view source;
};
// Returns these properties: post-processing and adaptive composition.
[[nodiscard]] std::span<const Property> standing_properties() noexcept;

}  // namespace renyi
