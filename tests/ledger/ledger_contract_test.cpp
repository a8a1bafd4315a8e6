// The behaviour of a ledger, over every store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "ledger/fault_point.h"
#include "ledger/log/clock.h"
#include "renyi/error.h"
#include "support/ledger_check.h"
#include "support/ledger_place.h"
#include "support/long_log.h"
#include "support/postgres_ledger.h"
#include "support/worker_process.h"

namespace renyi::test::ledger_contract_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Plan gaussian(double stddev) { return Plan().add(Gaussian{.stddev = stddev}); }

// How far the clock of this process is from that of the system.
std::chrono::seconds shift{0};

class LedgerContract : public ::testing::TestWithParam<StoreKind> {
 protected:
  LedgerContract() : place_(GetParam()), location_(place_.location("ledger")), ledger_(Ledger::create(location_)) {
    shift = 0s;
    ledger::set_clock([] { return std::chrono::system_clock::now() + shift; });
  }
  ~LedgerContract() override {
    ledger::set_clock(nullptr);
    ledger::set_fault_hook(nullptr);
  }

  Receipt charge(const std::string& scope, double stddev, const CallInfo& call = {}) {
    return ledger_.charge({.scope = scope, .steps = gaussian(stddev)}, call);
  }
  Receipt reserve(const std::string& scope, double stddev, std::chrono::seconds time, const CallInfo& call = {}) {
    return ledger_.reserve({.scope = scope, .steps = gaussian(stddev)}, time, call);
  }
  double spent(const std::string& scope) { return ledger_.scope(scope).balances.at(0).spent; }
  std::int64_t entries() { return ledger_.head().entry + 1; }

  LedgerPlace place_;
  std::string location_;
  Ledger ledger_;
};
INSTANTIATE_TEST_SUITE_P(Stores, LedgerContract, ::testing::ValuesIn(store_kinds()),
                         [](const auto& store) { return name_of(store.param); });

void expect_same(const Receipt& again, const Receipt& first) {
  EXPECT_TRUE(again.repeated);
  EXPECT_FALSE(first.repeated);
  EXPECT_EQ(again.entry, first.entry);
  EXPECT_EQ(again.hash, first.hash);
  EXPECT_EQ(again.time, first.time);
  EXPECT_EQ(again.accepted, first.accepted);
  EXPECT_EQ(again.ticket, first.ticket);
  EXPECT_EQ(again.state, first.state);
  EXPECT_EQ(again.reason, first.reason);
  EXPECT_EQ(again.fitting_count, first.fitting_count);
  EXPECT_EQ(again.left.size(), first.left.size());
}

TEST_P(LedgerContract, EveryVerbIsRecordedOnceForAKey) {
  const ScopeSettings settings{.budget = Budget::zcdp(1),
                               .cap = Budget::zcdp(2),
                               .blocks = BlockRule{.rule = "the month of the visit", .unit_in_one_block = true}};
  Receipt ticket, second;
  const std::vector<std::function<Receipt()>> calls = {
      [&] { return ledger_.add_scope("clinic", settings, {.key = "scope"}); },
      [&] {
        return ledger_.add_blocks("clinic", {"2026-10", "2026-11"}, {.key = "blocks"});
      },
      [&] { return ledger_.raise_budget("clinic", Budget::zcdp(1.5), "a second study", {.key = "raise"}); },
      [&] { return ledger_.lower_budget("clinic", Budget::zcdp(1), {.key = "lower"}); },
      [&] { return charge("clinic", 10, {.key = "charge", .person = "ada", .comment = "weekly"}); },
      [&] { return charge("clinic", 0.1, {.key = "refused"}); },
      [&] { return ticket = reserve("clinic", 10, 1h, {.key = "reserve"}); },
      [&] { return second = reserve("clinic", 10, 1h, {.key = "reserve 2"}); },
      [&] { return reserve("clinic", 0.1, 1h, {.key = "reserve too much"}); },
      [&] { return ledger_.open(ticket.ticket, "no secret", {.key = "open wrongly"}); },
      [&] { return ledger_.open(ticket.ticket, ticket.secret, {.key = "open"}); },
      [&] { return ledger_.cancel(ticket.ticket, {.key = "cancel too late"}); },
      [&] { return ledger_.commit(ticket.ticket, {.bytes = "published"}, {.key = "commit"}); },
      [&] { return ledger_.commit(ticket.ticket, {.bytes = "other"}, {.key = "commit twice"}); },
      [&] { return ledger_.cancel(second.ticket, {.key = "cancel"}); },
  };
  const std::vector<bool> accepted = {true,  true,  true, true,  true, false, true, true,
                                      false, false, true, false, true, false, true};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::int64_t before = entries();
    const Receipt first = calls[i](), again = calls[i]();
    SCOPED_TRACE(first.key);
    EXPECT_EQ(first.accepted, accepted[i]) << first.reason;
    EXPECT_EQ(entries(), before + 1);
    expect_same(again, first);
    // Another object, as after a restart.
    Ledger other(location_);
    const auto stored = other.answer_to(first.key);
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->hash, first.hash);
    // A key of another request is a conflict, and nothing is recorded.
    EXPECT_THROW(charge("clinic", 7, {.key = first.key}), InvalidArgument);
    EXPECT_EQ(entries(), before + 1);
  }
  EXPECT_EQ(ledger_.output(ticket.ticket)->bytes, "published");
  EXPECT_EQ(ledger_.ticket(ticket.ticket).state, TicketState::committed);
  EXPECT_EQ(ledger_.ticket(second.ticket).state, TicketState::cancelled);
  EXPECT_FALSE(ledger_.answer_to("another"));
  // The same person and comment are a part of the request.
  EXPECT_THROW(charge("clinic", 10, {.key = "charge", .person = "ben", .comment = "weekly"}), InvalidArgument);
  expect_valid(ledger_, ledger_.head());
}

