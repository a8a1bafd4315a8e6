// The ledger through its public interface: budgets, tickets, keys, the log.
#include "renyi/ledger.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ledger/log/clock.h"
#include "renyi/error.h"
#include "renyi/mechanisms.h"
#include "support/temporary_directory.h"

namespace renyi::ledger_test {

using test::TemporaryDirectory;

Plan gaussian(double stddev) { return Plan().add(Gaussian{.stddev = stddev}); }

class LedgerTest : public ::testing::Test {
 protected:
  LedgerTest() : ledger(Ledger::create(directory.file("test.ledger"))) {}

  TemporaryDirectory directory;
  Ledger ledger;
};

TEST_F(LedgerTest, ChargesUntilTheBudgetIsSpent) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(1)});
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(ledger.charge({.scope = "clinic", .steps = gaussian(1)}).accepted);
  const Receipt refused = ledger.charge({.scope = "clinic", .steps = gaussian(1)});
  EXPECT_FALSE(refused.accepted);
  EXPECT_EQ(refused.refused_by, "clinic");
  EXPECT_EQ(refused.fitting_count, 0);
  EXPECT_EQ(ledger.scope("clinic").balances.at(0).spent, 1);
  EXPECT_TRUE(ledger.verify().valid) << ledger.verify().fault;
}

TEST_F(LedgerTest, AChargeFitsItsScopeAndAllAbove) {
  ledger.add_scope("org", {.budget = Budget::zcdp(0.6)});
  ledger.add_scope("org/a", {.budget = Budget::gdp(10)});
  ledger.add_scope("org/b", {.budget = Budget::zcdp(10)});
  EXPECT_TRUE(ledger.charge({.scope = "org/a", .steps = gaussian(1)}).accepted);
  const Receipt refused = ledger.charge({.scope = "org/b", .steps = gaussian(2)});
  EXPECT_FALSE(refused.accepted);
  EXPECT_EQ(refused.refused_by, "org");
  ASSERT_TRUE(refused.fitting_step);
  EXPECT_TRUE(ledger.charge({.scope = "org/b", .steps = gaussian(refused.fitting_step->value)}).accepted);
}

TEST_F(LedgerTest, ATicketGoesFromReservedToOpenedToCommitted) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(0.5)});
  const Receipt reserved = ledger.reserve({.scope = "clinic", .steps = gaussian(1)}, std::chrono::hours(1));
  ASSERT_TRUE(reserved.accepted);
  EXPECT_FALSE(ledger.charge({.scope = "clinic", .steps = gaussian(1)}).accepted);
  EXPECT_FALSE(ledger.commit(reserved.ticket).accepted);
  EXPECT_FALSE(ledger.open(reserved.ticket, "another").accepted);
  EXPECT_TRUE(ledger.open(reserved.ticket, reserved.secret).accepted);
  EXPECT_FALSE(ledger.open(reserved.ticket, reserved.secret).accepted);
  EXPECT_FALSE(ledger.cancel(reserved.ticket).accepted);
  EXPECT_TRUE(ledger.commit(reserved.ticket, {.bytes = "published"}).accepted);
  EXPECT_EQ(ledger.output(reserved.ticket)->bytes, "published");
  EXPECT_TRUE(ledger.verify().valid) << ledger.verify().fault;
}

TEST_F(LedgerTest, WhatIsCancelledOrExpiresGoesBack) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(0.5)});
  const Receipt first = ledger.reserve({.scope = "clinic", .steps = gaussian(1)}, std::chrono::hours(1));
  EXPECT_TRUE(ledger.cancel(first.ticket).accepted);
  const Receipt second = ledger.reserve({.scope = "clinic", .steps = gaussian(1)}, std::chrono::hours(1));
  EXPECT_TRUE(second.accepted);
  ledger::set_clock([] { return std::chrono::system_clock::now() + std::chrono::hours(2); });
  EXPECT_FALSE(ledger.open(second.ticket, second.secret).accepted);
  EXPECT_TRUE(ledger.charge({.scope = "clinic", .steps = gaussian(1)}).accepted);
  ledger::set_clock(nullptr);
  EXPECT_EQ(ledger.ticket(second.ticket).state, TicketState::expired);
  const LedgerVerification verified = ledger.verify();
  EXPECT_TRUE(verified.valid) << verified.fault;
}

TEST_F(LedgerTest, TheSameKeyGivesTheSameAnswer) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(0.5)});
  const Receipt first = ledger.charge({.scope = "clinic", .steps = gaussian(1)}, {.key = "k"});
  const Receipt second = ledger.charge({.scope = "clinic", .steps = gaussian(1)}, {.key = "k"});
  EXPECT_TRUE(second.repeated);
  EXPECT_EQ(first.hash, second.hash);
  EXPECT_THROW(ledger.charge({.scope = "clinic", .steps = gaussian(2)}, {.key = "k"}), InvalidArgument);
  const auto batch = ledger.charge_all({{{.scope = "clinic", .steps = gaussian(3)}, {.key = "b"}},
                                        {{.scope = "clinic", .steps = gaussian(3)}, {.key = "b"}}});
  EXPECT_EQ(batch[0].entry, batch[1].entry);
  EXPECT_TRUE(batch[1].repeated);
}

TEST_F(LedgerTest, ReopensWithTheSameBalances) {
  ledger.add_scope("clinic", {.budget = Budget::pure(1)});
  for (int i = 0; i < 9; ++i) {
    ASSERT_TRUE(ledger.charge({.scope = "clinic", .steps = Plan().add(PureDp{.epsilon = 0.1})}).accepted);
  }
  Ledger again(directory.file("test.ledger"));
  EXPECT_TRUE(again.charge({.scope = "clinic", .steps = Plan().add(PureDp{.epsilon = 0.1})}).accepted);
  EXPECT_FALSE(ledger.charge({.scope = "clinic", .steps = Plan().add(PureDp{.epsilon = 0.001})}).accepted);
  EXPECT_EQ(ledger.scope("clinic").balances.at(0).left, 0);
  EXPECT_TRUE(again.verify(ledger.head()).valid);
}

TEST_F(LedgerTest, AnImportStartsANewId) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(0.5)});
  ledger.charge({.scope = "clinic", .steps = gaussian(2)});
  ledger.reserve({.scope = "clinic", .steps = gaussian(3)}, std::chrono::hours(1));
  std::string lines;
  ledger.history({}, [&](const LedgerEntry& entry) { lines += entry.text + "\n"; });
  const Ledger imported = import_ledger(lines, directory.file("new.ledger"));
  EXPECT_NE(imported.head().ledger, ledger.head().ledger);
  EXPECT_EQ(imported.head().entry, ledger.head().entry + 1);
  EXPECT_EQ(imported.scope("clinic").balances.at(0).spent, ledger.scope("clinic").balances.at(0).spent);
  const auto verified = imported.verify(ledger.head());
  EXPECT_TRUE(verified.valid) << verified.fault;
}

}  // namespace renyi::ledger_test
