#include "ledger/store/sqlite_schema.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <utility>

#include "renyi/error.h"

namespace renyi::ledger {

namespace sqlite_schema_file {
namespace {

constexpr const char* application = "1919250041";  // 0x72656e79, "reny"

// A migration is never changed once it was published; a new one is added. Statements that make something are kept by
// SQLite as they are written here, and compared with what a file has.
//
// 1: tables. Keys are unique, and what was appended is not changed or removed.
constexpr const char* tables = R"(
CREATE TABLE entries(entry INTEGER PRIMARY KEY, hash TEXT NOT NULL, text TEXT NOT NULL, key TEXT NOT NULL,
  scope TEXT NOT NULL, person TEXT NOT NULL, time TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX entries_by_key ON entries(key) WHERE key <> '';
CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries BEGIN SELECT raise(ABORT, 'the log is append-only'); END;
CREATE TRIGGER entries_are_not_removed BEFORE DELETE ON entries BEGIN SELECT raise(ABORT, 'the log is append-only'); END;
CREATE TABLE scopes(name TEXT PRIMARY KEY, entry INTEGER NOT NULL, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX scopes_by_entry ON scopes(entry);
CREATE TABLE cells(scope TEXT, cell TEXT, sums BLOB NOT NULL, PRIMARY KEY(scope, cell)) STRICT, WITHOUT ROWID;
CREATE TABLE steps(scope TEXT, cell TEXT, step TEXT, count INTEGER NOT NULL, PRIMARY KEY(scope, cell, step))
  STRICT, WITHOUT ROWID;
CREATE TABLE tickets(ticket INTEGER PRIMARY KEY, state TEXT NOT NULL, entry INTEGER NOT NULL, scope TEXT NOT NULL,
  expires TEXT NOT NULL, secret TEXT NOT NULL) STRICT;
CREATE INDEX tickets_by_expiry ON tickets(expires) WHERE state = 'reserved';
CREATE TABLE outputs(ticket INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE facts(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
)";

// 2: the log begins at entry 0; outputs stay, as entries do; pending tickets and releases are found by indexes.
// Programs of version 1 that have the file open go on: no table has another column.
constexpr const char* guards = R"(
ALTER TABLE entries RENAME TO entries_before;
DROP INDEX entries_by_key;
DROP TRIGGER entries_are_not_changed;
DROP TRIGGER entries_are_not_removed;
CREATE TABLE entries(entry INTEGER PRIMARY KEY CHECK (entry >= 0), hash TEXT NOT NULL, text TEXT NOT NULL,
  key TEXT NOT NULL, scope TEXT NOT NULL, person TEXT NOT NULL, time TEXT NOT NULL) STRICT;
INSERT INTO entries SELECT entry, hash, text, key, scope, person, time FROM entries_before ORDER BY entry;
DROP TABLE entries_before;
CREATE UNIQUE INDEX entries_by_key ON entries(key) WHERE key <> '';
CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries BEGIN SELECT raise(ABORT, 'the log is append-only'); END;
CREATE TRIGGER entries_are_not_removed BEFORE DELETE ON entries BEGIN SELECT raise(ABORT, 'the log is append-only'); END;
CREATE TRIGGER outputs_are_not_changed BEFORE UPDATE ON outputs BEGIN SELECT raise(ABORT, 'outputs are kept'); END;
CREATE TRIGGER outputs_are_not_removed BEFORE DELETE ON outputs BEGIN SELECT raise(ABORT, 'outputs are kept'); END;
CREATE INDEX tickets_pending ON tickets(ticket) WHERE state = 'reserved';
CREATE INDEX tickets_committed ON tickets(entry) WHERE state = 'committed';
)";

constexpr std::array migrations = {tables, guards};

// What was made, by kind and name: its table and its statement. The statistics that ANALYZE writes change no answer.
using Schema = std::map<std::pair<std::string, std::string>, std::string>;

Schema schema_of(const Connection& connection) {
  Statement rows = connection.prepare(
      "SELECT type, name, tbl_name || ': ' || coalesce(sql, '') FROM sqlite_schema "
      "WHERE type <> 'table' OR name NOT IN ('sqlite_stat1', 'sqlite_stat4')");
  Schema schema;
  while (rows.step()) schema[{rows.text(0), rows.text(1)}] = rows.text(2);
  return schema;
}

// Made by SQLite itself, in memory.
Schema schema_of_version(int version) {
  const Connection connection(":memory:", Connection::Mode::create);
  make_sqlite_tables(connection, version);
  return schema_of(connection);
}

}  // namespace
}  // namespace sqlite_schema_file

int sqlite_schema_version() noexcept { return static_cast<int>(sqlite_schema_file::migrations.size()); }

int stored_sqlite_version(const Connection& connection) {
  if (connection.ask("PRAGMA application_id") != sqlite_schema_file::application) {
    throw StoreFailure(StoreFault::corrupt, "the file is no ledger", "make one by `renyi ledger init`");
  }
  const std::string version = connection.ask("PRAGMA user_version");
  for (int known = 1; known <= sqlite_schema_version(); ++known) {
    if (version == std::to_string(known)) return known;
  }
  throw StoreFailure(StoreFault::newer, fmt::format("the file has tables of version {}", version),
                     fmt::format("this program knows versions up to {}: use a newer one", sqlite_schema_version()));
}

void make_sqlite_tables(const Connection& connection, int version) {
  connection.run(fmt::format("PRAGMA application_id = {}", sqlite_schema_file::application).c_str());
  for (int from = 0; from < version; ++from) migrate_sqlite_tables(connection, from);
}

void migrate_sqlite_tables(const Connection& connection, int from) {
  connection.run(sqlite_schema_file::migrations.at(static_cast<std::size_t>(from)));
  connection.run(fmt::format("PRAGMA user_version = {}", from + 1).c_str());
}

std::string sqlite_schema_fault(const Connection& connection, int version) {
  using sqlite_schema_file::Schema;
  static const auto known = [] {
    std::map<int, Schema> versions;
    for (int one = 1; one <= sqlite_schema_version(); ++one) {
      versions[one] = sqlite_schema_file::schema_of_version(one);
    }
    return versions;
  }();
  const Schema& made = known.at(version);
  const Schema found = sqlite_schema_file::schema_of(connection);
  for (const auto& [name, statement] : made) {
    const auto same = found.find(name);
    if (same == found.end()) return fmt::format("the {} \"{}\" is missing", name.first, name.second);
    if (same->second != statement) return fmt::format("the {} \"{}\" was changed", name.first, name.second);
  }
  for (const auto& [name, statement] : found) {
    if (!made.contains(name)) return "something was added to the tables: a " + name.first.substr(0, 10);
  }
  return {};
}

}  // namespace renyi::ledger