TEST_P(LedgerContract, KeysOfLineagesAndScopesNeverMeet) {
  ledger_.add_scope("clinic", {.budget = Budget::zcdp(10)});
  ledger_.add_scope("lab", {.budget = Budget::zcdp(10)});
  const CallInfo plain{.key = "k", .person = "ana"};
  const CallInfo ana{.key = "k", .person = "ana", .lineage = "00000000000a"};
  const CallInfo ben{.key = "k", .person = "ben", .lineage = "00000000000b"};
  // What was recorded without a lineage answers the same person in the same scope.
  const Receipt first = charge("clinic", 10, plain);
  expect_same(charge("clinic", 10, ana), first);
  EXPECT_THROW(charge("clinic", 11, ana), InvalidArgument);
  std::vector<Receipt> own{charge("clinic", 10, ben), charge("lab", 10, ben), charge("lab", 10, ana)};
  const Receipt ticket = reserve("lab", 10, 1h, {.key = "t", .lineage = ana.lineage});
  own.push_back(ledger_.open(ticket.ticket, ticket.secret, {.key = "o", .lineage = ana.lineage}));
  for (const Receipt& receipt : own) EXPECT_FALSE(receipt.repeated) << receipt.entry;
  Ledger other(location_);
  expect_same(other.charge({.scope = "lab", .steps = gaussian(10)}, ana), own[2]);
  EXPECT_EQ(own[2].key, "k");
  EXPECT_EQ(other.answer_to("token-00000000000a:lab:k")->hash, own[2].hash);
  EXPECT_THROW(charge("lab", 11, ben), InvalidArgument);
  EXPECT_THROW(charge("lab", 11, {.key = "k", .lineage = "not hex"}), InvalidArgument);
  // Two of one transaction are told apart, and one that occurs twice in it is charged once.
  const std::vector<Receipt> together =
      ledger_.charge_all({{{.scope = "lab", .steps = gaussian(10)}, {.key = "n", .lineage = ana.lineage}},
                          {{.scope = "lab", .steps = gaussian(10)}, {.key = "n", .lineage = ben.lineage}},
                          {{.scope = "lab", .steps = gaussian(10)}, {.key = "n", .lineage = ben.lineage}}});
  EXPECT_NE(together[0].entry, together[1].entry);
  EXPECT_EQ(together[1].entry, together[2].entry);
  expect_valid(ledger_, ledger_.head());
}

