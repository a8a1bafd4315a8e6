#include "ledger/store/sqlite_session.h"

#include "ledger/store/sqlite_schema.h"
#include "renyi/error.h"

namespace renyi::ledger {

SqliteSession::SqliteSession(const std::string& path, std::chrono::milliseconds patience, Tables tables)
    : connection_(path, Connection::Mode::existing), tables_(tables) {
  sqlite3_busy_timeout(connection_.get(), static_cast<int>(patience.count()));
  connection_.run("PRAGMA synchronous = NORMAL");    // the store synchronises by itself
  connection_.run("PRAGMA wal_autocheckpoint = 0");  // and moves the log into the file
  version_ = stored_sqlite_version(connection_);
  if (connection_.ask("PRAGMA journal_mode") != "wal") {
    throw StoreFailure(StoreFault::corrupt, "the file is not in the mode WAL", "restore it from an export");
  }
  begin_to_write_ = connection_.prepare("BEGIN IMMEDIATE");
  begin_to_read_ = connection_.prepare("BEGIN");
  commit_ = connection_.prepare("COMMIT");
  cookie_ = connection_.prepare("PRAGMA schema_version");
  Transaction(*this, Kind::read).commit();
}

void SqliteSession::check_tables() {
  cookie_.step();
  const std::int64_t now = cookie_.integer(0);
  cookie_.reset();
  if (now == checked_) return;
  version_ = stored_sqlite_version(connection_);
  const std::string fault = tables_ == Tables::checked ? sqlite_schema_fault(connection_, version_) : std::string();
  if (!fault.empty()) {
    throw StoreFailure(StoreFault::corrupt, "the tables are not those of a ledger: " + fault,
                       "find out who can write the file; `renyi ledger import` makes a new ledger of its log");
  }
  checked_ = now;
}

void SqliteSession::roll_back() noexcept { sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr); }

SqliteSession::Transaction::Transaction(SqliteSession& session, Kind kind) : session_(session) {
  (kind == Kind::write ? session.begin_to_write_ : session.begin_to_read_).run();
  try {
    session.check_tables();
  } catch (...) {
    session.roll_back();
    throw;
  }
}

SqliteSession::Transaction::~Transaction() {
  if (!is_over_) session_.roll_back();
}

void SqliteSession::Transaction::commit() {
  session_.commit_.run();
  is_over_ = true;
}

}  // namespace renyi::ledger
