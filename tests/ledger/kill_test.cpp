// Processes that use a ledger are killed by SIGKILL, at random moments and at every fault point: what was acknowledged
// is there, once, no budget is exceeded, and a call that was not acknowledged is completed by repeating it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <set>

#include "support/fault_points.h"
#include "support/ledger_check.h"
#include "support/ledger_place.h"
#include "support/old_ledger.h"
#include "support/worker_process.h"

namespace renyi::test::kill_test {
namespace {

// Several processes on one ledger, each with its journal.
class Users {
 public:
  Users(LedgerPlace& place, bool with_witness, std::size_t count) : location_(place.location("ledger")) {
    if (!run_worker({"create", location_, with_witness ? place.file("witness") : "-"})) {
      throw std::runtime_error("no ledger was made");
    }
    for (std::size_t i = 0; i < count; ++i) journals_.push_back(place.file("journal" + std::to_string(i)));
    processes_.resize(count);
  }

  void start(std::size_t user, int calls, const WorkerProcess::Variables& variables = {}) {
    processes_[user] = std::make_unique<WorkerProcess>(
        std::vector<std::string>{"work", location_, journals_[user], std::to_string(user + 1), std::to_string(calls)},
        variables);
  }
  WorkerProcess& process(std::size_t user) { return *processes_[user]; }
  [[nodiscard]] const std::string& journal(std::size_t user) const { return journals_[user]; }
  [[nodiscard]] std::size_t count() const { return journals_.size(); }

  // Kills those that run; then everybody repeats what was not acknowledged, and goes.
  LedgerCensus finish() {
    for (const auto& process : processes_) {
      if (process) process->kill();
    }
    {
      const Ledger ledger(location_);
      expect_agrees(ledger, journals_);
    }
    for (std::size_t user = 0; user < count(); ++user) {
      start(user, 0);
      EXPECT_TRUE(process(user).succeeds()) << "user " << user;
      EXPECT_TRUE(Journal::read(journals_[user]).open_calls().empty());
      EXPECT_TRUE(Journal::read(journals_[user]).failures.empty()) << Journal::read(journals_[user]).failures.front();
    }
    const Ledger ledger(location_);
    return expect_agrees(ledger, journals_);
  }