TEST_P(LedgerContract, TokensThatWereMadeAndRevokedAreInTheLog) {
  const TokenRecord ana{"0123456789ab", "ana", "analyst", {"clinic", "census/2026"}, "2027-01-01T00:00:00Z"};
  const Receipt made = ledger_.record_token(TokenEvent::made, ana, {.key = "made", .person = "admin"});
  const Receipt ended = ledger_.record_token(TokenEvent::revoked, {.id = ana.id, .holder = "a \"quoted\" name"});
  EXPECT_TRUE(made.accepted && ended.accepted);
  EXPECT_EQ(made.verb, "token");
  EXPECT_EQ(made.reason, "made 0123456789ab for ana, analyst of clinic and census/2026, until 2027-01-01T00:00:00Z");
  EXPECT_EQ(ended.reason, "revoked 0123456789ab for a \"quoted\" name");
  expect_same(ledger_.record_token(TokenEvent::made, ana, {.key = "made", .person = "admin"}), made);
  EXPECT_THROW(ledger_.record_token(TokenEvent::revoked, ana, {.key = "made", .person = "admin"}), InvalidArgument);
  EXPECT_THROW(ledger_.record_token(TokenEvent::made, {.holder = "ana"}), InvalidArgument);
  EXPECT_THROW(ledger_.record_token(TokenEvent::made, {.id = "0123456789ab"}), InvalidArgument);
  std::vector<std::string> texts;
  ledger_.history({}, [&](const LedgerEntry& entry) {
    texts.push_back(entry.text);
    EXPECT_EQ(receipt_of(entry).entry, entry.entry);
  });
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_THAT(texts[1], HasSubstr(R"({"verb":"token","key":"made","person":"admin","event":"made","token":)"
                                  R"({"id":"0123456789ab","holder":"ana","role":"analyst",)"
                                  R"("scopes":["clinic","census/2026"],"expires":"2027-01-01T00:00:00Z"}},)"
                                  R"("outcome":{"accepted":true})"));
  EXPECT_TRUE(ledger_.verify().valid);
  EXPECT_EQ(ledger_.statistics().newest_entry, 2);
}

TEST_P(LedgerContract, BadInputIsRecordedNowhere) {
  ledger_.add_scope("clinic", {.budget = Budget::zcdp(1)});
  const Receipt ticket = reserve("clinic", 10, 1h);
  const LedgerHead before = ledger_.head();
  EXPECT_THROW(ledger_.add_scope("clinic", {.budget = Budget::zcdp(1)}), InvalidArgument);
  EXPECT_THROW(ledger_.add_scope("cli nic", {.budget = Budget::zcdp(1)}), InvalidArgument);
  EXPECT_THROW(ledger_.add_scope("lab/a", {.budget = Budget::zcdp(1)}), InvalidArgument);
  EXPECT_THROW(ledger_.add_scope("clinic/a", {.budget = Budget::zcdp(1), .relation = Adjacency{.unit = 2}}),
               InvalidArgument);
  EXPECT_THROW(charge("missing", 1), InvalidArgument);
  EXPECT_THROW(ledger_.charge({.scope = "clinic", .steps = Plan()}), InvalidArgument);
  EXPECT_THROW(ledger_.charge({.scope = "clinic", .steps = gaussian(1), .count = 0}), InvalidArgument);
  EXPECT_THROW(ledger_.charge({.scope = "clinic", .steps = gaussian(1), .blocks = {"2026"}}), InvalidArgument);
  EXPECT_THROW(charge("clinic", 10, {.comment = "two\nlines"}), InvalidArgument);
  EXPECT_THROW(reserve("clinic", 10, 0s), InvalidArgument);
  EXPECT_THROW(ledger_.open(12345, "secret"), InvalidArgument);
  EXPECT_THROW(ledger_.commit(-1), InvalidArgument);
  EXPECT_THROW(ledger_.commit(ticket.ticket, {.bytes = "a", .sha256 = "b"}), InvalidArgument);
  EXPECT_THROW(ledger_.lower_budget("clinic", Budget::zcdp(2)), InvalidArgument);
  EXPECT_THROW(ledger_.lower_budget("clinic", Budget::gdp(0.1)), InvalidArgument);
  EXPECT_THROW(ledger_.raise_budget("clinic", Budget::zcdp(2), "no cap was fixed"), InvalidArgument);
  EXPECT_THROW(ledger_.raise_budget("clinic", Budget::zcdp(1), ""), InvalidArgument);
  EXPECT_THROW(ledger_.charge_all({{{.scope = "clinic", .steps = gaussian(10)}, {}},
                                   {{.scope = "missing", .steps = gaussian(10)}, {}}}),
               InvalidArgument);
  EXPECT_EQ(ledger_.head(), before);
  EXPECT_TRUE(charge("clinic", 10).accepted);
}

