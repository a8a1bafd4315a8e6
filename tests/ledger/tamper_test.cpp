// Somebody who can write to the file changes it: every edit, deletion, swap, duplication and truncation of the log is
// found by `verify` with a kept head, edits and swaps also without it, and so is every change of derived rows.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <random>

#include "digest/sha256.h"
#include "ledger/store/sqlite.h"
#include "ledger/store/sqlite_changes.h"
#include "renyi/error.h"
#include "support/ledger_check.h"
#include "support/ledger_place.h"
#include "support/long_log.h"

namespace renyi::test::tamper_test {
namespace {

using Lines = std::vector<std::string>;

// Positions in the log at which something is changed: all, or some that include both ends.
std::vector<std::size_t> positions(std::size_t entries) {
  std::vector<std::size_t> list;
  const std::size_t stride = all_faults() ? 1 : entries / 4;
  for (std::size_t i = 0; i < entries; ++i) {
    if (i % stride == 0 || i < 2 || i + 2 >= entries) list.push_back(i);
  }
  return list;
}

// ---- Edits of one entry.

std::string with_other_digit(std::string text, std::size_t from, std::mt19937_64& random) {
  std::vector<std::size_t> digits;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (std::isdigit(static_cast<unsigned char>(text[i])) != 0) digits.push_back(i);
  }
  char& digit = text.at(digits.at(random() % digits.size()));
  digit = static_cast<char>('0' + (digit - '0' + 1 + static_cast<int>(random() % 9)) % 10);
  return text;
}

std::string with_other_word(std::string text, std::mt19937_64& random) {
  std::vector<std::size_t> letters;
  for (std::size_t i = text.find("\"request\""); i < text.size(); ++i) {
    if (std::islower(static_cast<unsigned char>(text[i])) != 0) letters.push_back(i);
  }
  char& letter = text.at(letters.at(random() % letters.size()));
  letter = letter == 'z' ? 'a' : static_cast<char>(letter + 1);
  return text;
}

std::string with_other_time(std::string text) {
  char& digit = text.at(text.find("\"time\":\"") + 8 + 3);  // the last of the year
  digit = digit == '9' ? '0' : static_cast<char>(digit + 1);
  return text;
}

Lines edits_of(const std::string& text, std::mt19937_64& random) {
  return {with_other_digit(text, text.find("\"request\""), random), with_other_digit(text, 0, random),
          with_other_word(text, random), with_other_time(text)};
}

class TamperTest : public ::testing::Test {
 protected:
  static constexpr std::size_t entries = 1000;

  TamperTest() : ledger_(Ledger::create(directory_.file("ledger"))) {
    write_long_log(ledger_, entries);
    lines_ = lines_of(ledger_);
    head_ = ledger_.head();
  }

  TemporaryDirectory directory_;
  Ledger ledger_;
  Lines lines_;
  LedgerHead head_;
  std::mt19937_64 random_{20261117};
};

void expect_found(const Lines& lines, const std::optional<LedgerHead>& kept, const std::string& what) {
  EXPECT_FALSE(verify_log(joined(lines), kept).valid) << what << (kept ? " with the head" : " without the head");
}

TEST_F(TamperTest, EveryChangeOfAnExportIsFound) {
  ASSERT_EQ(lines_.size(), entries);
  ASSERT_TRUE(verify_log(joined(lines_)).valid);
  ASSERT_TRUE(verify_log(joined(lines_), head_).valid);
  for (const std::size_t i : positions(entries)) {
    const std::string at = " of entry " + std::to_string(i);
    const bool is_last = i + 1 == entries;
    for (const std::string& text : edits_of(lines_[i], random_)) {
      Lines edited = lines_;
      edited[i] = text;
      expect_found(edited, head_, "an edit" + at + ": " + text);
      // The last entry has no successor that would know its hash.
      if (!is_last) expect_found(edited, {}, "an edit" + at + ": " + text);
    }
    Lines shorter = lines_;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
    expect_found(shorter, head_, "a deletion" + at);
    if (!is_last) expect_found(shorter, {}, "a deletion" + at);
    Lines longer = lines_;
    longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(i), lines_[i]);
    expect_found(longer, {}, "a duplication" + at);
    if (!is_last) {
      Lines swapped = lines_;
      std::swap(swapped[i], swapped[i + 1]);
      expect_found(swapped, {}, "a swap" + at);
    }
    expect_found(Lines(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(i)), head_, "a truncation" + at);
  }
}

