// The scopes of a ledger count as docs/math/ledger.md says: up the tree, in parallel blocks or added up, by analyst,
// with reservations that go back.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "renyi/error.h"
#include "renyi/ledger.h"
#include "support/temporary_directory.h"

namespace renyi::ledger_accounting_test {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;

class AccountingTest : public testing::Test {
 protected:
  AccountingTest() : ledger(Ledger::create(directory.file("test.ledger"))) {}

  // Charges one randomized response, which costs ln 3 = 1.0986.
  Receipt charge(const std::string& scope, const Names& blocks = {}) {
    return ledger.charge({.scope = scope, .steps = response(scope), .blocks = blocks});
  }
  Receipt reserve(const std::string& scope) { return ledger.reserve({.scope = scope, .steps = response(scope)}, 1h); }
  Plan response(const std::string& scope) {
    const Adjacency relation = ledger.scope(scope).relation;
    return Plan(relation.neighbors, relation.unit).add(RandomizedResponse{0.75});
  }
  double spent(const std::string& scope) { return ledger.scope(scope).balances.at(0).spent; }

  test::TemporaryDirectory directory;
  Ledger ledger;
};

constexpr double ln_3 = 1.0986122886681098;
const Budget one_response = Budget::pure(1.1), two_responses = Budget::pure(2.3);
const BlockRule in_one_block{.rule = "the month of the visit", .unit_in_one_block = true};
const BlockRule in_several_blocks{.rule = "the months of the visits"};
const BlockRule in_a_fixed_block{.rule = "the month of birth", .unit_in_one_block = true, .block_is_fixed = true};

// ---- Blocks.

TEST_F(AccountingTest, BlocksRunInParallel) {
  ledger.add_scope("clinic", {.budget = one_response, .blocks = in_one_block});
  ledger.add_blocks("clinic", {"may", "june"});
  EXPECT_TRUE(charge("clinic", {"may"}).accepted);
  EXPECT_TRUE(charge("clinic", {"june"}).accepted);
  EXPECT_NEAR(spent("clinic"), ln_3, 1e-12);
  EXPECT_FALSE(charge("clinic", {"may"}).accepted);
  EXPECT_FALSE(charge("clinic", {"june", "may"}).accepted);
  EXPECT_FALSE(charge("clinic").accepted);
  ledger.add_blocks("clinic", {"july"});
  EXPECT_FALSE(charge("clinic", {"july", "may"}).accepted);
  EXPECT_TRUE(charge("clinic", {"july"}).accepted);
  EXPECT_NEAR(spent("clinic"), ln_3, 1e-12);
}

TEST_F(AccountingTest, AStepOnSeveralBlocksCountsInEach) {
  ledger.add_scope("clinic", {.budget = two_responses, .blocks = in_one_block});
  ledger.add_blocks("clinic", {"may", "june", "july"});
  EXPECT_TRUE(charge("clinic", {"may", "june"}).accepted);
  EXPECT_TRUE(charge("clinic", {"june", "july"}).accepted);
  EXPECT_NEAR(spent("clinic"), 2 * ln_3, 1e-12);
  EXPECT_FALSE(charge("clinic", {"june"}).accepted);
  EXPECT_TRUE(charge("clinic", {"july", "may"}).accepted);
  EXPECT_FALSE(charge("clinic", {"july"}).accepted);
}

TEST_F(AccountingTest, AStepOnEverythingCountsInBlocksOfTheFuture) {
  ledger.add_scope("clinic", {.budget = two_responses, .blocks = in_one_block});
  ledger.add_blocks("clinic", {"may"});
  EXPECT_TRUE(charge("clinic").accepted);
  ledger.add_blocks("clinic", {"june"});
  EXPECT_TRUE(charge("clinic", {"june"}).accepted);
  EXPECT_FALSE(charge("clinic", {"june"}).accepted);
  EXPECT_TRUE(charge("clinic", {"may"}).accepted);
  EXPECT_FALSE(charge("clinic").accepted);
}

struct BlockCase {
  std::string name;
  BlockRule rule;
  Adjacency relation;
  bool in_parallel = false;
};

TEST_F(AccountingTest, BlocksAddUpWhereAUnitMayBeInTwo) {
  const Adjacency one{}, two{Neighbors::add_or_remove_one, 2}, zeroed{Neighbors::zero_out, 1},
      replaced{Neighbors::replace_one, 1}, two_replaced{Neighbors::replace_one, 2};
  const std::vector<BlockCase> cases{
      {"one", in_one_block, one, true},
      {"zeroed", in_one_block, zeroed, true},
      {"fixed", in_a_fixed_block, replaced, true},
      {"moving", in_one_block, replaced, false},
      {"person", in_several_blocks, one, false},
      {"zeroed-person", in_several_blocks, zeroed, false},
      {"two", in_one_block, two, false},
      {"two-fixed", in_a_fixed_block, two_replaced, false},
  };
  for (const BlockCase& c : cases) {
    ledger.add_scope(c.name, {.budget = one_response, .relation = c.relation, .blocks = c.rule});
    ledger.add_blocks(c.name, {"may", "june"});
    EXPECT_TRUE(charge(c.name, {"may"}).accepted) << c.name;
    const Receipt second = charge(c.name, {"june"});
    EXPECT_EQ(second.accepted, c.in_parallel) << c.name;
    EXPECT_EQ(second.refused_by, c.in_parallel ? "" : c.name);
  }
}

// ---- Trees.

TEST_F(AccountingTest, EveryScopePricesAStepInItsOwnKind) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(1.2)});
  ledger.add_scope("clinic/team", {.budget = Budget::gdp(1.5)});
  ledger.add_scope("clinic/team/ann", {.budget = one_response});
  EXPECT_TRUE(charge("clinic/team/ann").accepted);
  EXPECT_EQ(charge("clinic/team/ann").refused_by, "clinic/team/ann");
  EXPECT_EQ(charge("clinic/team").refused_by, "clinic/team");
  // The refusals changed nothing, so the outermost scope has room for one response more (rho is ln(3)/2 for each).
  EXPECT_NEAR(spent("clinic"), ln_3 / 2, 1e-9);
  EXPECT_TRUE(charge("clinic").accepted);
  EXPECT_EQ(charge("clinic").refused_by, "clinic");
  EXPECT_NEAR(spent("clinic/team/ann"), ln_3, 1e-12);
}

