// Connections that end at every point of a call, servers that crash, and what is on the disk when they do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "ledger/fault_point.h"
#include "ledger/store/postgres_store.h"
#include "support/postgres_ledger.h"
#include "support/postgres_server.h"

namespace postgres_faults_test {
namespace {

using renyi::StoreFault;
using namespace renyi::ledger;
using renyi::test::append;
using renyi::test::fault_in;
using renyi::test::PostgresServer;
constexpr std::chrono::milliseconds patience{60'000};

// A server that writes nothing to the disk by itself for ten seconds.
std::vector<std::string> lazy_server() { return {"wal_writer_delay=10000", "checkpoint_timeout=3600"}; }

const PostgresServer* server_to_disturb = nullptr;
std::string where_to_disturb;
std::multiset<std::string> points;

void disturb(const char* name) {
  points.insert(name);
  if (name != where_to_disturb) return;
  where_to_disturb.clear();
  server_to_disturb->end_connections();
}

class PostgresFaults : public testing::Test {
 protected:
  void SetUp() override {
    server_to_disturb = &PostgresServer::shared();
    where_to_disturb.clear();
    points.clear();
    set_fault_hook(disturb);
  }
  void TearDown() override { set_fault_hook(nullptr); }
};

TEST_F(PostgresFaults, AConnectionMayEndAnywhere) {
  const auto store = create_postgres_store(PostgresServer::shared().uri("anywhere"), patience);
  std::int64_t entries = 0;
  for (const std::string point : {"postgres.begin.before", "postgres.begin.sent", "postgres.begin.after",
                                  "postgres.commit.before", "postgres.commit.sent", "postgres.commit.after",
                                  "postgres.flush.before", "postgres.flush.sent", "postgres.flush.after"}) {
    for (const bool is_fresh : {false, true}) {
      if (is_fresh) PostgresServer::shared().end_connections();
      where_to_disturb = point;
      const std::string key = point + (is_fresh ? "/fresh" : "/used");
      const std::optional<StoreFault> written = fault_in([&] { append(*store, key); });
      const std::optional<StoreFault> flushed = fault_in([&] { store->make_durable(); });
      EXPECT_EQ(where_to_disturb, "") << point << " was not met";
      const bool is_stored = renyi::test::has_key(*store, key);
      entries += is_stored ? 1 : 0;
      // Only while COMMIT is under way, its fate may be unknown.
      if (written && *written != StoreFault::unreachable) {
        EXPECT_EQ(*written, StoreFault::unknown) << point;
        EXPECT_EQ(point, "postgres.commit.sent");
      }
      EXPECT_TRUE(written == StoreFault::unknown || is_stored == !written) << point;
      const bool must_fail = point == "postgres.commit.before" || point == "postgres.begin.after";
      EXPECT_TRUE(written || !must_fail) << point;
      EXPECT_EQ(flushed, std::nullopt) << point;  // it asks again
      EXPECT_EQ(renyi::test::last_entry(*store), entries - 1) << point;
    }
  }
}

TEST_F(PostgresFaults, AHookThatThrowsLeavesAStoreThatWorks) {
  const auto store = create_postgres_store(PostgresServer::shared().uri("thrown"), patience);
  static std::string where;
  set_fault_hook([](const char* name) {
    if (name == where) throw renyi::StoreFailure(StoreFault::full, "thrown", "by a test");
  });
  for (const char* point : {"postgres.begin.before", "postgres.begin.sent", "postgres.begin.after",
                            "postgres.commit.before", "postgres.commit.sent", "postgres.commit.after"}) {
    where = point;
    EXPECT_EQ(fault_in([&] { append(*store, point); }), StoreFault::full) << point;
    where = "";
    append(*store, std::string(point) + " again");
    store->make_durable();
  }
  append(*store, "flushed");
  for (const char* point : {"postgres.flush.before", "postgres.flush.sent", "postgres.flush.after"}) {
    where = point;
    append(*store, std::string("flushed ") + point);
    EXPECT_EQ(fault_in([&] { store->make_durable(); }), StoreFault::unknown) << point;
  }
  where = "";
  EXPECT_EQ(fault_in([&] { store->make_durable(); }), std::nullopt);
}

TEST_F(PostgresFaults, AMigrationHappensWholeOrNotAtAll) {
  const std::string uri = PostgresServer::shared().uri("migrated");
  static std::string where;
  set_fault_hook([](const char* name) {
    if (name == where) throw renyi::StoreFailure(StoreFault::full, "thrown", "by a test");
  });
  for (const char* point : {"postgres.migrate.before", "postgres.migrate.step", "postgres.migrate.after"}) {
    where = point;
    EXPECT_EQ(fault_in([&] { create_postgres_store(uri, patience); }), StoreFault::full) << point;
    EXPECT_THROW(open_postgres_store(uri, patience), renyi::InvalidArgument) << point;
  }
  where = "";
  append(*create_postgres_store(uri, patience), "k0");
}

TEST_F(PostgresFaults, AnEntryIsOnTheDiskWhenTheStoreSaysSo) {
  const PostgresServer server(lazy_server());
  const auto store = create_postgres_store(server.uri(), patience);
  append(*store, "k0");
  const std::string written = server.text("SELECT pg_current_wal_insert_lsn()::text");
  const std::string is_flushed = "SELECT (pg_current_wal_flush_lsn() >= '" + written + "')::text";
  EXPECT_EQ(server.text(is_flushed), "false");
  store->make_durable();
  EXPECT_EQ(server.text(is_flushed), "true");
  // Every thread is answered when what it has written is there, whoever has flushed it.
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      append(*store, "thread " + std::to_string(i));
      store->make_durable();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(points.count("postgres.flush.sent"), 9U);
  const auto flushes = points.count("postgres.flush.sent");
  store->make_durable();  // nothing is left to do
  EXPECT_EQ(points.count("postgres.flush.sent"), flushes);
}

TEST_F(PostgresFaults, ACrashOfTheServerLosesNothingThatWasAcknowledged) {
  PostgresServer server(lazy_server());
  const auto store = create_postgres_store(server.uri(), patience);
  append(*store, "durable");
  store->make_durable();
  append(*store, "lost");
  server.command("kill");
  EXPECT_EQ(fault_in([&] { append(*store, "unreachable"); }), StoreFault::unreachable);
  server.command("start");
  // The server answers again, but it has forgotten the entry.
  EXPECT_EQ(fault_in([&] { store->make_durable(); }), StoreFault::unknown);
  EXPECT_TRUE(renyi::test::has_key(*store, "durable"));
  EXPECT_FALSE(renyi::test::has_key(*store, "lost"));
  append(*store, "lost");
  store->make_durable();
  EXPECT_EQ(renyi::test::last_entry(*store), 1);
}

TEST_F(PostgresFaults, AServerThatIsDownMakesTheFateUnknownAndComesBack) {
  PostgresServer server;
  const auto store = create_postgres_store(server.uri(), patience);
  append(*store, "k0");
  server.command("stop fast");
  EXPECT_EQ(fault_in([&] { store->make_durable(); }), StoreFault::unknown);
  EXPECT_EQ(fault_in([&] { renyi::test::last_entry(*store); }), StoreFault::unreachable);
  EXPECT_EQ(fault_in([&] { open_postgres_store(server.uri(), patience); }), StoreFault::unreachable);
  server.command("start");
  EXPECT_EQ(renyi::test::last_entry(*store), 0);  // a server that stops in order writes everything
  append(*store, "k1");
  store->make_durable();
  server.command("stop immediate");
  server.command("start");
  EXPECT_EQ(renyi::test::last_entry(*store), 1);
}

}  // namespace
}  // namespace postgres_faults_test