TEST_P(LedgerContract, ARefusalSaysWhatFitsAndChangesNothing) {
  ledger_.add_scope("org", {.budget = Budget::zcdp(1)});
  ledger_.add_scope("org/a", {.budget = Budget::gdp(100)});
  charge("org/a", 1);
  const Receipt asked = ledger_.may_run({.scope = "org/a", .steps = gaussian(1), .count = 3});
  const Receipt refused = ledger_.charge({.scope = "org/a", .steps = gaussian(1), .count = 3});
  for (const Receipt& receipt : {asked, refused}) {
    EXPECT_FALSE(receipt.accepted);
    EXPECT_EQ(receipt.refused_by, "org");
    EXPECT_EQ(receipt.fitting_count, 1);
    ASSERT_TRUE(receipt.fitting_step);
    EXPECT_NE(receipt.reason, "");
  }
  EXPECT_NEAR(spent("org"), 0.5, 1e-9);
  EXPECT_EQ(ledger_.scope("org/a").charges, 1);
  EXPECT_TRUE(ledger_.charge({.scope = "org/a", .steps = gaussian(refused.fitting_step->value), .count = 3}).accepted);
  expect_valid(ledger_);
}

TEST_P(LedgerContract, WhatExpiresUnopenedGoesBack) {
  ledger_.add_scope("clinic", {.budget = Budget::zcdp(1)});
  const Receipt opened = reserve("clinic", 1, 60s), unopened = reserve("clinic", 1, 60s);
  ledger_.open(opened.ticket, opened.secret);
  EXPECT_FALSE(charge("clinic", 1).accepted);
  shift = 61s;
  EXPECT_NEAR(spent("clinic"), 0.5, 1e-9);
  EXPECT_EQ(ledger_.ticket(unopened.ticket).state, TicketState::expired);
  EXPECT_FALSE(ledger_.open(unopened.ticket, unopened.secret).accepted);
  EXPECT_FALSE(ledger_.cancel(unopened.ticket).accepted);
  EXPECT_TRUE(charge("clinic", 1).accepted);
  EXPECT_TRUE(ledger_.commit(opened.ticket).accepted);
  expect_valid(ledger_);
}

// More than are given back in one transaction.
TEST_P(LedgerContract, ManyReservationsExpireAtOnce) {
  ledger_.add_scope("clinic", {.budget = Budget::zcdp(1000)});
  const int count = 300;
  for (int i = 0; i < count; ++i) reserve("clinic", 1, 60s);
  EXPECT_EQ(ledger_.scope("clinic").reserved, count);
  shift = 61s;
  charge("clinic", 1);
  charge("clinic", 1);
  EXPECT_NEAR(spent("clinic"), 1, 1e-9);
  EXPECT_EQ(ledger_.scope("clinic").reserved, 0);
  EXPECT_EQ(entries(), 2 + 2 * count + 2);
  expect_valid(ledger_);
}

TEST_P(LedgerContract, CancellingMayBeWithheld) {
  ledger_.add_scope("org", {.budget = Budget::zcdp(1), .may_cancel = false});
  ledger_.add_scope("org/a", {.budget = Budget::zcdp(1)});
  const Receipt ticket = reserve("org/a", 1, 60s);
  const Receipt refused = ledger_.cancel(ticket.ticket);
  EXPECT_FALSE(refused.accepted);
  EXPECT_THAT(refused.reason, HasSubstr("org"));
  EXPECT_TRUE(ledger_.open(ticket.ticket, ticket.secret).accepted);
}

TEST_P(LedgerContract, BlocksComposeInParallelWhereTheRuleSaysSo) {
  const BlockRule month{.rule = "the month of the visit", .unit_in_one_block = true};
  BlockRule person = month;
  person.unit_in_one_block = false;
  ledger_.add_scope("visits", {.budget = Budget::zcdp(0.5), .blocks = month});
  ledger_.add_scope("people", {.budget = Budget::zcdp(0.5), .blocks = person});
  for (const char* scope : {"visits", "people"}) {
    ledger_.add_blocks(scope, {"2026-10", "2026-11"});
    EXPECT_TRUE(ledger_.charge({.scope = scope, .steps = gaussian(1), .blocks = {"2026-10"}}).accepted);
    EXPECT_FALSE(ledger_.charge({.scope = scope, .steps = gaussian(1), .blocks = {"2026-10"}}).accepted);
    EXPECT_FALSE(ledger_.charge({.scope = scope, .steps = gaussian(1)}).accepted);
  }
  EXPECT_TRUE(ledger_.charge({.scope = "visits", .steps = gaussian(1), .blocks = {"2026-11"}}).accepted);
  EXPECT_FALSE(ledger_.charge({.scope = "people", .steps = gaussian(1), .blocks = {"2026-11"}}).accepted);
  expect_valid(ledger_);
}

