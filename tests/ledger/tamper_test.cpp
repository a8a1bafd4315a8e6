// Somebody who can write to the file changes it: every edit, deletion, swap, duplication and truncation of the log is
// found by `verify` with a kept head, edits and swaps also without it, and so is every change of derived rows.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <random>

#include "digest/sha256.h"
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

class Sql {
 public:
  explicit Sql(const std::string& path) {
    sqlite3_open(path.c_str(), &database_);
    sqlite3_busy_timeout(database_, 60'000);
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
  void put(std::size_t entry, const std::string& text, const std::string& hash) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(database_, "UPDATE entries SET text = ?1, hash = ?2 WHERE entry = ?3", -1, &statement, nullptr);
    sqlite3_bind_text(statement, 1, text.c_str(), -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, hash.c_str(), -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 3, static_cast<std::int64_t>(entry));
    EXPECT_EQ(sqlite3_step(statement), SQLITE_DONE);
    sqlite3_finalize(statement);
  }
  [[nodiscard]] int changes() { return sqlite3_changes(database_); }

 private:
  sqlite3* database_ = nullptr;
};

constexpr const char* without_triggers =
    "DROP TRIGGER entries_are_not_changed; DROP TRIGGER entries_are_not_removed; DROP INDEX entries_by_key";

bool is_found(const Ledger& ledger, const std::optional<LedgerHead>& kept = {}) {
  try {
    return !ledger.verify(kept).valid;
  } catch (const StoreFailure& failure) {
    return failure.fault() == StoreFault::corrupt;
  }
}

class TamperedFileTest : public TamperTest {
 protected:
  TamperedFileTest() : sql_(directory_.file("ledger")) { sql_.run(without_triggers); }

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
      sql_.run(fmt::format("UPDATE entries SET {0} = {0} || 'x' WHERE entry = {1}", column, i));
      EXPECT_TRUE(is_found(ledger_)) << column;
      sql_.run(fmt::format("UPDATE entries SET {0} = substr({0}, 1, length({0}) - 1) WHERE entry = {1}", column, i));
    }
    sql_.run("UPDATE entries SET entry = -5 WHERE entry = " + number);
    EXPECT_TRUE(is_found(ledger_)) << "an entry moved to the front";
    sql_.run(fmt::format("UPDATE entries SET entry = {} WHERE entry = -5", entries + 5));
    EXPECT_TRUE(is_found(ledger_, head_)) << "an entry moved to the end";
    sql_.run(fmt::format("UPDATE entries SET entry = {} WHERE entry = {}", i, entries + 5));
    sql_.run(
        fmt::format("INSERT INTO entries SELECT {}, hash, text, key, scope, person, time FROM entries "
                    "WHERE entry = {}",
                    entries, i));
    EXPECT_TRUE(is_found(ledger_)) << "a copy at the end";
    sql_.run(fmt::format("DELETE FROM entries WHERE entry = {}", entries));
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
    sql_.run(fmt::format("DELETE FROM entries WHERE entry >= {}", end - 1));
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
    sql.run(fmt::format("CREATE TABLE kept_{0} AS SELECT * FROM {0}", table));
  }
  ASSERT_FALSE(is_found(ledger));
  for (const Tampering& one : tamperings) {
    sql.run(one.sql);
    EXPECT_GT(sql.changes(), 0) << one.sql;
    EXPECT_TRUE(is_found(ledger)) << one.sql;
    sql.run(fmt::format("DELETE FROM {0}; INSERT INTO {0} SELECT * FROM kept_{0}", one.table));
    ASSERT_FALSE(is_found(ledger)) << one.sql << " was not put back";
  }
}

}  // namespace
}  // namespace renyi::test::tamper_test
