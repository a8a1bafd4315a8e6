// What is computed before a charge is decided: nobody waits for it, limits apply to it, what is kept of it is bounded,
// and a decision that others have overtaken is made again.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <future>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "ledger/fault_point.h"
#include "ledger/log/clock.h"
#include "ledger/rules/prices.h"
#include "renyi/error.h"
#include "renyi/ledger.h"
#include "renyi/limits.h"
#include "renyi/mechanisms.h"
#include "support/temporary_directory.h"

namespace renyi::test::pricing_test {
namespace {

using namespace std::chrono_literals;

Plan laplace(double scale) { return Plan().add(Laplace{.scale = scale}); }
Plan pure(double epsilon) { return Plan().add(PureDp{.epsilon = epsilon}); }

std::chrono::seconds shift{0};

class PricingTest : public ::testing::Test {
 protected:
  PricingTest() : location(directory.file("test.ledger")), ledger(Ledger::create(location)) {
    shift = 0s;
    ledger::set_clock([] { return std::chrono::system_clock::now() + shift; });
  }
  ~PricingTest() override {
    ledger::set_clock(nullptr);
    ledger::set_fault_hook(nullptr);
  }

  void expect_valid() const { EXPECT_TRUE(ledger.verify().valid) << ledger.verify().fault; }

  TemporaryDirectory directory;
  std::string location;
  Ledger ledger;
};

// ---- Nobody waits.

TEST_F(PricingTest, AChargeDoesNotWaitForThePricesOfAnotherCall) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(1)});
  std::promise<void> charged;
  std::atomic<bool> asked = false;
  std::thread slow([&, is_charged = charged.get_future().share()] {
    // Pricing calls this again and again; it goes on when the other charge is made.
    const LimitScope limits({.stop = [&] {
      asked = true;
      is_charged.wait();
      return false;
    }});
    EXPECT_TRUE(ledger.may_run({.scope = "clinic", .steps = laplace(7)}).accepted);
    if (!asked) ADD_FAILURE() << "prices were computed where limits do not apply";
  });
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (!asked && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(asked);
  EXPECT_TRUE(ledger.charge({.scope = "clinic", .steps = pure(0.1)}).accepted);
  EXPECT_EQ(ledger.scope("clinic").charges, 1);
  charged.set_value();
  slow.join();
}

TEST_F(PricingTest, LimitsEndPricingBeforeAnythingIsRecorded) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(1)});
  const auto before = ledger.head();
  {
    const LimitScope limits({.cpu_time = 0ns});
    EXPECT_THROW(ledger.charge({.scope = "clinic", .steps = laplace(7)}, {.key = "k"}), LimitReached);
    EXPECT_THROW((void)ledger.may_run({.scope = "clinic", .steps = laplace(7)}), LimitReached);
  }
  EXPECT_EQ(ledger.head(), before);
  EXPECT_TRUE(ledger.charge({.scope = "clinic", .steps = laplace(7)}, {.key = "k"}).accepted);
  // The answer to a call that was made is there whatever the limits are.
  const LimitScope limits({.cpu_time = 0ns});
  Ledger reopened(location);
  EXPECT_TRUE(reopened.charge({.scope = "clinic", .steps = laplace(7)}, {.key = "k"}).repeated);
}

// What a limit ends has found nothing wrong.
TEST_F(PricingTest, AVerificationThatIsEndedSaysNothingAboutTheLog) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(1)});
  ASSERT_TRUE(ledger.charge({.scope = "clinic", .steps = laplace(7)}).accepted);
  const LimitScope limits({.cpu_time = 0ns});
  EXPECT_THROW((void)ledger.verify(), LimitReached);
}

// The first write after a start has no prices: what is overdue goes back later, and nobody waits for it.
TEST_F(PricingTest, WhatIsOverdueGoesBackWithoutKeepingACharge) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(1)});
  ASSERT_TRUE(ledger.reserve({.scope = "clinic", .steps = laplace(2)}, 60s).accepted);
  shift = 61s;
  Ledger reopened(location);
  ASSERT_TRUE(reopened.charge({.scope = "clinic", .steps = pure(0.1)}).accepted);
  EXPECT_EQ(reopened.head().entry, 3);
  EXPECT_NEAR(reopened.scope("clinic").balances.at(0).spent, 0.005, 1e-3);
  EXPECT_EQ(reopened.scope("clinic").reserved, 0);
  EXPECT_EQ(reopened.head().entry, 4);
  expect_valid();
}