TEST_P(LedgerContract, TheLargestAnalystCountsWhereNobodyColludes) {
  ledger_.add_scope("apart", {.budget = Budget::zcdp(0.5), .analysts_may_collude = false});
  for (const char* analyst : {"apart/ana", "apart/bo"}) {
    ledger_.add_scope(analyst, {.budget = Budget::zcdp(1)});
    const Receipt paid = charge(analyst, 1);
    EXPECT_TRUE(paid.accepted);
    EXPECT_EQ(paid.note, "per analyst; void if answers are shared");
    EXPECT_FALSE(charge(analyst, 1).accepted);
  }
  EXPECT_NEAR(spent("apart"), 0.5, 1e-9);
  expect_valid(ledger_);
}

TEST_P(LedgerContract, BudgetsAreLoweredFreelyAndRaisedToTheCap) {
  ledger_.add_scope("clinic", {.budget = Budget::zcdp(1), .cap = Budget::zcdp(2)});
  charge("clinic", 1);
  ledger_.lower_budget("clinic", Budget::zcdp(0.1));
  EXPECT_FALSE(charge("clinic", 100).accepted);
  EXPECT_THROW(ledger_.lower_budget("clinic", Budget::zcdp(0.2)), InvalidArgument);
  EXPECT_THROW(ledger_.raise_budget("clinic", Budget::zcdp(2.1), "more"), InvalidArgument);
  ledger_.raise_budget("clinic", Budget::zcdp(2), "a second study");
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(charge("clinic", 1).accepted);
  EXPECT_FALSE(charge("clinic", 1).accepted);
  expect_valid(ledger_);
}

TEST_P(LedgerContract, AnImportContinuesTheLogUnderANewId) {
  write_long_log(ledger_, 60);
  const LedgerHead head = ledger_.head();
  const Ledger imported =
      import_ledger(joined(lines_of(ledger_)), place_.location("imported"), {.witness = place_.file("witness")});
  EXPECT_NE(imported.head().ledger, head.ledger);
  EXPECT_EQ(imported.head().entry, head.entry + 1);
  EXPECT_EQ(imported.scope("org").balances.at(0).spent, spent("org"));
  expect_valid(imported, head);
  EXPECT_EQ(Ledger(place_.location("imported")).head(), imported.head());
  std::vector<std::string> lines = lines_of(ledger_);
  std::swap(lines[20], lines[21]);
  EXPECT_THROW(import_ledger(joined(lines), place_.location("wrong")), InvalidArgument);
  EXPECT_THROW(Ledger(place_.location("wrong")), InvalidArgument);
}

// ---- Two ledgers where there should be one.

TEST_P(LedgerContract, OneOfManyWhoMakeALedgerSucceeds) {
  const std::string location = place_.location("contested");
  std::vector<std::unique_ptr<WorkerProcess>> makers;
  for (int i = 0; i < 6; ++i) {
    makers.push_back(std::make_unique<WorkerProcess>(std::vector<std::string>{"create", location, "-"}));
  }
  int made = 0;
  for (const auto& maker : makers) made += maker->succeeds() ? 1 : 0;
  EXPECT_EQ(made, 1);
  expect_valid(Ledger(location));
}