TEST_F(AccountingTest, ChildBudgetsReserveNothing) {
  ledger.add_scope("clinic", {.budget = two_responses});
  for (const std::string child : {"ann", "ben", "cem"}) ledger.add_scope("clinic/" + child, {.budget = two_responses});
  EXPECT_TRUE(charge("clinic/ann").accepted);
  EXPECT_TRUE(charge("clinic/ben").accepted);
  const Receipt refused = charge("clinic/cem");
  EXPECT_EQ(refused.refused_by, "clinic");
  EXPECT_EQ(spent("clinic/cem"), 0);
}

TEST_F(AccountingTest, AChildHasTheRelationOfItsParent) {
  ledger.add_scope("clinic", {.budget = one_response, .relation = Adjacency{Neighbors::zero_out, 1}});
  EXPECT_THROW(ledger.add_scope("clinic/ann", {.budget = one_response, .relation = Adjacency{}}), InvalidArgument);
  EXPECT_THROW(ledger.add_scope("clinic/ann", {.budget = one_response, .relation = Adjacency{Neighbors::zero_out, 2}}),
               InvalidArgument);
  ledger.add_scope("clinic/ann", {.budget = one_response});
  EXPECT_EQ(ledger.scope("clinic/ann").relation, (Adjacency{Neighbors::zero_out, 1}));
}

// ---- Analysts who share no answers.

TEST_F(AccountingTest, TheLargestAnalystCounts) {
  ledger.add_scope("clinic", {.budget = Budget::pure(4.4)});
  ledger.add_scope("clinic/team", {.budget = two_responses, .analysts_may_collude = false});
  for (const std::string child : {"ann", "ben"}) ledger.add_scope("clinic/team/" + child, {.budget = Budget::pure(9)});
  EXPECT_TRUE(charge("clinic/team/ann").accepted);
  EXPECT_TRUE(charge("clinic/team/ben").accepted);
  EXPECT_NEAR(spent("clinic/team"), ln_3, 1e-12);
  // A direct step counts for each of them, and the scope above adds up everything.
  const Receipt direct = charge("clinic/team");
  EXPECT_TRUE(direct.accepted);
  EXPECT_NE(direct.note.find("void if answers are shared"), std::string::npos) << direct.note;
  EXPECT_NE(ledger.scope("clinic/team").note.find("per analyst"), std::string::npos);
  EXPECT_EQ(ledger.scope("clinic").note, "");
  EXPECT_NEAR(spent("clinic/team"), 2 * ln_3, 1e-12);
  EXPECT_NEAR(spent("clinic"), 3 * ln_3, 1e-12);
  EXPECT_EQ(charge("clinic/team/ann").refused_by, "clinic/team");
  EXPECT_EQ(charge("clinic/team/ben").refused_by, "clinic/team");
  // A child that is new has to bear the direct step too.
  ledger.add_scope("clinic/team/cem", {.budget = Budget::pure(9)});
  EXPECT_TRUE(charge("clinic/team/cem").accepted);
  EXPECT_EQ(charge("clinic/team/cem").refused_by, "clinic/team");
  ledger.add_scope("clinic/other", {.budget = Budget::pure(9)});
  EXPECT_EQ(charge("clinic/other").refused_by, "clinic");
}

