// Two rules that look like filters and are none: an adaptive analyst breaks their target. The real filters keep it
// against the same analysts.
#include <gtest/gtest.h>

#include <cmath>

#include "renyi/cost.h"
#include "renyi/filter.h"
#include "renyi/rdp.h"
#include "support/adaptive_analyst.h"
#include "support/expect.h"

namespace renyi::filter_invalid_rules_test {
namespace {

using test::AdaptiveAnalyst;
using test::AdmittedSteps;
using test::both_directions;
using test::MenuStep;
using Counts = AdmittedSteps::Counts;

constexpr double target_epsilon = 3, target_delta = 1e-5;

MenuStep pair_step(double p, double q) {
  const Pairs pairs{{{p, q}, {1 - p, 1 - q}}};
  return {pairs, {{p, q}, {1 - p, 1 - q}}};
}

// The divergence of an order that proves the target by the tight conversion, with the whole delta.
double full_limit(double order) {
  return target_epsilon + std::log(order / (order - 1)) + std::log(target_delta * order) / (order - 1);
}

double cost(const MenuStep& step, double order) { return rdp(*step.mechanism.curve(), order).upper(); }

// An outcome of this loss, as likely as the rest of an order's limit allows.
MenuStep atom_that_costs(double loss, double order, double rest) {
  double low = 0, high = 1;
  for (int i = 0; i < 80; ++i) {
    const double p = 0.5 * (low + high);
    (cost(pair_step(p, p * std::exp(-loss)), order) <= rest ? low : high) = p;
  }
  return pair_step(low, low * std::exp(-loss));
}

// The first step is an event of probability 1e-3 and loss 0.25. If it happens, the analyst spends the rest of order 64,
// otherwise the rest of order 6, on one outcome whose total loss is where the conversion of that order is tight.
struct Analyst {
  MenuStep first = pair_step(1e-3, 1e-3 * std::exp(-0.25));
  MenuStep after_event = rest_of(64, 0.25);
  MenuStep otherwise = rest_of(6, std::log(first.outcomes[1].p / first.outcomes[1].q));

  [[nodiscard]] MenuStep rest_of(double order, double loss_so_far) const {
    const double total_loss = target_epsilon + std::log(order / (order - 1));
    return atom_that_costs(total_loss - loss_so_far, order, full_limit(order) - cost(first, order));
  }
  [[nodiscard]] std::vector<MenuStep> menu() const { return {first, after_event, otherwise}; }
  // 1 - e^(epsilon - L) = 1/order at that loss.
  [[nodiscard]] double true_delta() const {
    return 1e-3 * after_event.outcomes[0].p / 64 + (1 - 1e-3) * otherwise.outcomes[0].p / 6;
  }
};

double worst(AdaptiveAnalyst analyst, double epsilon) {
  double most = 0;
  for (const Direction direction : both_directions) most = std::max(most, analyst.worst_delta(direction, epsilon));
  return most;
}

TEST(FilterInvalidRules, TheFullDeltaForEveryOrderIsBroken) {
  const Analyst analyst;
  EXPECT_NEAR(analyst.true_delta(), 1.994e-5, 2e-8);
  const auto menu = analyst.menu();
  // Each order by itself with the full delta is a filter; a step that one of them admits is no longer.
  const auto rule = [&](const Counts& counts) {
    const auto keeps = [&](double order) {
      double spent = 0;
      for (std::size_t s = 0; s < menu.size(); ++s) spent += static_cast<double>(counts[s]) * cost(menu[s], order);
      return spent <= full_limit(order) * (1 + 1e-12);
    };
    return keeps(6) || keeps(64);
  };
  const double reached = worst(AdaptiveAnalyst(AdmittedSteps(rule, menu.size(), 2), menu), target_epsilon);
  EXPECT_GE(reached, analyst.true_delta() * (1 - 1e-9));
  EXPECT_GT(reached, 1.99 * target_delta);
}

TEST(FilterInvalidRules, AFilterByLegalSharesRefusesThatAnalyst) {
  const Analyst analyst;
  for (const double part : {0.01, 0.3, 0.5, 0.9}) {
    const Budget budget =
        Budget::shares(target_epsilon, {{6, part * target_delta}, {64, (1 - part) * target_delta * (1 - 1e-15)}});
    EXPECT_LE(budget.delta, target_delta);
    Filter filter(budget);
    EXPECT_TRUE(filter.charge(analyst.first.mechanism).runs);
    EXPECT_FALSE(filter.may_run(analyst.after_event.mechanism).runs &&
                 filter.may_run(analyst.otherwise.mechanism).runs);
    EXPECT_LE(worst(AdaptiveAnalyst(filter, analyst.menu(), 3), target_epsilon), target_delta);
  }
}

// With the full delta for both orders a budget states twice as much, which the analyst nearly reaches.
TEST(FilterInvalidRules, AFullDeltaForEveryOrderIsStatedAsTheirSum) {
  const Analyst analyst;
  const Budget budget = Budget::shares(target_epsilon, {{6, target_delta}, {64, target_delta}});
  EXPECT_GE(budget.delta, 2 * target_delta);
  EXPECT_LE(budget.delta, 2 * target_delta * (1 + 1e-15));
  auto menu = analyst.menu();
  // The filter rounds its limits down.
  for (std::size_t s = 1; s < menu.size(); ++s) {
    const double p = menu[s].outcomes[0].p * (1 - 1e-9);
    menu[s] = pair_step(p, p * menu[s].outcomes[0].q / menu[s].outcomes[0].p);
  }
  const double reached = worst(AdaptiveAnalyst(Filter(budget), menu, 2), target_epsilon);
  EXPECT_GE(reached, 0.996 * budget.delta);
  EXPECT_LE(reached, budget.delta);
}

// A step runs if the exact delta of the history, as if its steps had been fixed in advance, keeps the target.
TEST(FilterInvalidRules, ExactDeltaAsTheStopIsBroken) {
  const std::vector<MenuStep> menu{pair_step(0.8, 0.6), pair_step(0.01, 0.06), pair_step(0.3, 0.5)};
  constexpr double epsilon = 1.5, target = 0.02622;
  const auto exact = [&](const Counts& counts) {
    Plan plan;
    for (std::size_t s = 0; s < menu.size(); ++s) {
      if (counts[s] > 0) plan.add(menu[s].mechanism, static_cast<std::int64_t>(counts[s]));
    }
    return delta(plan, epsilon, {.renyi = false}).exact.value().worst;
  };
  const auto rule = [&](const Counts& counts) { return exact(counts).upper <= target; };
  const AdmittedSteps admitted(rule, menu.size(), 3);
  for (const Counts& counts : admitted.nodes()) {
    if (counts != Counts(menu.size(), 0)) {
      EXPECT_LE(exact(counts).upper, target);
    }
  }
  const double reached = worst(AdaptiveAnalyst(admitted, menu), epsilon);
  EXPECT_NEAR(reached, 0.0406930, 1e-7);
  EXPECT_GT(reached, 1.55 * target);
  // Filters with this target keep it against every analyst of the same steps.
  for (const Budget& budget : {Budget::approx(epsilon, target), Budget::shares(epsilon, {{2, target}}),
                               Budget::shares(epsilon, {{2, target / 2}, {6, target / 2}})}) {
    EXPECT_LE(worst(AdaptiveAnalyst(Filter(budget), menu, 5), epsilon), target) << to_string(budget.kind);
  }
}

}  // namespace
}  // namespace renyi::filter_invalid_rules_test
