// What is written to PostgreSQL is read back, entries continue the log, and writers exclude each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "ledger/store/postgres_store.h"
#include "renyi/ledger.h"
#include "renyi/mechanisms.h"
#include "support/postgres_ledger.h"
#include "support/postgres_server.h"

namespace postgres_rows_test {
namespace {

using renyi::StoreFault;
using renyi::TicketState;
using namespace renyi::ledger;
using renyi::test::PostgresServer;
using testing::ElementsAre;
using testing::IsEmpty;
constexpr std::chrono::milliseconds patience{60'000};

std::vector<std::string> keys(Store& store, const renyi::HistoryFilter& filter) {
  std::vector<std::string> result;
  store.read([&](View& view) { view.history(filter, [&](const EntryRow& row) { result.push_back(row.key); }); });
  return result;
}

TEST(PostgresRows, AreReadBack) {
  const std::string uri = PostgresServer::shared().uri("rows");
  const std::string bytes = std::string("\0\1\xff\n", 4);
  {
    const auto store = create_postgres_store(uri, patience);
    store->write([&](View& view) {
      EXPECT_EQ(view.end().entry, -1);
      EXPECT_EQ(view.scopes_changed(), -1);
      Changes changes;
      changes.entries.push_back(renyi::test::entry_after(view.end(), "k0 'é\""));
      changes.scopes = {{"clinic", 0, "{}"}, {"clinic/a", 0, "{}"}};
      changes.cells = {{"clinic", "a|b", "first"}, {"clinic", "a|b", bytes}};  // the later one counts
      changes.steps = {{"clinic", "a|b", "s1", 3}, {"clinic", "a|b", "s2", 4}};
      changes.tickets = {{0, TicketState::reserved, 0, "clinic", "2026-11-17", "secret"},
                         {1, TicketState::reserved, 0, "clinic", "2026-11-18", "other"}};
      changes.outputs = {{0, bytes}};
      return changes;
    });
    renyi::test::set_fact(*store, "place", "somewhere");
    renyi::test::set_fact(*store, "place", "here");
    store->make_durable();
  }
  const auto store = open_postgres_store(uri, patience);
  store->write([&](View& view) {
    Changes changes;
    changes.entries.push_back(renyi::test::entry_after(view.end(), "k1"));
    changes.steps = {{"clinic", "a|b", "s1", -3}, {"clinic", "a|b", "s2", 2}, {"clinic", "a|b", "s2", -1}};
    changes.tickets = {{0, TicketState::opened, 1, "clinic", "2026-11-17", ""}};
    return changes;
  });
  store->read([&](View& view) {
    const EntryRow first = view.entry_by_key("k0 'é\"").value();
    EXPECT_EQ(view.end().entry, 1);
    EXPECT_EQ(view.end().hash, view.entry(1)->hash);
    EXPECT_EQ(first.entry, 0);
    EXPECT_EQ(first.text, renyi::test::entry_after({}, first.key).text);
    EXPECT_EQ(first.person, "ada");
    EXPECT_FALSE(view.entry(2).has_value());
    EXPECT_FALSE(view.entry_by_key("k2").has_value());
    EXPECT_EQ(view.scopes_changed(), 0);
    ASSERT_EQ(view.scopes().size(), 2U);
    EXPECT_EQ(view.scopes()[1].name, "clinic/a");
    ASSERT_EQ(view.cells("clinic").size(), 1U);
    EXPECT_EQ(view.cells("clinic")[0].sums, bytes);
    ASSERT_EQ(view.steps("clinic", "a|b").size(), 1U);
    EXPECT_EQ(view.steps("clinic", "a|b")[0].count, 5);
    EXPECT_EQ(view.ticket(0)->state, TicketState::opened);
    EXPECT_EQ(view.ticket(1)->secret, "other");
    EXPECT_FALSE(view.ticket(2).has_value());
    EXPECT_THAT(view.overdue("2026-11-17T12", 10), IsEmpty());
    ASSERT_EQ(view.overdue("2026-11-18", 10).size(), 1U);
    EXPECT_EQ(view.overdue("2026-11-18", 10)[0].ticket, 1);
    std::vector<std::int64_t> tickets;
    view.tickets([&](const TicketRow& row) { tickets.push_back(row.ticket); });
    EXPECT_THAT(tickets, ElementsAre(0, 1));
    EXPECT_EQ(view.output(0), bytes);
    EXPECT_FALSE(view.output(1).has_value());
    EXPECT_EQ(view.fact("place"), "here");
    EXPECT_EQ(view.fact("witness"), "");
  });
}

TEST(PostgresRows, HistoryIsFilteredAndReadInPages) {
  const auto store = create_postgres_store(PostgresServer::shared().uri("history"), patience);
  store->write([&](View& view) {
    Changes changes;
    LogEnd end = view.end();
    for (int i = 0; i < 1'203; ++i) {
      EntryRow row = renyi::test::entry_after(end, "k" + std::to_string(i));
      if (i == 1'100) row.scope = "clinic/a";
      if (i == 1'101) row.scope = "clinic0";
      if (i == 1'102) row.person = "bob";
      if (i == 1'103) row.time = "2026-12-01T00:00:00.000Z";
      end = {row.entry, row.hash, row.time};
      changes.entries.push_back(std::move(row));
    }
    return changes;
  });
  EXPECT_EQ(keys(*store, {}).size(), 1'203U);
  EXPECT_EQ(keys(*store, {.scope = "clinic"}).size(), 1'202U);
  EXPECT_THAT(keys(*store, {.scope = "clinic/a"}), ElementsAre("k1100"));
  EXPECT_THAT(keys(*store, {.person = "bob"}), ElementsAre("k1102"));
  EXPECT_THAT(keys(*store, {.since = "2026-12"}), ElementsAre("k1103"));
  EXPECT_EQ(keys(*store, {.until = "2026-12"}).size(), 1'202U);
  EXPECT_THAT(keys(*store, {.after = 1'200}), ElementsAre("k1201", "k1202"));
  EXPECT_EQ(keys(*store, {.most = 700}).size(), 700U);
  std::int64_t visited = 0;
  store->read([&](View& view) {
    view.entries(10, [&](const EntryRow& row) {
      EXPECT_EQ(row.entry, 10 + visited);
      EXPECT_EQ(view.entry(row.entry)->hash, row.hash);  // a question between two entries
      return ++visited < 600;
    });
  });
  EXPECT_EQ(visited, 600);
}

TEST(PostgresRows, EntriesContinueTheLog) {
  const auto store = create_postgres_store(PostgresServer::shared().uri("continued"), patience);
  renyi::test::append(*store, "k0");
  renyi::test::append(*store, "k1");
  const auto fault_of_entry = [&](const std::function<void(EntryRow&)>& change) {
    return renyi::test::fault_in([&] {
      store->write([&](View& view) {
        EntryRow row = renyi::test::entry_after(view.end(), "k2");
        change(row);
        return Changes{.entries = {row}, .scopes = {{"lost", row.entry, "{}"}}};
      });
    });
  };
  EXPECT_EQ(fault_of_entry([](EntryRow& row) { row.key = "k1"; }), StoreFault::corrupt);
  EXPECT_EQ(fault_of_entry([](EntryRow& row) { row.entry = 1; }), StoreFault::corrupt);
  EXPECT_EQ(fault_of_entry([](EntryRow& row) { row.entry = 3; }), StoreFault::corrupt);
  EXPECT_EQ(fault_of_entry([](EntryRow& row) {
              row = renyi::test::entry_after({1, "another", ""}, "k2");
            }),
            StoreFault::corrupt);
  EXPECT_THROW(fault_of_entry([](EntryRow& row) { row.key = std::string("k\0", 2); }), renyi::InvalidArgument);
  EXPECT_THROW(store->write([](View&) -> Changes { throw renyi::InvalidArgument("a", "b", "c"); }),
               renyi::InvalidArgument);
  EXPECT_EQ(renyi::test::last_entry(*store), 1);
  store->read([](View& view) { EXPECT_THAT(view.scopes(), IsEmpty()); });
  renyi::test::append(*store, "k2");
  EXPECT_EQ(renyi::test::last_entry(*store), 2);
}

TEST(PostgresRows, WritersTakeTurns) {
  const std::string uri = PostgresServer::shared().uri("turns");
  const auto first = create_postgres_store(uri, patience);
  const auto second = open_postgres_store(uri, patience);
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      Store& store = i % 2 == 0 ? *first : *second;
      for (int k = 0; k < 10; ++k) {
        renyi::test::append(store, std::to_string(i) + "/" + std::to_string(k));
        store.make_durable();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(renyi::test::last_entry(*first), 59);
}

TEST(PostgresRows, AWriterThatIsTooSlowIsWaitedForInVain) {
  const std::string uri = PostgresServer::shared().uri("slow");
  const auto slow = create_postgres_store(uri, std::chrono::milliseconds(50));
  const auto other = open_postgres_store(uri, std::chrono::milliseconds(50));
  slow->write([&](View& view) {
    EXPECT_EQ(renyi::test::fault_in([&] { renyi::test::append(*other, "other"); }), StoreFault::busy);
    EXPECT_EQ(renyi::test::fault_in([&] { renyi::test::append(*slow, "thread"); }), StoreFault::busy);
    EXPECT_EQ(renyi::test::last_entry(*other), -1);  // readers do not wait
    return Changes{.entries = {renyi::test::entry_after(view.end(), "slow")}};
  });
  renyi::test::append(*other, "other");
  EXPECT_EQ(renyi::test::last_entry(*slow), 1);
}

TEST(PostgresRows, ALedgerIsKept) {
  const std::string uri = PostgresServer::shared().uri("whole");
  {
    renyi::Ledger ledger = renyi::Ledger::create(uri);
    ledger.add_scope("clinic", {.budget = renyi::Budget::zcdp(0.5)});
    const renyi::ChargeRequest request{.scope = "clinic", .steps = renyi::Plan().add(renyi::Gaussian{.stddev = 2})};
    EXPECT_TRUE(ledger.charge(request, {.key = "one"}).accepted);
    EXPECT_TRUE(ledger.charge(request, {.key = "one"}).repeated);
    const renyi::Receipt reserved = ledger.reserve(request, std::chrono::hours(1));
    EXPECT_TRUE(ledger.open(reserved.ticket, reserved.secret).accepted);
    EXPECT_TRUE(ledger.commit(reserved.ticket, {.bytes = "published"}).accepted);
  }
  const renyi::Ledger ledger(uri);
  EXPECT_EQ(ledger.scope("clinic").charges, 2);
  EXPECT_EQ(ledger.verify(ledger.head()).fault, "");
}

}  // namespace
}  // namespace postgres_rows_test