// ---- The whole log rewritten.

// The chain is made anew from entry `from` on.
void chain_anew(Lines& lines, std::size_t from) {
  for (std::size_t i = std::max<std::size_t>(from, 1); i < lines.size(); ++i) {
    const std::size_t begin = lines[i].find("\"previous\":\"") + 12;
    lines[i].replace(begin, 64, digest::sha256(lines[i - 1]));
  }
}

TEST_F(TamperTest, ALogRewrittenWholeIsFoundByTheHeadOnly) {
  for (const std::size_t i : {std::size_t{8}, std::size_t{500}, entries - 1}) {
    Lines rewritten = lines_;
    std::string& text = rewritten[i];
    const std::size_t person = std::min(text.find("\"ada\""), text.find("\"ben\""));
    ASSERT_NE(person, std::string::npos) << text;
    text.replace(person, 5, "\"eve\"");
    chain_anew(rewritten, i + 1);
    EXPECT_TRUE(verify_log(joined(rewritten)).valid);  // as docs/format/ledger.md says
    expect_found(rewritten, head_, "a rewritten log");
    expect_found(rewritten, LedgerHead{head_.ledger, static_cast<std::int64_t>(i), digest::sha256(lines_[i])},
                 "a rewritten log");
  }
}

// ---- The file, by SQL.

// What guards the log in the file. Who can write the file can take it away and put it back.
struct Guard {
  const char* kind;
  const char* name;
};
constexpr Guard guards[] = {{"TRIGGER", "entries_are_not_changed"},
                            {"TRIGGER", "entries_are_not_removed"},
                            {"TRIGGER", "outputs_are_not_changed"},
                            {"TRIGGER", "outputs_are_not_removed"}};
constexpr Guard index_of_keys{"INDEX", "entries_by_key"};

class Sql {
 public:
  explicit Sql(const std::string& path) {
    sqlite3_open(path.c_str(), &database_);
    sqlite3_busy_timeout(database_, 60'000);
    run("PRAGMA ignore_check_constraints = ON");
    for (const Guard& guard : guards) take_away(guard);
    for (const std::string& statement : put_back_) run(statement);
  }
  ~Sql() { sqlite3_close(database_); }
  Sql(const Sql&) = delete;
  Sql& operator=(const Sql&) = delete;

  void run(const std::string& sql) {
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK)
        << sql << ": " << (message == nullptr ? "" : message);
    sqlite3_free(message);
  }
  // As if nothing guarded the tables, which are then as they were.
  void run_unguarded(const std::string& sql) {
    for (const Guard& guard : guards) run(fmt::format("DROP {} {}", guard.kind, guard.name));
    run(sql);
    changes_ = sqlite3_changes(database_);
    for (const std::string& statement : put_back_) run(statement);
  }
  void put(std::size_t entry, const std::string& text, const std::string& hash) {
    run_unguarded(
        fmt::format("UPDATE entries SET text = '{}', hash = '{}' WHERE entry = {}", quoted(text), hash, entry));
  }
  // Returns the statement that makes it again.
  std::string take_away(const Guard& guard) {
    std::string statement;
    const auto keep = [](void* to, int, char** values, char**) {
      *static_cast<std::string*>(to) = values[0];
      return 0;
    };
    const std::string question = fmt::format("SELECT sql FROM sqlite_schema WHERE name = '{}'", guard.name);
    EXPECT_EQ(sqlite3_exec(database_, question.c_str(), keep, &statement, nullptr), SQLITE_OK);
    run(fmt::format("DROP {} {}", guard.kind, guard.name));
    if (std::string_view(guard.kind) == "TRIGGER") put_back_.push_back(statement);
    return statement;
  }
  [[nodiscard]] int changes() const { return changes_; }

