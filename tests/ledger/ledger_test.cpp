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

TEST_F(LedgerTest, AHistoryIsOfTimesAndScopesThatThereAre) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(1)});
  const auto count = [&](const HistoryFilter& filter) {
    int entries = 0;
    ledger.history(filter, [&](const LedgerEntry&) { ++entries; });
    return entries;
  };
  for (const char* time : {"2020", "2020-02", "2020-02-29", "2020-02-29T23", "2020-02-29T23:59", "2020-02-29T23:59:59",
                           "2020-02-29T23:59:59.999", "2020-02-29T23:59:59.999Z"}) {
    EXPECT_EQ(count({.since = time}), 2) << time;
    EXPECT_EQ(count({.until = time}), 0) << time;
  }
  for (const char* time :
       {"yesterday", "2026-13-45", "17.11.2026", "2026-02-29", "2026-11-", "202", "2026-1", "2026-11-17T24",
        "2026-11-17T12:60", "2026-11-17 12:00", "2026-11-17T12:00Z", "2026-11-17T12:00:00.0000Z"}) {
    EXPECT_THROW(count({.since = time}), InvalidArgument) << time;
    EXPECT_THROW(count({.until = time}), InvalidArgument) << time;
  }
  EXPECT_EQ(count({.scope = "clinic"}), 1);
  EXPECT_THROW(count({.scope = "clinc"}), InvalidArgument);
}

TEST_F(LedgerTest, ARaiseIsAboveTheBudgetAndUpToTheCap) {
  const auto message = [](const auto& call) {
    try {
      call();
      return std::string("done");
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
  };
  ledger.add_scope("clinic", {.budget = Budget::zcdp(0.5), .cap = Budget::zcdp(1)});
  for (const double rho : {0.1, 0.5}) {
    const std::string said = message([&] { ledger.raise_budget("clinic", Budget::zcdp(rho), "why"); });
    EXPECT_NE(said.find("above the limit now, rho 0.5"), std::string::npos) << said;
  }
  const std::string above = message([&] { ledger.raise_budget("clinic", Budget::zcdp(1.8), "why"); });
  EXPECT_NE(above.find("got rho 1.8, allowed: up to the cap, rho 1,"), std::string::npos) << above;
  const std::string larger = message([&] { ledger.lower_budget("clinic", Budget::zcdp(0.6)); });
  EXPECT_NE(larger.find("got rho 0.6, allowed: up to the limit now, rho 0.5"), std::string::npos) << larger;
  const std::string other = message([&] { ledger.raise_budget("clinic", Budget::gdp(0.6), "why"); });
  EXPECT_NE(other.find("the kind zcdp"), std::string::npos) << other;
  EXPECT_EQ(message([&] { ledger.raise_budget("clinic", Budget::zcdp(0.8), "why"); }), "done");
  // One number may become larger while another one becomes smaller.
  ledger.add_scope("survey", {.budget = Budget::approx(1, 1e-6), .cap = Budget::approx(2, 1e-5)});
  EXPECT_EQ(message([&] { ledger.raise_budget("survey", Budget::approx(2, 1e-7), "why"); }), "done");
  EXPECT_EQ(ledger.head().entry, 4);
}

TEST_F(LedgerTest, ABurnDownCountsWhatCounts) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(10)});
  ledger.charge({.scope = "clinic", .steps = gaussian(1)});
  const Receipt back = ledger.reserve({.scope = "clinic", .steps = gaussian(1)}, std::chrono::hours(1));
  ledger.cancel(back.ticket);
  const auto points = ledger.burn_down("clinic", BurnDownBy::entry);
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[2].charges, 2);
  EXPECT_EQ(points[3].charges, ledger.scope("clinic").charges);
}

TEST_F(LedgerTest, BlocksAreShownWhereTheyDoNotAddUp) {
  ScopeSettings visits{.budget = Budget::zcdp(1)};
  visits.blocks = BlockRule{.rule = "the month of the visit", .unit_in_one_block = true};
  visits.first_blocks = {"2026-10", "2026-11"};
  ledger.add_scope("visits", visits);
  ledger.add_scope("visits/ana", {.budget = Budget::zcdp(1)});
  ledger.charge({.scope = "visits/ana", .steps = gaussian(2), .blocks = {"2026-10"}});
  ledger.charge({.scope = "visits", .steps = gaussian(4)});
  for (const char* scope : {"visits", "visits/ana"}) {
    const bool is_parent = std::string(scope) == "visits";
    const auto blocks = ledger.blocks(scope);
    ASSERT_EQ(blocks.size(), 2U);
    EXPECT_EQ(blocks[0].block, "2026-10");
    EXPECT_NEAR(blocks[0].balances.at(0).spent, is_parent ? 0.15625 : 0.125, 1e-12);
    EXPECT_NEAR(blocks[1].balances.at(0).spent, is_parent ? 0.03125 : 0, 1e-12);
    EXPECT_FALSE(ledger.scope(scope).blocks_add_up);
  }
  visits.blocks->unit_in_one_block = false;
  ledger.add_scope("people", visits);
  EXPECT_TRUE(ledger.blocks("people").empty());
  EXPECT_TRUE(ledger.scope("people").blocks_add_up);
}

TEST_F(LedgerTest, AChargeIsQuotedInEveryScope) {
  ledger.add_scope("org", {.budget = Budget::zcdp(1)});
  ledger.add_scope("org/a", {.budget = Budget::gdp(2)});
  const ChargeRequest asked{.scope = "org/a", .steps = gaussian(2), .count = 4};
  for (const double before : {0.0, 1.0}) {
    const auto quoted = ledger.balances(asked);
    ASSERT_EQ(quoted.size(), 2U);
    EXPECT_NEAR(quoted[0].costs.at(0), 1, 1e-9);    // mu: the root of 4 / 4
    EXPECT_NEAR(quoted[1].costs.at(0), 0.5, 1e-9);  // rho
    EXPECT_NEAR(quoted[0].balances.at(0).spent, before, 1e-9);
    EXPECT_EQ(ledger.may_run(asked).left.at(1).costs, quoted[1].costs);
    ledger.charge(asked);
  }
}

TEST_F(LedgerTest, AScopeNeedsItsParent) {
  ledger.add_scope("org", {.budget = Budget::zcdp(1)});
  try {
    ledger.add_scope("org/new/deep", {.budget = Budget::zcdp(1)});
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("make \"org/new\" first"), std::string::npos) << error.what();
  }
}

}  // namespace renyi::ledger_test
