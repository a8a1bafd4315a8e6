// Many writers at once on one scope that fits exactly N charges: exactly N succeed.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "renyi/error.h"
#include "support/ledger_check.h"
#include "support/ledger_place.h"
#include "support/worker_process.h"

namespace renyi::test::writers_test {
namespace {

constexpr std::size_t writers = 64;
constexpr std::chrono::minutes patience{30};

struct Size {
  int charges;
  double epsilon;  // so many of which are 1
};
Size size() { return all_faults() ? Size{1000, 0.001} : Size{100, 0.01}; }

class WritersTest : public ::testing::TestWithParam<StoreKind> {
 protected:
  WritersTest() : place_(GetParam()), location_(place_.location("ledger")) {
    Ledger ledger = Ledger::create(location_, {.patience = patience});
    ledger.add_scope("full", {.budget = Budget::pure(1)});
  }

  void expect_full(std::int64_t accepted, std::int64_t refused) {
    const Ledger ledger(location_, {.patience = patience});
    EXPECT_EQ(accepted, size().charges);
    EXPECT_EQ(refused, writers);
    const ScopeState state = ledger.scope("full");
    EXPECT_EQ(state.charges, size().charges);
    EXPECT_EQ(state.balances.at(0).spent, 1) << "as a fraction";
    EXPECT_EQ(state.balances.at(0).left, 0);
    EXPECT_EQ(ledger.head().entry, 1 + accepted + refused);
    expect_valid(ledger);
  }

  // Each thread charges until it is refused; the threads are divided among the ledgers.
  void fill_by_threads(std::size_t ledgers) {
    std::vector<Ledger> opened;
    for (std::size_t i = 0; i < ledgers; ++i) opened.emplace_back(location_, LedgerOptions{.patience = patience});
    std::atomic<std::int64_t> accepted = 0, refused = 0;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < writers; ++i) {
      threads.emplace_back([&, i] {
        try {
          const ChargeRequest step{.scope = "full", .steps = Plan().add(PureDp{.epsilon = size().epsilon})};
          while (opened[i % ledgers].charge(step).accepted) ++accepted;
          ++refused;
        } catch (const Error& error) {
          ADD_FAILURE() << error.what();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    expect_full(accepted, refused);
  }

  LedgerPlace place_;
  std::string location_;
};
INSTANTIATE_TEST_SUITE_P(Stores, WritersTest, ::testing::ValuesIn(store_kinds()),
                         [](const auto& store) { return name_of(store.param); });

TEST_P(WritersTest, ProcessesFillAScopeExactly) {
  std::vector<std::unique_ptr<WorkerProcess>> processes;
  const auto journal = [&](std::size_t i) { return place_.file("journal" + std::to_string(i)); };
  for (std::size_t i = 0; i < writers; ++i) {
    processes.push_back(std::make_unique<WorkerProcess>(std::vector<std::string>{
        "fill", location_, journal(i), std::to_string(i + 1), fmt::to_string(size().epsilon)}));
  }
  std::vector<std::string> journals;
  std::int64_t accepted = 0, refused = 0;
  for (std::size_t i = 0; i < writers; ++i) {
    EXPECT_TRUE(processes[i]->succeeds());
    journals.push_back(journal(i));
    const Journal read = Journal::read(journals.back());
    EXPECT_TRUE(read.failures.empty()) << read.failures.front();
    for (const auto& [key, answer] : read.answered) ++(answer.accepted ? accepted : refused);
  }
  expect_full(accepted, refused);
  expect_agrees(Ledger(location_), journals);
}

TEST_P(WritersTest, ThreadsOfOneLedgerFillAScopeExactly) { fill_by_threads(1); }

TEST_P(WritersTest, ThreadsOfTwoLedgersFillAScopeExactly) { fill_by_threads(2); }

// Threads of one ledger that fail and succeed in one transaction.
TEST_P(WritersTest, AnErrorOfOneThreadIsNotThatOfAnother) {
  Ledger ledger(location_, {.patience = patience});
  std::atomic<int> accepted = 0, errors = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < 4; ++n) {
        try {
          const std::string scope = i % 2 == 0 ? "full" : "missing";
          if (ledger.charge({.scope = scope, .steps = Plan().add(PureDp{.epsilon = 0.01})}).accepted) ++accepted;
        } catch (const InvalidArgument&) {
          ++errors;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(accepted, 32);
  EXPECT_EQ(errors, 32);
  expect_valid(ledger);
}

}  // namespace
}  // namespace renyi::test::writers_test
