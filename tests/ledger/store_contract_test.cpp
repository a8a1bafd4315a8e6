// What ledger/store/store.h promises, of every store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "ledger/store/store.h"
#include "renyi/error.h"
#include "support/ledger_place.h"
#include "support/postgres_ledger.h"

namespace renyi::test::store_contract_test {
namespace {

using ledger::Changes;
using ledger::EntryRow;
using ledger::Store;
using ledger::TicketRow;
using ledger::View;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::chrono::milliseconds patience{60'000};

class StoreContract : public ::testing::TestWithParam<StoreKind> {
 protected:
  StoreContract()
      : place_(GetParam()), location_(place_.location("store")), store_(ledger::create_store(location_, patience)) {}

  [[nodiscard]] std::unique_ptr<Store> again(std::chrono::milliseconds wait = patience) const {
    return ledger::open_store(location_, wait);
  }
  // Changes without an entry are none that a ledger makes: each write gets one.
  void write(Changes changes, const std::string& key = "") {
    store_->write([&](View& view) {
      Changes all = changes;
      all.entries.push_back(entry_after(view.end(), key));
      return all;
    });
  }
  std::vector<std::string> keys(const HistoryFilter& filter) {
    std::vector<std::string> list;
    store_->read([&](View& view) { view.history(filter, [&](const EntryRow& row) { list.push_back(row.key); }); });
    return list;
  }
  std::vector<std::pair<std::string, std::int64_t>> steps(const std::string& scope, const std::string& cell) {
    std::vector<std::pair<std::string, std::int64_t>> list;
    store_->read([&](View& view) {
      for (const ledger::StepRow& row : view.steps(scope, cell)) list.emplace_back(row.step, row.count);
    });
    return list;
  }

  LedgerPlace place_;
  std::string location_;
  std::unique_ptr<Store> store_;
};
INSTANTIATE_TEST_SUITE_P(Stores, StoreContract, ::testing::ValuesIn(store_kinds()),
                         [](const auto& store) { return name_of(store.param); });

TEST_P(StoreContract, APlaceIsMadeOnceAndOpenedOnlyIfItIsThere) {
  EXPECT_THROW(ledger::create_store(location_, patience), InvalidArgument);
  EXPECT_THROW(ledger::open_store(place_.location("another"), patience), InvalidArgument);
}

TEST_P(StoreContract, IsEmptyAtFirst) {
  store_->read([](View& view) {
    EXPECT_EQ(view.end().entry, -1);
    EXPECT_EQ(view.end().hash, "");
    EXPECT_EQ(view.scopes_changed(), -1);
    EXPECT_FALSE(view.entry(0));
    EXPECT_FALSE(view.entry_by_key("k"));
    EXPECT_THAT(view.scopes(), IsEmpty());
    EXPECT_THAT(view.overdue("9999", 10), IsEmpty());
    EXPECT_EQ(view.fact("ledger"), "");
    EXPECT_EQ(view.row_counts().cells, 0);
  });
}

TEST_P(StoreContract, EntriesAreReadBackInOrder) {
  std::vector<EntryRow> written;
  for (int i = 0; i < 3; ++i) {
    store_->write([&](View& view) {
      Changes changes;
      ledger::LogEnd end = view.end();
      for (int k = 0; k < 400; ++k) {
        changes.entries.push_back(entry_after(end, "key '" + std::to_string(i) + "\" ü" + std::to_string(k)));
        end = {changes.entries.back().entry, changes.entries.back().hash, changes.entries.back().time};
      }
      written.insert(written.end(), changes.entries.begin(), changes.entries.end());
      return changes;
    });
  }
  store_->make_durable();
  const auto other = again();
  other->read([&](View& view) {
    EXPECT_EQ(view.end().entry, 1199);
    EXPECT_EQ(view.end().hash, written.back().hash);
    EXPECT_EQ(view.end().time, written.back().time);
    std::size_t next = 5;
    view.entries(5, [&](const EntryRow& row) {
      EXPECT_EQ(row.entry, static_cast<std::int64_t>(next));
      EXPECT_EQ(row.text, written[next].text);
      EXPECT_EQ(row.hash, written[next].hash);
      EXPECT_EQ(row.key, written[next].key);
      return ++next < 1100;
    });
    EXPECT_EQ(next, 1100U);
    EXPECT_EQ(view.entry(700)->key, written[700].key);
    EXPECT_EQ(view.entry_by_key(written[700].key)->entry, 700);
    EXPECT_FALSE(view.entry(1200));
  });
}

TEST_P(StoreContract, AKeyIsThereOnceAndAFailedWriteChangesNothing) {
  write({}, "k");
  Changes more{.scopes = {{"clinic", 1, "{}"}}, .cells = {{"clinic", "|", "sums"}}};
  EXPECT_THROW(write(more, "k"), StoreFailure);
  store_->read([](View& view) {
    EXPECT_EQ(view.end().entry, 0);
    EXPECT_THAT(view.scopes(), IsEmpty());
    EXPECT_THAT(view.cells("clinic"), IsEmpty());
  });
  // Entries that expire reservations have no key.
  write({}, "");
  write({}, "");
  EXPECT_EQ(last_entry(*store_), 2);
}

TEST_P(StoreContract, KeysThatAreExpectedAreFoundOrNot) {
  write({}, "k0");
  write({}, "k'1\"");
  write({}, "");
  store_->read([](View& view) {
    view.expect_keys({"k0", "k'1\"", "k2", "k0", ""});
    EXPECT_EQ(view.entry_by_key("k0")->entry, 0);
    EXPECT_EQ(view.entry_by_key("k'1\"")->entry, 1);
    EXPECT_FALSE(view.entry_by_key("k2"));
    EXPECT_FALSE(view.entry_by_key("")) << "entries without a key have none";
    EXPECT_FALSE(view.entry_by_key("k3"));
  });
}

TEST_P(StoreContract, ADecisionThatThrowsChangesNothing) {
  write({}, "k0");
  EXPECT_THROW(store_->write([](View&) -> Changes { throw InvalidArgument("scope", "x", "y"); }), InvalidArgument);
  EXPECT_THROW(store_->write([](View&) -> Changes { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_THROW(store_->read([](View&) { throw InvalidArgument("scope", "x", "y"); }), InvalidArgument);
  write({}, "k1");
  store_->make_durable();
  EXPECT_EQ(last_entry(*again()), 1);
}

TEST_P(StoreContract, AViewSeesOneState) {
  write({.scopes = {{"clinic", 0, "{}"}}}, "k0");
  const auto other = again();
  store_->read([&](View& view) {
    EXPECT_EQ(view.end().entry, 0);
    std::thread([&] {
      other->write([](View& theirs) {
        return Changes{.entries = {entry_after(theirs.end(), "k1")}, .scopes = {{"clinic", 1, "{}"}, {"lab", 1, "{}"}}};
      });
    }).join();
    EXPECT_EQ(view.end().entry, 0);
    EXPECT_FALSE(view.entry(1));
    EXPECT_FALSE(view.entry_by_key("k1"));
    EXPECT_EQ(view.scopes_changed(), 0);
    EXPECT_EQ(view.scopes().size(), 1U);
  });
  store_->read([&](View& view) {
    EXPECT_EQ(view.end().entry, 1);
    EXPECT_EQ(view.scopes_changed(), 1);
    EXPECT_EQ(view.scopes().size(), 2U);
  });
}

TEST_P(StoreContract, ADecisionSeesWhatIsStoredNow) {
  const auto other = again();
  append(*other, "k0");
  append(*store_, "k1");
  append(*other, "k2");
  EXPECT_EQ(last_entry(*store_), 2);
  EXPECT_EQ(keys({}).size(), 3U);
}

TEST_P(StoreContract, DerivedRowsAreReplaced) {
  const std::string bytes("\0\1\xff\n'", 5);
  write({.scopes = {{"b", 0, "{\"b\":1}"}, {"a/x", 0, "{}"}, {"a", 0, "{}"}},
         .cells = {{"a", "|", bytes}, {"a", "x|y", "1"}},
         .outputs = {{7, bytes}, {8, ""}}});
  write({.scopes = {{"b", 1, "{\"b\":2}"}}, .cells = {{"a", "|", "2"}}});
  store_->read([&](View& view) {
    const auto scopes = view.scopes();
    ASSERT_EQ(scopes.size(), 3U);
    EXPECT_EQ(scopes[0].name, "a");
    EXPECT_EQ(scopes[1].name, "a/x");
    EXPECT_EQ(scopes[2].text, "{\"b\":2}");
    EXPECT_EQ(scopes[2].entry, 1);
    EXPECT_EQ(view.scopes_changed(), 1);
    const auto cells = view.cells("a");
    ASSERT_EQ(cells.size(), 2U);
    for (const ledger::CellRow& row : cells) EXPECT_EQ(row.sums, row.cell == "|" ? "2" : "1");
    EXPECT_EQ(view.output(7), bytes);
    EXPECT_EQ(view.output(8), "");
    EXPECT_FALSE(view.output(9));
    const ledger::RowCounts counts = view.row_counts();
    EXPECT_EQ(counts.cells, 2);
    EXPECT_EQ(counts.outputs, 2);
  });
}

TEST_P(StoreContract, CountsOfStepsAreAdded) {
  write({.steps = {{"a", "|", "s1", 3}, {"a", "|", "s2", 4}, {"a", "x|", "s1", 1}}});
  write({.steps = {{"a", "|", "s1", 2}, {"a", "|", "s2", -1}, {"a", "|", "s3", 9}}});
  EXPECT_THAT(steps("a", "|"), ElementsAre(std::pair("s1", 5), std::pair("s2", 3), std::pair("s3", 9)));
  write({.steps = {{"a", "|", "s1", -5}, {"a", "|", "s3", -8}}});
  EXPECT_THAT(steps("a", "|"), ElementsAre(std::pair("s2", 3), std::pair("s3", 1)));
  EXPECT_THAT(steps("a", "x|"), ElementsAre(std::pair("s1", 1)));
  EXPECT_THAT(steps("b", "|"), IsEmpty());
  store_->read([](View& view) { EXPECT_EQ(view.row_counts().steps, 3); });
}

TEST_P(StoreContract, TicketsAreFoundByNumberAndExpiry) {
  const auto ticket = [](std::int64_t number, TicketState state, const char* expires) {
    return TicketRow{number, state, number, "clinic", expires, "secret " + std::to_string(number)};
  };
  write({.tickets = {ticket(3, TicketState::reserved, "2026-11-17"), ticket(4, TicketState::reserved, "2026-11-16"),
                     ticket(5, TicketState::reserved, "2026-11-18"), ticket(6, TicketState::reserved, "2026-11-15")}});
  write({.tickets = {{6, TicketState::opened, 9, "clinic", "2026-11-15", ""}}});
  const auto overdue = [&](const std::string& time, std::int64_t most) {
    std::vector<std::int64_t> numbers;
    store_->read([&](View& view) {
      for (const TicketRow& row : view.overdue(time, most)) numbers.push_back(row.ticket);
    });
    return numbers;
  };
  EXPECT_THAT(overdue("2026-11-15", 9), IsEmpty());
  EXPECT_THAT(overdue("2026-11-17", 9), testing::UnorderedElementsAre(3, 4));
  EXPECT_EQ(overdue("2026-12", 2).size(), 2U);
  EXPECT_EQ(overdue("2026-12", 9).size(), 3U);
  store_->read([&](View& view) {
    EXPECT_EQ(view.ticket(5)->secret, "secret 5");
    EXPECT_EQ(view.ticket(6)->state, TicketState::opened);
    EXPECT_EQ(view.ticket(6)->entry, 9);
    EXPECT_EQ(view.ticket(6)->secret, "");
    EXPECT_FALSE(view.ticket(7));
    std::vector<std::int64_t> all;
    view.tickets([&](const TicketRow& row) { all.push_back(row.ticket); });
    EXPECT_THAT(all, ElementsAre(3, 4, 5, 6));
  });
}

TEST_P(StoreContract, HistoriesAreFiltered) {
  const auto add = [&](const std::string& key, const std::string& scope, const std::string& person,
                       const std::string& time) {
    store_->write([&](View& view) {
      EntryRow row = entry_after(view.end(), key);
      row.scope = scope;
      row.person = person;
      row.time = time;
      return Changes{.entries = {row}};
    });
  };
  add("k0", "", "", "2026-10-31T23:59:59.999Z");
  add("k1", "clinic", "ada", "2026-11-01T00:00:00.000Z");
  add("k2", "clinic/a", "ben", "2026-11-02T00:00:00.000Z");
  add("k3", "clinical", "ada", "2026-11-03T00:00:00.000Z");
  add("k4", "clinic-b", "ada", "2026-12-01T00:00:00.000Z");
  EXPECT_THAT(keys({}), ElementsAre("k0", "k1", "k2", "k3", "k4"));
  EXPECT_THAT(keys({.scope = "clinic"}), ElementsAre("k1", "k2"));
  EXPECT_THAT(keys({.scope = "clinic/a"}), ElementsAre("k2"));
  EXPECT_THAT(keys({.scope = "clin"}), IsEmpty());
  EXPECT_THAT(keys({.scope = "clinic%"}), IsEmpty());
  EXPECT_THAT(keys({.person = "ada"}), ElementsAre("k1", "k3", "k4"));
  EXPECT_THAT(keys({.since = "2026-11", .until = "2026-12"}), ElementsAre("k1", "k2", "k3"));
  EXPECT_THAT(keys({.person = "ada", .since = "2026-11-02"}), ElementsAre("k3", "k4"));
  EXPECT_THAT(keys({.after = 2}), ElementsAre("k3", "k4"));
  EXPECT_THAT(keys({.after = 0, .most = 2}), ElementsAre("k1", "k2"));
}

TEST_P(StoreContract, HistoriesEndWhereTheyAreAsked) {
  for (int i = 0; i < 8; ++i) write({}, "k" + std::to_string(i));
  EXPECT_THAT(keys({.before = 2}), ElementsAre("k0", "k1"));
  EXPECT_THAT(keys({.after = 3, .most = 9, .before = 6}), ElementsAre("k4", "k5"));
  const auto start = [&](const HistoryFilter& filter) {
    std::int64_t after = 0;
    store_->read([&](View& view) { after = view.before_last(filter); });
    return after;
  };
  EXPECT_EQ(start({.last = 3}), 4);
  EXPECT_EQ(start({.before = 5, .last = 3}), 1);
  EXPECT_EQ(start({.last = 100}), -1);
  EXPECT_EQ(start({.scope = "none", .after = 2, .last = 3}), 2);
}

// Tickets lead to entries, whatever else is in the log. A text within an entry is no member of it.
TEST_P(StoreContract, PendingTicketsAndReleasesAreFound) {
  const auto ticket = [](std::int64_t number, TicketState state, std::int64_t entry) {
    return TicketRow{number, state, entry, "clinic", "2026-12", ""};
  };
  for (int i = 0; i < 10; ++i) {
    store_->write([&](View& view) {
      EntryRow row = entry_after(view.end(), "k" + std::to_string(i));
      if (i == 7) row.text.replace(row.text.size() - 2, 2, ",\"output_sha256\":\"00\"}}");
      if (i == 8) row.text.replace(row.text.size() - 2, 2, ",\"comment\":\"\\\"output_sha256\\\":\\\"00\"}}");
      row.scope = i == 2 ? "clinic/a" : "clinic";
      return Changes{.entries = {row}};
    });
  }
  write({.tickets = {ticket(1, TicketState::reserved, 1), ticket(2, TicketState::reserved, 2),
                     ticket(3, TicketState::committed, 7), ticket(4, TicketState::committed, 8),
                     ticket(5, TicketState::opened, 9), ticket(6, TicketState::reserved, 6)}});
  EXPECT_THAT(keys({.of = HistoryOf::pending}), ElementsAre("k1", "k2", "k6"));
  EXPECT_THAT(keys({.scope = "clinic/a", .of = HistoryOf::pending}), ElementsAre("k2"));
  EXPECT_THAT(keys({.after = 1, .before = 6, .of = HistoryOf::pending}), ElementsAre("k2"));
  EXPECT_THAT(keys({.most = 1, .of = HistoryOf::pending}), ElementsAre("k1"));
  EXPECT_THAT(keys({.of = HistoryOf::releases}), ElementsAre("k7"));
  EXPECT_THAT(keys({.after = 7, .of = HistoryOf::releases}), IsEmpty());
  store_->read([](View& view) {
    EXPECT_EQ(view.before_last({.last = 2, .of = HistoryOf::pending}), 1);
    EXPECT_EQ(view.row_counts().entries, 11);
  });
}

// A question that takes long does not keep others, or writers, waiting.
TEST_P(StoreContract, QuestionsDoNotWaitForEachOther) {
  write({}, "k0");
  store_->read([&](View& first) {
    EXPECT_EQ(first.end().entry, 0);
    std::thread([&] {
      store_->read([&](View& second) { EXPECT_EQ(second.end().entry, 0); });
      append(*store_, "k1");
      store_->make_durable();
      store_->read([&](View& third) { EXPECT_EQ(third.end().entry, 1); });
    }).join();
    EXPECT_EQ(first.end().entry, 0);
  });
}

TEST_P(StoreContract, FactsAndPlacesAreKept) {
  test::set_fact(*store_, "witness", "here");
  test::set_fact(*store_, "witness", "th'ere");
  const auto other = again();
  other->read([](View& view) {
    EXPECT_EQ(view.fact("witness"), "th'ere");
    EXPECT_EQ(view.fact("place"), "");
  });
  EXPECT_EQ(other->place(), store_->place());
  EXPECT_NE(ledger::create_store(place_.location("second"), patience)->place(), store_->place());
}

TEST_P(StoreContract, WritersWaitAsLongAsTheyMay) {
  const auto hasty = again(std::chrono::milliseconds(50));
  store_->write([&](View& view) {
    std::optional<StoreFault> fault;
    std::thread([&] { fault = fault_in([&] { append(*hasty, "k1"); }); }).join();
    EXPECT_EQ(fault, StoreFault::busy);
    return Changes{.entries = {entry_after(view.end(), "k0")}};
  });
  append(*hasty, "k1");
  EXPECT_EQ(last_entry(*store_), 1);
}

TEST_P(StoreContract, WritersOfTwoObjectsTakeTurns) {
  const auto other = again();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      Store& mine = i % 2 == 0 ? *store_ : *other;
      for (int n = 0; n < 10; ++n) {
        append(mine, std::to_string(i) + "-" + std::to_string(n));
        mine.make_durable();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(last_entry(*store_), 39);
}

}  // namespace
}  // namespace renyi::test::store_contract_test