TEST(CopiedLedger, IsRefused) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("ledger"), witness = directory.file("witness");
  const auto fault_of = [](const std::string& where, const LedgerOptions& options = {}) {
    return fault_in([&] { const Ledger opened(where, options); });
  };
  {
    Ledger ledger = Ledger::create(path, {.witness = witness});
    ledger.add_scope("clinic", {.budget = Budget::zcdp(1)});
  }
  std::filesystem::copy_file(path, directory.file("copy"));
  EXPECT_EQ(fault_of(directory.file("copy")), StoreFault::copied);
  {
    Ledger ledger(path);
    ledger.charge({.scope = "clinic", .steps = gaussian(1)});
  }
  // The old file in the place of the new one, with its inode.
  std::filesystem::copy_file(path, directory.file("newest"));
  std::filesystem::copy_file(directory.file("copy"), path, std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(fault_of(path), StoreFault::rolled_back);
  std::filesystem::copy_file(directory.file("newest"), path, std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(fault_of(path), std::nullopt);
  std::filesystem::remove(witness);
  EXPECT_NE(fault_of(path), std::nullopt);
}

// ---- Failures of the store in the middle of a call, and the same object afterwards.

std::string failing_point;

void fail_at_point(const char* name) {
  if (name != failing_point) return;
  failing_point.clear();
  throw StoreFailure(StoreFault::unreachable, "a test", "nothing");
}

TEST_P(LedgerContract, ACallThatFailedAnywhereIsRepeatedWithItsKey) {
  const std::string location = place_.location("witnessed");
  Ledger ledger = Ledger::create(location, {.witness = place_.file("witness")});
  ledger.add_scope("clinic", {.budget = Budget::zcdp(1)});
  const std::string room = GetParam() == StoreKind::sqlite ? "sqlite." : "postgres.";
  std::vector<std::string> points = {"ledger.written", "ledger.durable", "ledger.witnessed", "witness.before_record",
                                     "witness.recorded"};
  if (GetParam() == StoreKind::sqlite) {
    for (const char* name : {"locked", "decided", "before_commit", "committed", "before_sync", "synced"})
      points.push_back(room + name);
  } else {
    for (const char* name : {"begin.before", "begin.sent", "begin.after", "commit.before", "commit.sent",
                             "commit.after", "flush.before", "flush.sent", "flush.after"})
      points.push_back(room + name);
  }
  int calls = 0;
  for (const std::string& point : points) {
    for (const bool is_refused : {false, true}) {
      SCOPED_TRACE(point);
      const ChargeRequest request{.scope = "clinic", .steps = gaussian(is_refused ? 0.1 : 10)};
      const CallInfo info{.key = point + (is_refused ? " refused" : "")};
      failing_point = point;
      ledger::set_fault_hook(fail_at_point);
      std::optional<Receipt> first;
      try {
        first = ledger.charge(request, info);
      } catch (const StoreFailure&) {
      }
      ledger::set_fault_hook(nullptr);
      EXPECT_EQ(failing_point, "") << "was not reached";
      const Receipt receipt = ledger.charge(request, info);
      EXPECT_EQ(receipt.accepted, !is_refused);
      if (first) {
        EXPECT_EQ(first->hash, receipt.hash);
      }
      calls += is_refused ? 0 : 1;
      EXPECT_EQ(ledger.scope("clinic").charges, calls);
    }
  }
  EXPECT_EQ(ledger.head().entry, 1 + 2 * calls);
  expect_valid(ledger);
  EXPECT_EQ(Ledger(location).head(), ledger.head());
}

// ---- A clock that jumps.

TEST_P(LedgerContract, AClockThatJumpsByYearsLosesNothing) {
  using years = std::chrono::duration<std::int64_t, std::ratio<31556952>>;
  ledger_.add_scope("clinic", {.budget = Budget::zcdp(10)});
  const Receipt first = reserve("clinic", 1, 1h), opened = reserve("clinic", 1, 1h);
  ledger_.open(opened.ticket, opened.secret);
  shift = -years(30);
  EXPECT_TRUE(charge("clinic", 1).accepted);  // reservations of the future stay
  EXPECT_EQ(ledger_.ticket(first.ticket).state, TicketState::reserved);
  const Receipt past = reserve("clinic", 1, 1h);
  EXPECT_NEAR(spent("clinic"), 2, 1e-9);
  shift = -years(100);  // before 1970
  EXPECT_TRUE(charge("clinic", 1).accepted);
  shift = 0s;
  EXPECT_EQ(ledger_.ticket(past.ticket).state, TicketState::expired);
  EXPECT_EQ(ledger_.ticket(first.ticket).state, TicketState::reserved);
  shift = years(200);
  EXPECT_EQ(ledger_.ticket(first.ticket).state, TicketState::expired);
  EXPECT_EQ(ledger_.ticket(opened.ticket).state, TicketState::opened);
  EXPECT_TRUE(ledger_.commit(opened.ticket).accepted);
  const Receipt future = reserve("clinic", 1, 1h);
  shift = 0s;
  EXPECT_TRUE(ledger_.open(future.ticket, future.secret).accepted);
  Ledger again(location_);
  EXPECT_TRUE(again.charge({.scope = "clinic", .steps = gaussian(1)}).accepted);
  EXPECT_NEAR(spent("clinic"), 2.5, 1e-9);
  const LedgerVerification verified = again.verify(ledger_.head());
  EXPECT_TRUE(verified.valid) << verified.fault;
  EXPECT_FALSE(verified.notes.empty());  // the jumps backwards
  const Ledger imported = import_ledger(joined(lines_of(again)), place_.location("imported"));
  expect_valid(imported, again.head());
}

}  // namespace
}  // namespace renyi::test::ledger_contract_test