 private:
  std::string location_;
  std::vector<std::string> journals_;
  std::vector<std::unique_ptr<WorkerProcess>> processes_;
};

class KillTest : public ::testing::TestWithParam<StoreKind> {};
INSTANTIATE_TEST_SUITE_P(Stores, KillTest, ::testing::ValuesIn(store_kinds()),
                         [](const auto& store) { return name_of(store.param); });

// Kills users of one ledger at random moments; adds to the numbers of all ledgers.
void kill_at_random(StoreKind kind, int kills, std::mt19937_64& random, LedgerCensus& sum) {
  LedgerPlace place(kind);
  Users users(place, true, 4);
  std::vector<std::int64_t> goals(users.count());
  const auto start = [&](std::size_t user) {
    users.start(user, 1'000'000);
    // Some are killed while they begin; the others have written some lines before.
    goals[user] = size_of_file(users.journal(user)) + static_cast<std::int64_t>(random() % 12) * 100;
  };
  for (std::size_t user = 0; user < users.count(); ++user) start(user);
  int in_a_call = 0;
  for (int kill = 0; kill < kills; ++kill) {
    const std::size_t user = random() % users.count();
    while (users.process(user).is_running() && size_of_file(users.journal(user)) < goals[user]) {
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
    ASSERT_TRUE(users.process(user).is_running()) << "user " << user << " ended by itself";
    users.process(user).kill();
    in_a_call += Journal::read(users.journal(user)).open_calls().empty() ? 0 : 1;
    start(user);
  }
  const LedgerCensus census = users.finish();
  EXPECT_GT(in_a_call, 0);
  EXPECT_GT(census.calls, kills);
  EXPECT_GT(census.refusals, kills / 2) << "the exact scope is not at its limit";
  sum.entries += census.entries;
  sum.calls += census.calls;
  sum.refusals += census.refusals;
  sum.interrupted += in_a_call;
}

TEST_P(KillTest, NothingAcknowledgedIsLostAtRandomMoments) {
  const int kills = 40, ledgers = all_faults() ? 25 : 1;
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  LedgerCensus sum;
  for (int i = 0; i < ledgers && !HasFatalFailure(); ++i) kill_at_random(GetParam(), kills, random, sum);
  std::printf("%d kills, %ld of them in a call; %ld calls acknowledged, %ld refused, %ld entries\n", kills * ledgers,
              static_cast<long>(sum.interrupted), static_cast<long>(sum.calls), static_cast<long>(sum.refusals),
              static_cast<long>(sum.entries));
}

// ---- Fault points.

// Points that are reached while a ledger is made, and while it is used. Those of releases are killed at in
// kill_release_test.cpp.
struct Reached {
  std::set<std::string> at_creation{}, at_work{};
};

Reached reached_points(StoreKind kind) {
  LedgerPlace place(kind);
  const std::string location = place.location("ledger"), list = place.file("points");
  const WorkerProcess::Variables listing{{"RENYI_WORKER_POINTS", list}};
  EXPECT_TRUE(run_worker({"create", location, place.file("witness")}, listing));
  Reached reached{.at_creation = lines_of(list)};
  std::filesystem::remove(list);
  EXPECT_TRUE(run_worker({"work", location, place.file("journal"), "1", "30"}, listing));
  reached.at_work = lines_of(list);
  return reached;
}

TEST(FaultPointsWithPostgres, EveryNamedPointIsReached) {
  std::set<std::string> reached;
  for (const StoreKind kind : store_kinds()) {
    const Reached points = reached_points(kind);
    reached.insert(points.at_creation.begin(), points.at_creation.end());
    reached.insert(points.at_work.begin(), points.at_work.end());
  }
  LedgerPlace place(StoreKind::sqlite);
  const std::string location = place.location("ledger"), list = place.file("points");
  std::filesystem::create_directory(place.file("outputs"));
  EXPECT_TRUE(run_worker({"create", location, "-"}));
  EXPECT_TRUE(run_worker({"release", location, place.file("journal"), "1", "12", place.file("outputs")},
                         {{"RENYI_WORKER_POINTS", list}}));
  put_old_ledger(old_ledgers().front(), place.file("old"));
  EXPECT_TRUE(run_worker({"open", place.file("old"), "-"}, {{"RENYI_WORKER_POINTS", list}}));
  Ledger(location).add_scope("full", {.budget = Budget::pure(1)});
  EXPECT_TRUE(run_worker({"fill", location, place.file("journal of fill"), "1", "1"}, {{"RENYI_WORKER_POINTS", list}}));
  reached.merge(lines_of(list));
  const std::set<std::string> named = named_points();
  EXPECT_GT(named.size(), 10U);
  for (const std::string& name : named) EXPECT_TRUE(reached.contains(name)) << name << " is reached by no test";
  for (const std::string& name : reached) EXPECT_TRUE(named.contains(name)) << name << " is not found in the sources";
}

TEST_P(KillTest, NothingAcknowledgedIsLostAtAnyFaultPoint) {
  LedgerPlace place(GetParam());
  Users users(place, true, 2);
  const int most = all_faults() ? 12 : 2;
  int kills = 0;
  for (const std::string& point : reached_points(GetParam()).at_work) {
    for (int hit = 1; hit <= most; ++hit) {
      SCOPED_TRACE(point + " " + std::to_string(hit));
      const std::size_t user = static_cast<std::size_t>(hit) % 2;
      users.start(user, 1000, {{"RENYI_WORKER_DIES", point + " " + std::to_string(hit * hit)}});
      if (hit % 3 == 0) users.start(1 - user, 10);  // another user, at the same time
      EXPECT_TRUE(users.process(user).dies());
      if (hit % 3 == 0) {
        EXPECT_TRUE(users.process(1 - user).succeeds());
      }
      ++kills;
    }
  }
  users.finish();
  std::printf("%d kills at fault points\n", kills);
}

// A ledger whose creation was killed can be used, or says what is the matter; another one can be made.
TEST_P(KillTest, ACreationThatWasKilledLeavesNoHalfLedger) {
  for (const std::string& point : reached_points(GetParam()).at_creation) {
    for (const bool has_witness : {false, true}) {
      if (!has_witness && point.starts_with("witness")) continue;
      SCOPED_TRACE(point + (has_witness ? " with a witness" : ""));
      LedgerPlace place(GetParam());
      const std::string location = place.location("ledger"), witness = has_witness ? place.file("witness") : "-";
      WorkerProcess process({"create", location, witness}, {{"RENYI_WORKER_DIES", point + " 1"}});
      EXPECT_TRUE(process.dies());
      try {
        Ledger ledger(location);
        expect_valid(ledger);
        EXPECT_EQ(ledger.head().entry, 0);
        add_test_scopes(ledger);
        expect_valid(ledger);
      } catch (const InvalidArgument&) {
        EXPECT_TRUE(run_worker({"create", location, witness}));
      } catch (const StoreFailure& failure) {
        EXPECT_TRUE(failure.fault() == StoreFault::corrupt ||
                    (has_witness && failure.fault() == StoreFault::rolled_back))
            << failure.what();
      }
    }
  }
}

}  // namespace
}  // namespace renyi::test::kill_test