// ---- Tickets.

TEST_F(AccountingTest, ReservationsCountUntilTheyGoBack) {
  ledger.add_scope("clinic", {.budget = two_responses});
  ledger.add_scope("clinic/ann", {.budget = two_responses});
  const Receipt first = reserve("clinic/ann"), second = reserve("clinic");
  EXPECT_TRUE(first.accepted && second.accepted);
  EXPECT_NEAR(spent("clinic"), 2 * ln_3, 1e-12);
  EXPECT_FALSE(charge("clinic").accepted);
  EXPECT_FALSE(reserve("clinic/ann").accepted);
  ledger.cancel(second.ticket);
  EXPECT_NEAR(spent("clinic"), ln_3, 1e-12);
  EXPECT_TRUE(ledger.open(first.ticket, first.secret).accepted);
  EXPECT_FALSE(ledger.cancel(first.ticket).accepted);
  EXPECT_TRUE(ledger.commit(first.ticket).accepted);
  EXPECT_FALSE(ledger.cancel(first.ticket).accepted);
  EXPECT_TRUE(charge("clinic").accepted);
  EXPECT_FALSE(charge("clinic").accepted);
  EXPECT_NEAR(spent("clinic/ann"), ln_3, 1e-12);
}

// What a charge adds to a sum of mu^2 is known from above only; all of it goes back.
TEST_F(AccountingTest, WhatGoesBackLeavesNothingBehind) {
  for (const Budget& budget : {Budget::gdp(9), Budget::approx(30, 1e-3), Budget::zcdp(9)}) {
    const std::string scope(to_string(budget.kind));
    ledger.add_scope(scope, {.budget = budget});
    const Receipt first = reserve(scope);
    const double one = spent(scope);
    EXPECT_GT(one, 0);
    const Receipt second = reserve(scope);
    EXPECT_GT(spent(scope), 1.3 * one);
    ledger.cancel(first.ticket);
    EXPECT_EQ(spent(scope), one) << scope;
    ledger.cancel(second.ticket);
    EXPECT_EQ(spent(scope), 0) << scope;
  }
}

// A step that is known up to order 3 only exhausts the larger order of a budget by shares. If it was cancelled, that
// order is there again, with what was spent of it before.
TEST_F(AccountingTest, AnOrderComesBackWithTheReservationThatExhaustedIt) {
  const Budget by_orders = Budget::shares(3, {{2, 0.02}, {4, 0.05}});
  const Plan gaussian = Plan().add(Gaussian{.stddev = 4}), known_to_order_3 = Plan().add(Tcdp{0.001, 3});
  ledger.add_scope("cancelled", {.budget = by_orders});
  const Receipt first = ledger.reserve({.scope = "cancelled", .steps = known_to_order_3}, 1h);
  EXPECT_TRUE(first.accepted);
  EXPECT_TRUE(ledger.charge({.scope = "cancelled", .steps = gaussian}).accepted);
  EXPECT_TRUE(ledger.cancel(first.ticket).accepted);
  Filter plain(by_orders);
  plain.charge(gaussian);
  const std::int64_t most = plain.headroom(gaussian);
  ASSERT_GT(most, 10);  // by order 4; order 2 admits 7 in all
  EXPECT_TRUE(ledger.charge({.scope = "cancelled", .steps = gaussian, .count = most}).accepted);
  EXPECT_FALSE(ledger.charge({.scope = "cancelled", .steps = gaussian}).accepted);
  EXPECT_TRUE(ledger.verify().valid);
}

// ---- Budgets that change.

TEST_F(AccountingTest, BudgetsMoveBelowTheirCap) {
  ledger.add_scope("clinic", {.budget = one_response, .cap = two_responses});
  EXPECT_TRUE(charge("clinic").accepted);
  EXPECT_FALSE(charge("clinic").accepted);
  ledger.raise_budget("clinic", two_responses, "the second survey");
  ledger.lower_budget("clinic", Budget::pure(0.5));
  EXPECT_FALSE(charge("clinic").accepted);
  EXPECT_NEAR(spent("clinic"), ln_3, 1e-12);
  ledger.raise_budget("clinic", two_responses, "the third survey");
  EXPECT_TRUE(charge("clinic").accepted);
  EXPECT_FALSE(charge("clinic").accepted);
}

}  // namespace
}  // namespace renyi::ledger_accounting_test
