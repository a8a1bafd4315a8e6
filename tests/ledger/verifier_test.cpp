// Long questions: a verification that goes on where another one ended, and histories that are read page by page.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <thread>

#include "renyi/error.h"
#include "support/ledger_place.h"
#include "support/long_log.h"

namespace renyi::test::verifier_test {
namespace {

class VerifierTest : public ::testing::TestWithParam<StoreKind> {
 protected:
  VerifierTest() : place_(GetParam()), ledger_(Ledger::create(place_.location("ledger"))) {
    write_long_log(ledger_, 200);
  }
  LedgerVerification go_on(const std::optional<LedgerHead>& kept = {}) {
    return ledger_.verify(kept, VerifyFrom::last_verified);
  }

  LedgerPlace place_;
  Ledger ledger_;
};
INSTANTIATE_TEST_SUITE_P(Stores, VerifierTest, ::testing::ValuesIn(store_kinds()),
                         [](const auto& store) { return name_of(store.param); });

TEST_P(VerifierTest, GoesOnAfterTheLastVerifiedEntry) {
  const LedgerVerification first = go_on();
  EXPECT_TRUE(first.valid) << first.fault;
  EXPECT_FALSE(first.resumed_after) << "nothing was verified before";
  const LedgerHead before = ledger_.head();
  const ChargeRequest step{.scope = "org", .steps = Plan().add(Gaussian{.stddev = 40})};
  for (int i = 0; i < 5; ++i) {
    const Receipt reserved = ledger_.reserve(step, std::chrono::hours(1));
    if (i % 2 == 0) ledger_.cancel(reserved.ticket);  // the account is made anew from all its steps
    if (i % 2 == 1) ledger_.open(reserved.ticket, reserved.secret);
    const LedgerVerification next = go_on(before);
    EXPECT_TRUE(next.valid) << next.fault;
    EXPECT_EQ(next.head, ledger_.head());
    EXPECT_EQ(next.entries, ledger_.head().entry + 1);
    EXPECT_EQ(next.resumed_after, before.entry + 2 * i);
  }
  EXPECT_FALSE(ledger_.verify().resumed_after);
  EXPECT_FALSE(go_on(LedgerHead{before.ledger, 7, std::string(64, '0')}).valid);
  EXPECT_FALSE(go_on(LedgerHead{before.ledger, 100'000, before.hash}).valid);
  EXPECT_FALSE(go_on(LedgerHead{"another", before.entry, before.hash}).valid);
}

TEST_P(VerifierTest, EndsOfHistoriesAreThoseOfEveryPage) {
  const auto numbers = [&](const HistoryFilter& filter) {
    std::vector<std::int64_t> list;
    ledger_.history(filter, [&](const LedgerEntry& entry) { list.push_back(entry.entry); });
    return list;
  };
  const ChargeRequest step{.scope = "org", .steps = Plan().add(Gaussian{.stddev = 1000})};
  ledger_.charge_all(std::vector<Ledger::Charge>(2300, {step, {}}));
  const std::int64_t end = ledger_.head().entry + 1;
  EXPECT_EQ(static_cast<std::int64_t>(numbers({}).size()), end);
  const auto last = numbers({.last = 1500});
  ASSERT_EQ(last.size(), 1500U);
  EXPECT_EQ(last.front(), end - 1500);
  EXPECT_EQ(last.back(), end - 1);
  EXPECT_EQ(numbers({.most = 1500}).back(), 1499);
  EXPECT_EQ(numbers({.before = 10, .last = 3}), (std::vector<std::int64_t>{7, 8, 9}));
  EXPECT_THROW(numbers({.most = 1, .last = 1}), InvalidArgument);
  // A visitor may use the ledger, and entries that it makes are not visited.
  std::int64_t visited = 0;
  ledger_.history({.scope = "org", .after = end - 5}, [&](const LedgerEntry&) {
    ledger_.charge(step);
    ++visited;
  });
  EXPECT_EQ(visited, 4);
}

TEST_P(VerifierTest, PendingReservationsAndReleasesAreThoseOfTheLog) {
  std::map<std::int64_t, std::string> pending;  // tickets and persons
  std::vector<std::int64_t> releases;
  ledger_.history({}, [&](const LedgerEntry& entry) {
    const Receipt receipt = receipt_of(entry);
    if (!receipt.accepted) return;
    if (receipt.verb == "reserve") pending[receipt.ticket] = receipt.person;
    if (receipt.verb == "open" || receipt.verb == "cancel") pending.erase(receipt.ticket);
    if (receipt.verb == "commit") releases.push_back(receipt.entry);
  });
  EXPECT_GT(pending.size(), 2U);
  EXPECT_GT(releases.size(), 2U);
  ledger_.history({.of = HistoryOf::pending}, [&](const LedgerEntry& entry) {
    EXPECT_EQ(pending.at(entry.entry), receipt_of(entry).person);
    pending.erase(entry.entry);
  });
  EXPECT_TRUE(pending.empty());
  std::vector<std::int64_t> found;
  ledger_.history({.last = 2, .of = HistoryOf::releases},
                  [&](const LedgerEntry& entry) { found.push_back(entry.entry); });
  EXPECT_EQ(found, std::vector(releases.end() - 2, releases.end()));
}

// Charges are acknowledged while others verify and ask how a scope was spent.
TEST_P(VerifierTest, NobodyWaitsForLongQuestions) {
  std::atomic<bool> is_over = false;
  std::atomic<int> questions = 0;
  std::vector<std::thread> asking;
  for (int i = 0; i < 2; ++i) {
    asking.emplace_back([&, i] {
      while (!is_over) {
        if (i == 0) {
          EXPECT_TRUE(ledger_.verify().valid);
        } else {
          EXPECT_FALSE(ledger_.burn_down("org").empty());
        }
        ++questions;
      }
    });
  }
  const ChargeRequest step{.scope = "org", .steps = Plan().add(Gaussian{.stddev = 1000})};
  for (int i = 0; i < 40 || questions < 4; ++i) EXPECT_TRUE(ledger_.charge(step).accepted);
  is_over = true;
  for (std::thread& thread : asking) thread.join();
}

// What was verified before and is changed then is found from the beginning only, as is said where it is offered; that
// it is another log than the one that was verified is always found.
TEST(Verifier, ChangesBeforeTheLastVerifiedEntry) {
  const TemporaryDirectory directory;
  Ledger ledger = Ledger::create(directory.file("ledger"));
  write_long_log(ledger, 60);
  ASSERT_TRUE(ledger.verify().valid);
  const auto change = [&](const std::string& sql) {
    sqlite3* database = nullptr;
    sqlite3_open(directory.file("ledger").c_str(), &database);
    EXPECT_EQ(sqlite3_exec(database,
                           ("DROP TRIGGER entries_are_not_changed;" + sql +
                            ";CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries BEGIN SELECT raise("
                            "ABORT, 'the log is append-only'); END")
                               .c_str(),
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    sqlite3_close(database);
  };
  change("UPDATE entries SET text = replace(text, 'ada', 'eve') WHERE entry = 1");
  EXPECT_TRUE(ledger.verify({}, VerifyFrom::last_verified).valid);
  EXPECT_FALSE(ledger.verify().valid);
  change("UPDATE entries SET text = replace(text, 'eve', 'ada') WHERE entry = 1");
  ASSERT_TRUE(ledger.verify().valid);
  change("UPDATE entries SET text = replace(text, '\"time\":\"2', '\"time\":\"3') WHERE entry = 59");
  EXPECT_FALSE(ledger.verify({}, VerifyFrom::last_verified).valid);
}

}  // namespace
}  // namespace renyi::test::verifier_test