 private:
  static std::string quoted(std::string text) {
    for (std::size_t at = text.find('\''); at != std::string::npos; at = text.find('\'', at + 2)) text.insert(at, "'");
    return text;
  }

  sqlite3* database_ = nullptr;
  std::vector<std::string> put_back_{};
  int changes_ = 0;
};

bool is_found(const Ledger& ledger, const std::optional<LedgerHead>& kept = {}) {
  try {
    return !ledger.verify(kept).valid;
  } catch (const StoreFailure& failure) {
    return failure.fault() == StoreFault::corrupt;
  }
}

class TamperedFileTest : public TamperTest {
 protected:
  TamperedFileTest() : sql_(directory_.file("ledger")) {}

  // The log as it lies there, whatever the tables are.
  [[nodiscard]] bool is_found_in_the_log() const {
    std::string lines;
    read_log(directory_.file("ledger"), [&](const LedgerEntry& entry) { lines += entry.text + '\n'; });
    return !verify_log(lines).valid;
  }

  Sql sql_;
};

TEST_F(TamperedFileTest, TheTriggersRefuseChanges) {
  TemporaryDirectory other;
  const Ledger ledger = Ledger::create(other.file("ledger"));
  sqlite3* database = nullptr;
  sqlite3_open(other.file("ledger").c_str(), &database);
  EXPECT_NE(sqlite3_exec(database, "UPDATE entries SET person = 'eve'", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_NE(sqlite3_exec(database, "DELETE FROM entries", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
}

TEST_F(TamperedFileTest, EveryChangeOfTheLogInAFileIsFound) {
  ASSERT_FALSE(is_found(ledger_, head_));
  for (const std::size_t i : positions(entries)) {
    const std::string own = digest::sha256(lines_[i]), number = std::to_string(i);
    SCOPED_TRACE("entry " + number);
    const bool is_last = i + 1 == entries;
    for (const std::string& text : edits_of(lines_[i], random_)) {
      sql_.put(i, text, own);
      EXPECT_TRUE(is_found(ledger_)) << "an edit: " << text;
      sql_.put(i, text, digest::sha256(text));  // and the hash beside it, too
      EXPECT_TRUE(is_found(ledger_, head_)) << "an edit: " << text;
      if (!is_last) {
        EXPECT_TRUE(is_found(ledger_)) << "an edit: " << text;
      }
      sql_.put(i, lines_[i], own);
    }
    for (const char* column : {"key", "scope", "person", "time"}) {
      sql_.run_unguarded(fmt::format("UPDATE entries SET {0} = {0} || 'x' WHERE entry = {1}", column, i));
      EXPECT_TRUE(is_found(ledger_)) << column;
      sql_.run_unguarded(
          fmt::format("UPDATE entries SET {0} = substr({0}, 1, length({0}) - 1) WHERE entry = {1}", column, i));
    }
    sql_.run_unguarded("UPDATE entries SET entry = -5 WHERE entry = " + number);
    EXPECT_TRUE(is_found(ledger_)) << "an entry moved to the front";
    sql_.run_unguarded(fmt::format("UPDATE entries SET entry = {} WHERE entry = -5", entries + 5));
    EXPECT_TRUE(is_found(ledger_, head_)) << "an entry moved to the end";
    sql_.run_unguarded(fmt::format("UPDATE entries SET entry = {} WHERE entry = {}", i, entries + 5));
    const std::string keys_are_unique = sql_.take_away(index_of_keys);
    sql_.run(
        fmt::format("INSERT INTO entries SELECT {}, hash, text, key, scope, person, time FROM entries "
                    "WHERE entry = {}",
                    entries, i));
    EXPECT_TRUE(is_found_in_the_log()) << "a copy at the end";
    EXPECT_TRUE(is_found(ledger_)) << "a copy at the end, without the index";
    sql_.run_unguarded(fmt::format("DELETE FROM entries WHERE entry = {}", entries));
    sql_.run(keys_are_unique);
    if (!is_last) {
      sql_.put(i, lines_[i + 1], digest::sha256(lines_[i + 1]));
      sql_.put(i + 1, lines_[i], own);
      EXPECT_TRUE(is_found(ledger_)) << "a swap";
      sql_.put(i, lines_[i], own);
      sql_.put(i + 1, lines_[i + 1], digest::sha256(lines_[i + 1]));
    }
  }
  ASSERT_FALSE(is_found(ledger_, head_)) << "something was not put back";
  for (std::size_t end = entries; end > 0; end -= std::min<std::size_t>(end, all_faults() ? 9 : 199)) {
    sql_.run_unguarded(fmt::format("DELETE FROM entries WHERE entry >= {}", end - 1));
    EXPECT_TRUE(is_found(ledger_, head_)) << "cut at " << end - 1;
  }
}

// ---- Derived rows.

struct Tampering {
  const char* table;
  const char* sql;
};

constexpr Tampering tamperings[] = {
    {"scopes", "UPDATE scopes SET text = replace(text, '\"rho\":120', '\"rho\":121') WHERE name = 'org'"},
    {"scopes", "UPDATE scopes SET text = replace(text, '\"rho\":200', '\"rho\":900') WHERE name = 'org'"},
    {"scopes", "UPDATE scopes SET text = replace(text, '2026-11', '2026-12') WHERE name = 'org/visits'"},
    {"scopes",
     "UPDATE scopes SET text = replace(text, 'unit_in_one_block\":true', 'unit_in_one_block\":false') "
     "WHERE name = 'org/visits'"},
    {"scopes", "UPDATE scopes SET entry = entry + 1 WHERE name = 'org'"},
    {"scopes", "UPDATE scopes SET name = 'other' WHERE name = 'org/visits'"},
    {"scopes", "DELETE FROM scopes WHERE name = 'org/visits'"},
    {"scopes", "DELETE FROM scopes"},
    {"scopes", "INSERT INTO scopes SELECT 'other', entry, text FROM scopes WHERE name = 'org'"},
    // A sum of another cell, with other numbers in place of its own.
    {"cells",
     "UPDATE cells SET sums = (SELECT sums FROM cells WHERE scope = 'org/visits' AND cell = '|2026-10') "
     "WHERE scope = 'org/visits' AND cell = '|2026-11'"},
    {"cells", "UPDATE cells SET sums = zeroblob(length(sums)) WHERE scope = 'org'"},
    {"cells", "UPDATE cells SET sums = x'00' WHERE scope = 'org'"},
    {"cells", "UPDATE cells SET cell = '|2026-12' WHERE scope = 'org/visits' AND cell = '|2026-10'"},
    {"cells", "UPDATE cells SET scope = 'other' WHERE scope = 'org/visits'"},
    {"cells", "DELETE FROM cells WHERE scope = 'org'"},
    {"cells", "DELETE FROM cells WHERE scope = 'org/visits' AND cell = '|2026-10'"},
    {"cells", "INSERT INTO cells SELECT 'org', 'x|y', sums FROM cells WHERE scope = 'org'"},
    {"cells", "INSERT INTO cells SELECT 'other', cell, sums FROM cells WHERE scope = 'org'"},
    {"steps", "UPDATE steps SET count = count - 1 WHERE scope = 'org'"},
    {"steps", "UPDATE steps SET step = replace(step, '20', '21000')"},
    {"steps", "UPDATE steps SET cell = '|2026-12' WHERE scope = 'org/visits' AND cell = '|2026-10'"},
    {"steps", "DELETE FROM steps WHERE scope = 'org/apart'"},
    {"steps", "DELETE FROM steps"},
    {"steps", "INSERT INTO steps SELECT scope, cell, step || ' ', -5 FROM steps WHERE scope = 'org'"},
    // It would count once a charge makes the cell.
    {"steps",
     "INSERT INTO steps SELECT scope, '|2026-12', step, -5 FROM steps WHERE scope = 'org/visits' "
     "AND cell = '|2026-10'"},
    {"tickets", "UPDATE tickets SET state = 'reserved' WHERE state = 'committed'"},
    {"tickets", "UPDATE tickets SET state = 'cancelled' WHERE state = 'reserved'"},
    {"tickets", "UPDATE tickets SET state = 'unknown' WHERE state = 'reserved'"},
    {"tickets", "UPDATE tickets SET entry = entry + 1 WHERE state = 'reserved'"},
    {"tickets", "UPDATE tickets SET scope = 'org/visits' WHERE state = 'reserved'"},
    {"tickets", "UPDATE tickets SET expires = '9999-01-01T00:00:00.000Z' WHERE state = 'reserved'"},
    {"tickets", "UPDATE tickets SET secret = 'known' WHERE state = 'reserved'"},
    {"tickets", "UPDATE tickets SET secret = 'known' WHERE state = 'committed'"},
    {"tickets", "DELETE FROM tickets WHERE ticket = (SELECT max(ticket) FROM tickets)"},
    {"tickets", "DELETE FROM tickets"},
    {"tickets", "INSERT INTO tickets SELECT 1000000, state, entry, scope, expires, secret FROM tickets LIMIT 1"},
    {"outputs", "UPDATE outputs SET bytes = x'00'"},
    {"outputs", "UPDATE outputs SET ticket = ticket + 1"},
    {"outputs", "DELETE FROM outputs"},
    {"outputs", "DELETE FROM outputs WHERE ticket = (SELECT max(ticket) FROM outputs)"},
    {"outputs", "INSERT INTO outputs SELECT ticket, x'00' FROM tickets WHERE state = 'reserved'"},
    {"outputs", "INSERT INTO outputs VALUES (1000000, x'00')"},
    {"facts", "UPDATE facts SET value = 'another' WHERE name = 'ledger'"},
};

TEST(TamperedRowsTest, EveryChangeOfDerivedRowsIsFound) {
  const TemporaryDirectory directory;
  Ledger ledger = Ledger::create(directory.file("ledger"));
  write_long_log(ledger, 60);
  Sql sql(directory.file("ledger"));
  for (const char* table : {"scopes", "cells", "steps", "tickets", "outputs", "facts"}) {
    sql.run(fmt::format("CREATE TEMP TABLE kept_{0} AS SELECT * FROM {0}", table));
  }
  ASSERT_FALSE(is_found(ledger));
  for (const Tampering& one : tamperings) {
    sql.run_unguarded(one.sql);
    EXPECT_GT(sql.changes(), 0) << one.sql;
    EXPECT_TRUE(is_found(ledger)) << one.sql;
    sql.run_unguarded(fmt::format("DELETE FROM {0}; INSERT INTO {0} SELECT * FROM kept_{0}", one.table));
    ASSERT_FALSE(is_found(ledger)) << one.sql << " was not put back";
  }
}

// An entry that no replay would come to, and that would answer for its key.
TEST_F(TamperedFileTest, AnEntryBeforeTheFirstOneIsFound) {
  for (const int number : {-1, -1000}) {
    sql_.run_unguarded(
        fmt::format("INSERT INTO entries SELECT {}, hash, text, 'hidden', scope, person, time FROM entries "
                    "WHERE entry = 9",
                    number));
    EXPECT_TRUE(is_found(ledger_)) << number;
    sql_.run_unguarded("DELETE FROM entries WHERE entry < 0");
    ASSERT_FALSE(is_found(ledger_));
  }
}

// ---- The tables.

constexpr const char* changed_tables[] = {
    "CREATE TRIGGER t BEFORE INSERT ON entries BEGIN SELECT raise(IGNORE); END",
    "CREATE TRIGGER t AFTER INSERT ON cells BEGIN UPDATE cells SET sums = x'00'; END",
    "CREATE TRIGGER t BEFORE UPDATE ON cells BEGIN SELECT raise(IGNORE); END",
    "CREATE TRIGGER t BEFORE INSERT ON tickets BEGIN SELECT raise(IGNORE); END",
    "DROP TRIGGER entries_are_not_changed",
    "DROP TRIGGER outputs_are_not_removed",
    "DROP TRIGGER entries_are_not_changed; CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries BEGIN "
    "SELECT 1; END",
    "DROP INDEX entries_by_key",
    "DROP INDEX entries_by_key; CREATE UNIQUE INDEX entries_by_key ON entries(key) WHERE key <> 'november'",
    "DROP INDEX tickets_by_expiry",
    "ALTER TABLE cells RENAME TO real; CREATE VIEW cells AS SELECT * FROM real",
    "ALTER TABLE outputs ADD COLUMN more TEXT",
    "CREATE TABLE another(x)",
};

// Somebody changes the tables while the ledger is open, and before it is opened: nothing is acknowledged.
TEST(TamperedTablesTest, ChangedTablesStopTheLedger) {
  for (const char* sql : changed_tables) {
    SCOPED_TRACE(sql);
    const TemporaryDirectory directory;
    const std::string path = directory.file("ledger");
    Ledger ledger = Ledger::create(path);
    write_long_log(ledger, 40);
    const LedgerHead before = ledger.head();
    {
      Sql tampering(path);
      tampering.run(sql);
    }
    const ChargeRequest step{.scope = "org", .steps = Plan().add(Gaussian{.stddev = 40})};
    const auto fault = [&](const std::function<void()>& call) {
      try {
        call();
      } catch (const StoreFailure& failure) {
        return std::string(to_string(failure.fault()));
      }
      return std::string("none");
    };
    EXPECT_EQ(fault([&] { ledger.charge(step); }), "corrupt");
    EXPECT_EQ(fault([&] { static_cast<void>(ledger.scopes()); }), "corrupt");
    EXPECT_EQ(fault([&] { static_cast<void>(ledger.verify(before)); }), "corrupt");
    EXPECT_EQ(fault([&] { Ledger again(path); }), "corrupt");
    // What is in the log can be saved.
    std::string lines;
    read_log(path, [&](const LedgerEntry& entry) { lines += entry.text + '\n'; });
    EXPECT_EQ(verify_log(lines, before).entries, before.entry + 1);
    EXPECT_TRUE(import_ledger(lines, directory.file("saved")).charge(step).accepted);
  }
}

// Outputs are not in an export, so that an import has none of those before it.
TEST(TamperedTablesTest, OutputsOfAnImportedLogAreNotMissed) {
  const TemporaryDirectory directory;
  std::string lines;
  {
    Ledger ledger = Ledger::create(directory.file("ledger"));
    write_long_log(ledger, 60);
    lines = joined(lines_of(ledger));
  }
  Ledger imported = import_ledger(lines, directory.file("imported"));
  EXPECT_FALSE(is_found(imported));
  const Receipt reserved =
      imported.reserve({.scope = "org", .steps = Plan().add(Gaussian{.stddev = 40})}, std::chrono::hours(1));
  imported.open(reserved.ticket, reserved.secret);
  imported.commit(reserved.ticket, {.bytes = "new"});
  EXPECT_FALSE(is_found(imported));
  Sql(directory.file("imported")).run_unguarded("DELETE FROM outputs");
  EXPECT_TRUE(is_found(imported));
}

// A statement that changes no row, or other ones, is an error even where nobody compared the tables.
TEST(TamperedTablesTest, RowsThatAreNotTakenAreNoticed) {
  const TemporaryDirectory directory;
  { const Ledger ledger = Ledger::create(directory.file("ledger")); }
  const ledger::Connection connection(directory.file("ledger"), ledger::Connection::Mode::existing);
  const ledger::Changes everything{.scopes = {{"a", 0, "{}"}},
                                   .cells = {{"a", "|", "sums"}},
                                   .steps = {{"a", "|", "step", 1}},
                                   .tickets = {{.ticket = 3, .scope = "a"}},
                                   .outputs = {{3, "bytes"}},
                                   .facts = {{"name", "value"}}};
  for (const char* table : {"scopes", "cells", "steps", "tickets", "outputs", "facts"}) {
    connection.run(
        fmt::format("CREATE TEMP TRIGGER t BEFORE INSERT ON {} BEGIN SELECT raise(IGNORE); END; BEGIN", table).c_str());
    EXPECT_THROW(ledger::SqliteChanges(connection).make(everything), StoreFailure) << table;
    connection.run("ROLLBACK; DROP TRIGGER t");
  }
  connection.run("BEGIN");
  EXPECT_NO_THROW(ledger::SqliteChanges(connection).make(everything));
  connection.run("ROLLBACK");
}

}  // namespace
}  // namespace renyi::test::tamper_test
