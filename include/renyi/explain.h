// What a guarantee promises, in probabilities a person can weigh (docs/math/guarantees.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/cost.h"
#include "renyi/extras/privacy_loss.h"
#include "renyi/interval.h"
#include "renyi/plan.h"

namespace renyi {

struct ExplainOptions {
  std::vector<double> baselines{0.5, 0.1, 0.01, 1e-3, 1e-6};
  std::vector<double> orders{2, 8, 32};
  std::vector<double> factors{2, 10, 100};
  std::optional<double> delta{};             // adds the columns of (epsilon, delta)-DP
  std::optional<std::int64_t> group_size{};  // 2 to 2^most_doublings (renyi/extras/group_privacy.h); adds the group
  bool exact = true;                         // exact figures too, wherever there are any
};

struct OrderPromise {
  double order = 1;
  double epsilon = 0;       // (order, epsilon)-RDP
  double bayes_moment = 1;  // at least the expectation of (R_post / R_prior)^(order - 1); may be infinite
};

// One end of the range of a bad outcome's probability, and what proved it.
struct OutcomeEnd {
  double probability = 0;
  double order = 1;
  bool by_complement = false;  // read off the bound on the opposite event
};
struct OutcomeRange {
  OutcomeEnd lower;
  OutcomeEnd upper;
};

// Bad outcomes: an event that has probability `baseline` in (0, 1) on one dataset has a probability in these intervals
// on every neighbour of it.
struct OutcomePromise {
  double baseline = 0;
  OutcomeRange best;                  // from the whole Renyi curve: each end at its best order, infinity included
  std::vector<Interval> at_orders{};  // one for each of the options' orders
  std::optional<Interval> pure{};     // nothing: no bound on the loss is known
  std::optional<Interval> approximate{};
  std::optional<Interval> exact{};  // the best there is, from the plan's trade-off function

  // The narrowest interval that is known.
  [[nodiscard]] Interval range() const {
    return exact.value_or(Interval{best.lower.probability, best.upper.probability});
  }
};

// Bayes factor: someone weighs the true dataset against a neighbour. The results multiply the odds of the truth by
// R_post / R_prior, and this is the probability that they grow more than `factor` times.
struct BayesTail {
  double factor = 1;
  RenyiBound bound;  // from the curve
  std::optional<TailProbability> exact{};
  std::string exact_obstacle{};  // why there is none although it was asked for

  [[nodiscard]] double upper() const { return exact ? exact->upper : bound.upper; }
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
  double pure_epsilon = 0;                  // size times that of one record; may be infinite
  std::optional<RenyiBound> approximate{};  // the epsilon by group_privacy, at the options' delta
  std::optional<Cost> scaled{};             // with every step analysed for the group, at the options' delta
};

struct Explanation {
  std::vector<OrderPromise> orders;
  std::vector<OutcomePromise> outcomes;
  std::string exact_obstacle{};             // why outcomes have no exact range although it was asked for
  Standing standing = Standing::dominated;  // whether what was run attains the exact figures
  double pure_epsilon = 0;                  // infinite: no bound on the loss is known
  bool is_unbounded = false;                // and it is known that there is none
  std::optional<Cost> approximate{};        // epsilon at the options' delta
  double expected_log_bayes_factor = 0;     // upper bound
  double largest_bayes_factor = 1;          // exp(pure_epsilon); may be infinite
  std::vector<BayesTail> bayes_tails;
  std::optional<GroupPromise> group{};
};

// Everything that the plan promises to a person.
//
//     const renyi::Explanation promises = renyi::explain(plan, {.baselines = {1e-3}});
//     promises.outcomes[0].range().upper;  // a bad outcome of one in a thousand becomes at most this likely
[[nodiscard]] Explanation explain(const Analysis& analysis, const ExplainOptions& options = {});

// exp(epsilon), rounded up: what pure epsilon lets any probability, and any odds, grow by at most. It is 1 at 0, and
// may be infinite.
[[nodiscard]] double largest_factor(double epsilon);

// What holds of every plan, in words.
struct Property {
  std::string_view name;
  std::string_view statement;
  std::string_view source;
};
[[nodiscard]] std::span<const Property> standing_properties() noexcept;

}  // namespace renyi