TEST_F(PricingTest, TheRelationOfAScopeIsAskedWithoutItsState) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(1), .relation = Adjacency{Neighbors::zero_out, 3}});
  EXPECT_EQ(ledger.relation("clinic"), (Adjacency{Neighbors::zero_out, 3}));
  EXPECT_THROW((void)ledger.relation("nowhere"), InvalidArgument);
  Ledger(location).add_scope("clinic/ana", {.budget = Budget::zcdp(1)});
  EXPECT_EQ(ledger.relation("clinic/ana"), (Adjacency{Neighbors::zero_out, 3}));
}

// ---- Candidates.

// Steps of which one costs most at small orders, and the other one at large ones: what both cost is less than the sum.
class CandidateTest : public PricingTest {
 protected:
  static Plan bent() { return laplace(0.5); }  // rho 1.135

  // There is room for one more step, by the composed curve only.
  void fill() {
    ledger.add_scope("clinic", {.budget = Budget::zcdp(1.2)});
    const Mechanism sampled = Mechanism(Gaussian{.stddev = 1}).sampled_by(Sampling::poisson(0.01));  // rho 0.5
    ASSERT_TRUE(ledger.charge({.scope = "clinic", .steps = Plan().add(sampled)}).accepted);
  }

  static Ledger* other;
  static int overtaken;
};
Ledger* CandidateTest::other = nullptr;
int CandidateTest::overtaken = 0;

TEST_F(CandidateTest, AComposedCurveAdmitsWhatSumsDoNot) {
  fill();
  EXPECT_TRUE(ledger.charge({.scope = "clinic", .steps = bent()}).accepted);
  EXPECT_FALSE(ledger.charge({.scope = "clinic", .steps = bent()}).accepted);
  expect_valid();
}

// Between the candidate of a charge and its record, another process takes the last unit by the same path.
TEST_F(CandidateTest, OfTwoChargesThatRaceForTheLastUnitOneSucceeds) {
  fill();
  Ledger second(location);
  other = &second;
  overtaken = 0;
  ledger::set_fault_hook([](const char* name) {
    if (std::string(name) != "ledger.candidate" || overtaken++ > 0) return;
    EXPECT_TRUE(other->charge({.scope = "clinic", .steps = bent()}).accepted);
  });
  EXPECT_FALSE(ledger.charge({.scope = "clinic", .steps = bent()}).accepted);
  EXPECT_GE(overtaken, 3);  // the other one's candidate, and a second one of its own
  expect_valid();
}

// A refusal needs no second candidate while others only spend.
TEST_F(CandidateTest, ARefusalIsNotOvertakenByOtherCharges) {
  fill();
  ASSERT_TRUE(ledger.charge({.scope = "clinic", .steps = bent()}).accepted);
  Ledger second(location);
  other = &second;
  overtaken = 0;
  ledger::set_fault_hook([](const char* name) {
    if (std::string(name) != "ledger.candidate" || overtaken++ > 0) return;
    EXPECT_TRUE(other->charge({.scope = "clinic", .steps = Plan().add(Gaussian{.stddev = 1e6})}).accepted);
  });
  const Receipt refused = ledger.charge({.scope = "clinic", .steps = bent()});
  EXPECT_FALSE(refused.accepted);
  EXPECT_FALSE(refused.left.empty());
  EXPECT_LE(overtaken, 2);
  expect_valid();
}

TEST_F(CandidateTest, WhatIsGivenBackMeanwhileIsUsed) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(1)});
  const Plan whole = Plan().add(Zcdp{.rho = 1});
  static std::int64_t ticket;
  ticket = ledger.reserve({.scope = "clinic", .steps = whole}, 1h).ticket;
  Ledger second(location);
  other = &second;
  overtaken = 0;
  ledger::set_fault_hook([](const char* name) {
    if (std::string(name) != "ledger.candidate" || overtaken++ > 0) return;
    EXPECT_TRUE(other->cancel(ticket).accepted);
  });
  EXPECT_TRUE(ledger.charge({.scope = "clinic", .steps = whole}).accepted);
  expect_valid();
}

// ---- What is kept.

