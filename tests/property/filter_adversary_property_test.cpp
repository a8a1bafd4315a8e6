// The worst adaptive analyst against filters of every kind: no history of steps that a filter admits costs more than
// the guarantee of its budget.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/filter.h"
#include "support/adaptive_analyst.h"
#include "support/expect.h"
#include "support/random_inputs.h"
#include "support/random_menu.h"

namespace renyi::filter_adversary_property_test {
namespace {

using test::AdaptiveAnalyst;
using test::both_directions;
using test::RandomInputs;

// What the analysts of many random budgets and menus did.
struct Score {
  int cases = 0;
  int long_paths = 0;  // at least two steps may run
  int adaptive = 0;    // the worst analyst runs a second step
  int refusals = 0;    // the filter refuses a step on some path
  double nearest = 0;  // the largest true delta / claimed delta
  double fullest = 0;  // the largest true log-moment / its limit
};

// The divergence of each order that the budget limits, with its limit.
std::vector<OrderLimit> limits_of(const Budget& budget) {
  std::vector<OrderLimit> limits = budget.limits;
  if (budget.kind != BudgetKind::zcdp && budget.kind != BudgetKind::tcdp) return limits;
  for (const double order : {1.01, 1.3, 2.0, 3.0, 7.0, 20.0, 150.0, 1e4}) {
    if (budget.kind == BudgetKind::zcdp || order <= budget.omega) limits.push_back({order, budget.rho * order});
  }
  if (budget.kind == BudgetKind::tcdp) limits.push_back({budget.omega, budget.rho * budget.omega});
  return limits;
}

bool limits_order(BudgetKind kind) {
  return kind == BudgetKind::zcdp || kind == BudgetKind::tcdp || kind == BudgetKind::order || kind == BudgetKind::curve;
}

// Rounding of sums in double, and of tables of probabilities.
constexpr double slack = 1e-10;

void check_moments(AdaptiveAnalyst& analyst, const Budget& budget, Score& score) {
  for (const OrderLimit& limit : limits_of(budget)) {
    for (const Direction direction : both_directions) {
      const double true_moment = analyst.worst_log_moment(direction, limit.order);
      const double most = (limit.order - 1) * limit.epsilon;
      EXPECT_LE(true_moment, most * (1 + slack) + 5e-15 * limit.order) << "order " << limit.order;
      if (most > 0) score.fullest = std::max(score.fullest, true_moment / most);
    }
  }
}

// `mass` is the part of the claim that infinite losses have.
void check_delta(AdaptiveAnalyst& analyst, double epsilon, double claim, double mass, Score& score) {
  bool adaptive = false;
  for (const Direction direction : both_directions) {
    const double true_delta = analyst.worst_delta(direction, epsilon);
    EXPECT_LE(true_delta, claim * (1 + slack) + 1e-14) << test::name_of(direction) << ", epsilon " << epsilon;
    adaptive = adaptive || analyst.runs_two();
    if (claim > mass + 1e-9 && analyst.runs_two()) {
      score.nearest = std::max(score.nearest, (true_delta - mass) / (claim - mass));
    }
  }
  if (adaptive) ++score.adaptive;
}

void check_case(RandomInputs& random, BudgetKind kind, bool infinite, Score& score) {
  const auto [budget, menu] = test::random_budget_and_menu(random, kind, infinite);
  std::size_t outcomes = 0;
  for (const auto& step : menu) outcomes += step.outcomes.size();
  SCOPED_TRACE(fmt::format("{}, infinite mass {}, {} steps", to_string(kind), budget.infinite_mass, menu.size()));
  AdaptiveAnalyst analyst(Filter(budget), menu, outcomes > 9 ? 4 : 5);
  ++score.cases;
  if (analyst.admitted().longest_path() >= 2) ++score.long_paths;
  if (analyst.admitted().refused() > 0) ++score.refusals;
  check_moments(analyst, budget, score);
  // The target itself, where the budget states one.
  const bool states_target = kind == BudgetKind::pure || kind == BudgetKind::approx || kind == BudgetKind::shares;
  const double m = budget.infinite_mass;
  if (states_target) check_delta(analyst, budget.epsilon, budget.delta + m - budget.delta * m, m, score);
  const double epsilon = random.chance(0.1) ? 0 : random.log_uniform(0.02, 6);
  check_delta(analyst, epsilon, delta(guarantee(budget), epsilon).upper(), m, score);
}

Score run(BudgetKind kind, double share) {
  Score score;
  test::for_random_cases(share, [&](RandomInputs& random) { check_case(random, kind, random.chance(0.35), score); });
  return score;
}

class FilterAdversary : public testing::TestWithParam<BudgetKind> {};

// 0.1 of 3,000 cases for each of the eight kinds.
TEST_P(FilterAdversary, NoAnalystGetsMoreThanTheGuarantee) {
  const Score score = run(GetParam(), 0.1);
  if (score.cases < 300) return;  // too few to judge them
  // The analysts are worth the name: most may run several steps, do so depending on outcomes, are refused at last, and
  // some get nearly all that the guarantee allows.
  EXPECT_GE(score.long_paths, 0.7 * score.cases);
  EXPECT_GE(score.adaptive, 0.5 * score.cases);
  EXPECT_GE(score.refusals, 0.6 * score.cases);
  EXPECT_GE(score.nearest, 0.8);
  if (limits_order(GetParam())) {
    EXPECT_GE(score.fullest, 0.999);
  }
}

Budget four_times(Budget budget) {
  budget.epsilon *= 4;
  budget.rho *= 4;
  budget.mu *= 4;
  for (OrderLimit& limit : budget.limits) limit.epsilon *= 4;
  return budget;
}

// The analysts notice a filter that admits too much: here one with four times the budget.
TEST_P(FilterAdversary, SomeAnalystsBreakAFilterThatAdmitsTooMuch) {
  int cases = 0, broken = 0;
  test::for_random_cases(0.03, [&](RandomInputs& random) {
    const auto [budget, menu] = test::random_budget_and_menu(random, GetParam(), false);
    AdaptiveAnalyst analyst(Filter(four_times(budget)), menu, 5);
    const double epsilon = budget.epsilon > 0 ? budget.epsilon : random.log_uniform(0.02, 6);
    const double claim = budget.epsilon > 0 ? budget.delta : delta(guarantee(budget), epsilon).upper();
    const double most =
        std::max(analyst.worst_delta(Direction::remove, epsilon), analyst.worst_delta(Direction::add, epsilon));
    ++cases;
    if (most > claim * (1 + slack) + 1e-14) ++broken;
  });
  if (cases >= 90) {
    EXPECT_GE(broken, 1);
  }
}

// Lowering and raising the budget below its cap, depending on anything, gets nobody more than the cap allows.
TEST_P(FilterAdversary, AMovingBudgetNeverAdmitsMoreThanTheCap) {
  int moved = 0;
  test::for_random_cases(0.03, [&](RandomInputs& random) {
    const auto [cap, menu] = test::random_budget_and_menu(random, GetParam(), random.chance(0.5));
    Filter filter(cap);
    for (int i = 0; i < 12; ++i) {
      Budget budget = cap;
      if (random.chance(0.6)) budget = budget.with_infinite_mass(random.chance(0.5) ? 0 : 0.5 * cap.infinite_mass);
      if (budget.kind == BudgetKind::zcdp && random.chance(0.5)) budget.rho *= random.uniform();
      for (OrderLimit& limit : budget.limits) limit.epsilon *= random.chance(0.5) ? 1 : random.uniform();
      filter.set_budget(budget);
      if (budget != cap) ++moved;
      try {
        filter.charge(menu[random.below(menu.size())].mechanism);
      } catch (const Unsupported&) {  // an infinite loss, with a budget without its mass
        EXPECT_EQ(budget.infinite_mass, 0);
      }
    }
    if (filter.history().steps().empty()) return;
    filter.set_budget(cap);
    const auto within = [](const Balance& balance) { return balance.spent <= balance.limit + 1e-12 * balance.limit; };
    const auto balances = filter.remaining();
    if (GetParam() == BudgetKind::shares) {
      EXPECT_TRUE(std::any_of(balances.begin(), balances.end(), within));
      EXPECT_TRUE(balances.back().order || within(balances.back()));
    } else {
      EXPECT_TRUE(std::all_of(balances.begin(), balances.end(), within));
    }
  });
  EXPECT_GT(moved, 0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, FilterAdversary, testing::ValuesIn(all_budget_kinds),
                         [](const auto& kind) { return std::string(to_string(kind.param)); });

}  // namespace
}  // namespace renyi::filter_adversary_property_test
