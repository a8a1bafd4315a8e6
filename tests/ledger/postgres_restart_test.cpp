// PostgreSQL is restarted, stopped in the middle and killed while processes charge to a ledger, and connections are
// ended at random: what was acknowledged is there, once, and every call is completed by repeating it.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "support/ledger_check.h"
#include "support/ledger_place.h"
#include "support/worker_process.h"

namespace renyi::test::postgres_restart_test {
namespace {

// Connections that are ended, not those of this test.
void end_some_connection(const PostgresServer& server) {
  server.run(
      "DO $$ BEGIN PERFORM pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE application_name = "
      "'renyi' ORDER BY random() LIMIT 1) AS one; END $$");
}

TEST(PostgresRestart, NothingAcknowledgedIsLost) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  PostgresServer server({"max_connections=100"});
  LedgerPlace place(server);
  const std::string location = place.location("ledger");
  ASSERT_TRUE(run_worker({"create", location, place.file("witness")}));
  std::vector<std::string> journals;
  std::vector<std::unique_ptr<WorkerProcess>> users;
  const auto start = [&](std::size_t user, int calls) {
    return std::make_unique<WorkerProcess>(
        std::vector<std::string>{"work", location, journals[user], std::to_string(user + 1), std::to_string(calls)});
  };
  for (std::size_t user = 0; user < 4; ++user) {
    journals.push_back(place.file("journal" + std::to_string(user)));
    users.push_back(start(user, 1'000'000));
  }
  // Everybody has made some calls since the last disturbance.
  const auto wait_for_calls = [&] {
    std::vector<std::int64_t> before;
    for (const std::string& journal : journals) before.push_back(size_of_file(journal));
    for (std::size_t user = 0; user < users.size(); ++user) {
      while (users[user]->is_running() && size_of_file(journals[user]) < before[user] + 600) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  };
  const int rounds = all_faults() ? 40 : 2;
  for (int round = 0; round < rounds; ++round) {
    for (const char* stop : {"stop fast", "stop immediate", "kill"}) {
      wait_for_calls();
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 5000));
      server.command(stop);
      server.command("start");
    }
    for (int i = 0; i < 5; ++i) {
      wait_for_calls();
      end_some_connection(server);
    }
  }
  wait_for_calls();
  int failures = 0;
  for (std::size_t user = 0; user < users.size(); ++user) {
    ASSERT_TRUE(users[user]->is_running()) << "user " << user << " ended by itself";
    users[user]->kill();
    users[user] = start(user, 0);
    EXPECT_TRUE(users[user]->succeeds());
    const Journal journal = Journal::read(journals[user]);
    EXPECT_TRUE(journal.open_calls().empty());
    failures += static_cast<int>(journal.failures.size());
  }
  const LedgerCensus census = expect_agrees(Ledger(location), journals);
  std::printf("%d stops, %d ended connections, %d failures that users saw, %ld calls acknowledged, %ld entries\n",
              3 * rounds, 5 * rounds, failures, static_cast<long>(census.calls), static_cast<long>(census.entries));
}

}  // namespace
}  // namespace renyi::test::postgres_restart_test