TEST(RecentlyUsedTest, KeepsWhatWasUsedLastWithinItsBound) {
  const std::size_t each = 1000;
  ledger::RecentlyUsed<int> kept(10'000);
  for (int i = 0; i < 100; ++i) {
    kept.keep("value" + std::to_string(i), i, each);
    EXPECT_LE(kept.bytes(), 10'000U);
    ASSERT_NE(kept.find("value0"), nullptr) << i;  // used all the time
  }
  EXPECT_NE(kept.find("value99"), nullptr);
  EXPECT_EQ(kept.find("value1"), nullptr);
  kept.keep("larger than all", 1, 10'000);
  EXPECT_EQ(kept.find("larger than all"), nullptr);
  EXPECT_NE(kept.find("value99"), nullptr);
}

TEST(PriceListTest, IsBoundedByBytesAndComputesAgainWhatItDropped) {
  constexpr std::size_t most = 64U << 10U;
  ledger::PriceList list(most);
  const auto terms = std::make_shared<const ledger::PriceTerms>(Adjacency{}, Budget::pure(1));
  const auto priced = [&](int i) {
    std::string steps = "[";
    for (int k = 0; k < 50; ++k) {
      steps += (k > 0 ? "," : "") + std::string(R"({"mechanism":"pure-dp","epsilon":)") +
               std::to_string(i * 50 + k + 1) + "}";
    }
    const ledger::Unpriced missing{.scopes = {"clinic"}, .terms = {terms}, .charge = steps + "]"};
    ledger::Prices prices;
    list.price(prices, missing);
    const auto read = prices.find_steps(missing.charge, Adjacency{});
    EXPECT_EQ(read->size(), 50U);
    return prices.find(*terms, read->back().text)->quantities[0][0].bound.upper();
  };
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(priced(i), 50 * i + 50);
    EXPECT_LE(list.bytes(), most);
  }
  EXPECT_GT(list.bytes(), most / 2);
  EXPECT_EQ(priced(0), 50);
}

// ---- Counts.

constexpr std::int64_t most_runs = std::numeric_limits<std::int64_t>::max();

TEST_F(PricingTest, StepsThatCostNothingDoNotCloseAScope) {
  ledger.add_scope("clinic", {.budget = Budget::zcdp(1)});
  const Plan nothing = Plan().add(Zcdp{.rho = 0});
  for (int power = 62; power >= 0; --power) {
    ASSERT_TRUE(ledger.charge({.scope = "clinic", .steps = nothing, .count = std::int64_t{1} << power}).accepted);
  }
  EXPECT_TRUE(ledger.charge({.scope = "clinic", .steps = pure(0.1)}).accepted);
  EXPECT_TRUE(ledger.charge({.scope = "clinic", .steps = nothing, .count = most_runs}).accepted);
  EXPECT_TRUE(Ledger(location).charge({.scope = "clinic", .steps = nothing, .count = most_runs}).accepted);
  EXPECT_FALSE(ledger.charge({.scope = "clinic", .steps = Plan().add(Zcdp{.rho = 1})}).accepted);
  expect_valid();
}

// No count of equal steps is cut off: each charge costs what it costs, also when others are given back.
TEST_F(PricingTest, MoreStepsThanACountHoldsAllCost) {
  const Plan tiny = Plan().add(Zcdp{.rho = 0x1p-70});
  const double each = 0x1p-70 * static_cast<double>(most_runs);
  ledger.add_scope("clinic", {.budget = Budget::zcdp(4.5 * each)});
  const ChargeRequest charge{.scope = "clinic", .steps = tiny, .count = most_runs};
  const auto spent = [&] { return Ledger(location).scope("clinic").balances.at(0).spent / each; };
  ASSERT_TRUE(ledger.charge(charge).accepted);
  const Receipt first = ledger.reserve(charge, 1h);
  ASSERT_TRUE(Ledger(location).charge(charge).accepted);
  const Receipt second = ledger.reserve(charge, 1h);
  EXPECT_NEAR(spent(), 4, 1e-9);
  EXPECT_FALSE(ledger.charge(charge).accepted);
  EXPECT_TRUE(ledger.cancel(first.ticket).accepted);
  EXPECT_NEAR(spent(), 3, 1e-9);
  EXPECT_TRUE(Ledger(location).cancel(second.ticket).accepted);
  EXPECT_NEAR(spent(), 2, 1e-9);
  EXPECT_TRUE(ledger.charge({.scope = "clinic", .steps = tiny, .count = 5}).accepted);
  EXPECT_TRUE(ledger.charge(charge).accepted);
  EXPECT_TRUE(ledger.charge(charge).accepted);
  EXPECT_FALSE(ledger.charge(charge).accepted);
  EXPECT_NEAR(spent(), 4, 1e-9);
  expect_valid();
}

}  // namespace
}  // namespace renyi::test::pricing_test
