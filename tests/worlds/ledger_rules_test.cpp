// The rules of docs/math/ledger.md on datasets of one or two rows: blocks, trees of scopes and analysts who share no
// answers, against the worst adaptive analyst. The rules that the note calls wrong are exceeded.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include "renyi/filter.h"
#include "support/ledger_accounts.h"

namespace renyi::ledger_rules_test {
namespace {

using test::AdaptiveAnalyst;
using test::BudgetClaim;
using test::LedgerAccounts;
using test::MenuStep;
using test::Outcome;
using test::rounding_of_claims;

// ---- Datasets, and what steps see of them.

// A row lies in one of two blocks. A row that is empty adds nothing to any sum.
struct Row {
  std::size_t block = 0;
  int value = 0;
};
using Data = std::vector<Row>;

constexpr std::array<Row, 4> all_rows{{{0, 0}, {0, 1}, {1, 0}, {1, 1}}};
// What a step reads: the first block, the second one, or both.
constexpr std::array<std::array<bool, 2>, 3> readings{{{true, false}, {false, true}, {true, true}}};

int sum(const Data& data, const std::array<bool, 2>& reads) {
  int result = 0;
  for (const Row& row : data) result += reads[row.block] ? row.value : 0;
  return result;
}

// For each reading, whether a step that asks for a predicate of the sum has different answers on two datasets.
using Difference = std::array<bool, 3>;

void add_differences(const Data& one, const Data& other, std::set<Difference>& found) {
  Difference positive{}, odd{};
  for (std::size_t r = 0; r < readings.size(); ++r) {
    const int x = sum(one, readings[r]), y = sum(other, readings[r]);
    positive[r] = (x > 0) != (y > 0);
    odd[r] = (x % 2) != (y % 2);
  }
  found.insert(positive);
  found.insert(odd);
}

enum class Change {
  remove_a_row,
  empty_a_row,
  replace_a_row,
  replace_a_row_in_its_block,
  remove_a_person,  // a row in each block
  remove_two_rows
};

void add_changes(const Data& rest, const Row& row, Change change, std::set<Difference>& found) {
  Data data = rest;
  data.push_back(row);
  if (change == Change::remove_a_row) return add_differences(data, rest, found);
  for (const Row& other : all_rows) {
    Data changed = rest;
    changed.push_back(other);
    const bool stays = other.block == row.block;
    switch (change) {
      case Change::empty_a_row:
        if (stays && other.value == 0) add_differences(data, changed, found);
        break;
      case Change::replace_a_row: add_differences(data, changed, found); break;
      case Change::replace_a_row_in_its_block:
        if (stays) add_differences(data, changed, found);
        break;
      default:
        changed.push_back(row);
        if (change == Change::remove_two_rows || !stays) add_differences(changed, rest, found);
    }
  }
}

// How the answers differ on two neighbouring datasets, over all neighbours.
std::set<Difference> differences(Change change) {
  std::set<Difference> found;
  for (const Row& row : all_rows) {
    add_changes({}, row, change, found);
    for (const Row& other : all_rows) add_changes({other}, row, change, found);
  }
  found.erase(Difference{});
  return found;
}

// ---- Steps.

MenuStep response(double truth) { return {RandomizedResponse{truth}, {{truth, 1 - truth}, {1 - truth, truth}}}; }

// Reveals the answer with probability delta.
MenuStep leak(double epsilon, double delta) {
  const double low = (1 - delta) / (1 + std::exp(epsilon)), high = low * std::exp(epsilon);
  return {ApproxDp{epsilon, delta}, {{delta, 0}, {high, low}, {low, high}, {0, delta}}};
}

// A step whose answer does not differ has equal laws.
MenuStep without_difference(MenuStep step) {
  for (Outcome& outcome : step.outcomes) outcome.q = outcome.p;
  return step;
}

struct Query {
  MenuStep step;
  std::size_t reading = 0;
};

std::vector<Query> queries(bool infinite) {
  std::vector<Query> result;
  const MenuStep weak = infinite ? leak(std::log(1.5), 0.02) : response(0.6);
  for (std::size_t r = 0; r < readings.size(); ++r) {
    result.push_back({response(0.75), r});
    if (!infinite || r < 2) result.push_back({weak, r});
  }
  return result;
}

std::vector<MenuStep> menu_of(const std::vector<Query>& queries, const Difference& differs) {
  std::vector<MenuStep> menu;
  for (const Query& query : queries) {
    menu.push_back(differs[query.reading] ? query.step : without_difference(query.step));
  }
  return menu;
}

// A budget of each kind that two or three steps exhaust.
std::vector<Budget> budgets(bool infinite) {
  std::vector<Budget> result{Budget::pure(1.55),
                             Budget::zcdp(0.72),
                             Budget::tcdp(0.72, 20),
                             Budget::gdp(1.55),
                             Budget::approx(3.9, 0.05),
                             Budget::order(2, 1.2),
                             Budget::curve({{2, 1.2}, {8, 1.7}}),
                             Budget::shares(3, {{2, 0.05}, {6, 0.05}})};
  if (infinite) {
    for (Budget& budget : result) budget = budget.with_infinite_mass(0.03);
  }
  return result;
}

// ---- Blocks.

enum class Rule {
  parallel,
  add_up,
  forgetful,  // wrong: as in parallel, but a step that reads everything does not count in the second block
};

bool counts_in(std::size_t block, const Query& query, Rule rule) {
  if (rule == Rule::add_up) return true;
  if (rule == Rule::forgetful && block == 1) return query.reading == 1;
  return readings[query.reading][block];
}

LedgerAccounts accounts_of(const std::vector<Query>& queries, const Filter& filter, Rule rule) {
  std::vector<Mechanism> steps;
  for (const Query& query : queries) steps.push_back(query.step.mechanism);
  LedgerAccounts accounts(steps);
  for (std::size_t block = 0; block < 2; ++block) {
    std::vector<bool> counts;
    for (const Query& query : queries) counts.push_back(counts_in(block, query, rule));
    accounts.add(filter, counts);
  }
  return accounts;
}

constexpr std::size_t most_steps = 5;
// The delta at epsilon 1.1 of two responses of truth probability 0.75: both are true, with a loss of 2 ln 3.
const double two_responses = 0.5625 * (1 - std::exp(1.1) / 9);

// What the worst analyst reaches of a budget's claim, over all neighbours. A value above 1 breaks it.
double reached(const Budget& budget, const Adjacency& relation, Change change, Rule rule) {
  const auto steps = queries(budget.infinite_mass > 0);
  LedgerAccounts accounts = accounts_of(steps, Filter(budget, relation), rule);
  const BudgetClaim claim(budget);
  double most = 0;
  for (const Difference& differs : differences(change)) {
    AdaptiveAnalyst analyst = accounts.analyst(menu_of(steps, differs), most_steps);
    most = std::max(most, claim.reached_by(analyst));
  }
  return most;
}

void expect_kept(const Adjacency& relation, Change change, Rule rule) {
  for (const bool infinite : {false, true}) {
    for (const Budget& budget : budgets(infinite)) {
      const double most = reached(budget, relation, change, rule);
      EXPECT_LE(most, 1 + rounding_of_claims) << to_string(budget.kind) << ", mass " << budget.infinite_mass;
      EXPECT_GT(most, 0.05) << to_string(budget.kind);
    }
  }
}

// A wrong rule lets the worst analyst reach more than is claimed.
void expect_exceeded(const Adjacency& relation, Change change, Rule rule = Rule::parallel) {
  for (const Budget& budget : {Budget::pure(1.55), Budget::zcdp(0.72), Budget::tcdp(0.72, 20), Budget::gdp(1.55),
                               Budget::order(2, 1.2), Budget::curve({{2, 1.2}, {8, 1.7}})}) {
    EXPECT_GT(reached(budget, relation, change, rule), 1.2) << to_string(budget.kind);
  }
}

constexpr Adjacency one_record{}, zeroed{Neighbors::zero_out, 1}, replaced{Neighbors::replace_one, 1},
    two_records{Neighbors::add_or_remove_one, 2};

TEST(LedgerBlocks, RunInParallelIfAUnitLiesInOne) {
  expect_kept(one_record, Change::remove_a_row, Rule::parallel);
  expect_kept(zeroed, Change::empty_a_row, Rule::parallel);
}

// Both blocks together admit more steps than one account of the same budget, so that the rule is worth something.
TEST(LedgerBlocks, AdmitMoreThanOneAccount) {
  const auto steps = queries(false);
  const auto longest = [&](Rule rule) {
    LedgerAccounts accounts = accounts_of(steps, Filter(Budget::pure(1.55)), rule);
    return accounts.analyst(menu_of(steps, {true, false, true}), 8).admitted().longest_path();
  };
  EXPECT_EQ(longest(Rule::add_up), 3U);
  EXPECT_EQ(longest(Rule::parallel), 6U);
}

TEST(LedgerBlocks, AReplacedUnitThatMovesChangesTwo) {
  expect_exceeded(replaced, Change::replace_a_row);
  expect_kept(replaced, Change::replace_a_row, Rule::add_up);
  expect_kept(replaced, Change::replace_a_row_in_its_block, Rule::parallel);
}

TEST(LedgerBlocks, APersonWithRowsInSeveralChangesThemAll) {
  expect_exceeded(one_record, Change::remove_a_person);
  expect_kept(one_record, Change::remove_a_person, Rule::add_up);
}

// Two records may lie in two blocks, and an answer that is one bit costs no more for two records than for one.
TEST(LedgerBlocks, TwoRecordsMayLieInTwo) {
  expect_exceeded(two_records, Change::remove_two_rows);
  expect_kept(two_records, Change::remove_two_rows, Rule::add_up);
}

// The second block was declared after a step that reads everything had run, and units that lie in it were there.
TEST(LedgerBlocks, AStepOnEverythingCountsInBlocksOfTheFuture) {
  expect_exceeded(one_record, Change::remove_a_row, Rule::forgetful);
}

// The figures of the note: one response of truth probability 0.75 in each block, which costs ln 3 = 1.0986,
// against a budget of 1.1.
TEST(LedgerBlocks, TwoBlocksThatChangeCostTwiceTheBudget) {
  const Budget budget = Budget::pure(1.1);
  const auto steps = queries(false);
  LedgerAccounts accounts = accounts_of(steps, Filter(budget), Rule::parallel);
  AdaptiveAnalyst analyst = accounts.analyst(menu_of(steps, {true, true, false}), most_steps);
  EXPECT_NEAR(analyst.worst_delta(Direction::remove, budget.epsilon), two_responses, 1e-12);
  EXPECT_NEAR(analyst.worst_delta(Direction::remove, 2 * std::log(3.0)), 0, 1e-12);
}

// ---- Trees. Two scopes, "first" and "second", lie in a parent; each has the steps strong and weak.

constexpr std::size_t scopes = 2;

std::vector<MenuStep> tree_menu(bool infinite) {
  const MenuStep strong = response(0.75), weak = infinite ? leak(std::log(1.5), 0.02) : response(0.6);
  return {strong, weak, strong, weak};
}

LedgerAccounts tree(const Budget& parent, const Budget& first, const Budget& second) {
  LedgerAccounts accounts(test::mechanisms_of(tree_menu(parent.infinite_mass > 0)));
  accounts.add(Filter(parent), {true, true, true, true});
  accounts.add(Filter(first), {true, true, false, false});
  accounts.add(Filter(second), {false, false, true, true});
  return accounts;
}

void expect_every_scope_keeps_its_budget(const Budget& parent, const Budget& first, const Budget& second) {
  const auto all_steps = tree_menu(parent.infinite_mass > 0);
  LedgerAccounts accounts = tree(parent, first, second);
  AdaptiveAnalyst whole = accounts.analyst(all_steps, most_steps);
  const double most = BudgetClaim(parent).reached_by(whole);
  EXPECT_LE(most, 1 + rounding_of_claims) << to_string(parent.kind);
  EXPECT_GT(most, 0.05) << to_string(parent.kind);
  for (std::size_t child = 0; child < scopes; ++child) {
    // The steps of the other child have the same laws in both worlds.
    auto menu = all_steps;
    for (std::size_t s = 0; s < menu.size(); ++s) {
      if (s / 2 != child) menu[s] = without_difference(menu[s]);
    }
    const Budget& budget = child == 0 ? first : second;
    AdaptiveAnalyst part = accounts.analyst(menu, most_steps);
    EXPECT_LE(BudgetClaim(budget).reached_by(part), 1 + rounding_of_claims) << to_string(budget.kind);
  }
}

// Parent and children have budgets of different kinds. The statement about a child is about what its own releases add.
TEST(LedgerTrees, EveryScopeKeepsItsOwnBudget) {
  for (const bool infinite : {false, true}) {
    const auto all = budgets(infinite);
    for (std::size_t i = 0; i < all.size(); ++i) {
      expect_every_scope_keeps_its_budget(all[i], all[(i + 3) % all.size()], all[(i + 5) % all.size()]);
    }
  }
}

// Children whose budgets together exceed the parent's reserve nothing: one may spend all of it.
TEST(LedgerTrees, ChildrenReserveNothing) {
  const Budget budget = Budget::pure(1.55);
  LedgerAccounts accounts = tree(budget, budget, budget);
  EXPECT_TRUE(accounts.admit({1, 1, 0, 0}));
  EXPECT_TRUE(accounts.admit({0, 0, 1, 1}));
  EXPECT_FALSE(accounts.admit({1, 1, 0, 1}));
}

// ---- Analysts who share no answers. Steps: direct ones of the parent, those of the first, those of the second.

std::vector<MenuStep> analysts_menu() { return {response(0.6), response(0.75), response(0.75)}; }

TEST(LedgerAnalysts, EachViewKeepsTheBudgetAndBothTogetherDoNot) {
  for (const Budget& budget : budgets(false)) {
    LedgerAccounts accounts(test::mechanisms_of(analysts_menu()));
    accounts.add(Filter(budget), {true, true, false});
    accounts.add(Filter(budget), {true, false, true});
    const BudgetClaim claim(budget);
    for (const std::size_t other : {std::size_t{1}, std::size_t{2}}) {
      auto menu = analysts_menu();
      menu[other] = without_difference(menu[other]);  // not in the view
      AdaptiveAnalyst view = accounts.analyst(menu, most_steps);
      EXPECT_LE(claim.reached_by(view), 1 + rounding_of_claims) << to_string(budget.kind);
    }
    AdaptiveAnalyst both = accounts.analyst(analysts_menu(), most_steps);
    if (budget.kind != BudgetKind::approx && budget.kind != BudgetKind::shares) {
      EXPECT_GT(claim.reached_by(both), 1.2) << to_string(budget.kind);
    }
    // A direct step counts for both analysts.
    EXPECT_EQ(accounts.admit({1, 1, 0}), accounts.admit({1, 1, 1}));
  }
}

// A refusal by a scope above, which adds up the steps of both analysts, tells one what the other chose. If that was
// chosen by an answer, the answer is shared although nobody told it.
TEST(LedgerAnalysts, ARefusalFromAboveMaySayWhatAnotherAnalystSaw) {
  const double truth = 0.75, epsilon = 1.1;
  const Mechanism step = RandomizedResponse{truth};
  // The second analyst asks once and, if the answer is 1, a second time in another scope. Then the first one asks.
  const auto is_refused = [&](bool second_saw_one) {
    Filter above(Budget::pure(2.3));
    above.charge(step, second_saw_one ? 2 : 1);
    return !above.may_run(step).runs;
  };
  ASSERT_TRUE(is_refused(true));
  ASSERT_FALSE(is_refused(false));
  // The first analyst sees a refusal or an answer.
  const auto view = [&](bool world) {
    const double one = world ? truth : 1 - truth;
    return std::array{one, (1 - one) * (1 - one), (1 - one) * one};
  };
  double delta = 0;
  for (std::size_t i = 0; i < 3; ++i) delta += std::max(0.0, view(false)[i] - std::exp(epsilon) * view(true)[i]);
  EXPECT_NEAR(delta, two_responses, 1e-12);  // the budget of each analyst says 0
}

}  // namespace
}  // namespace renyi::ledger_rules_test
