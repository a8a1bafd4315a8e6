#include "ledger/store/sqlite_session.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "ledger/store/sqlite_schema.h"
#include "renyi/error.h"

namespace renyi::ledger {

FileState FileState::of(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  struct stat log {};
  return {.inode = found.st_ino,
          .size = found.st_size,
          .seconds = found.st_mtim.tv_sec,
          .nanoseconds = found.st_mtim.tv_nsec,
          .has_log = ::stat((path + "-wal").c_str(), &log) == 0 && log.st_size > 0};
}

namespace sqlite_session_file {
namespace {

bool may_write_beside(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return ::access(parent.empty() ? "." : parent.c_str(), W_OK | X_OK) == 0;
}

// SQLite shares memory with other programs by a file beside the ledger. Without the right to make it, the file is read
// as it lies there, unless there is a log with more of it.
std::optional<FileState> settled_state(const std::string& path) {
  if (may_write_beside(path) || ::access((path + "-shm").c_str(), R_OK) == 0) return {};
  const FileState state = FileState::of(path);
  return state.has_log ? std::nullopt : std::optional(state);
}

}  // namespace
}  // namespace sqlite_session_file

SqliteSession::SqliteSession(const std::string& path, std::chrono::milliseconds patience, Tables tables)
    : path_(path),
      settled_(sqlite_session_file::settled_state(path)),
      connection_(path, settled_ ? Connection::Mode::settled : Connection::Mode::existing),
      tables_(tables) {
  sqlite3_busy_timeout(connection_.get(), static_cast<int>(patience.count()));
  connection_.run("PRAGMA synchronous = NORMAL");    // the store synchronises by itself
  connection_.run("PRAGMA wal_autocheckpoint = 0");  // and moves the log into the file
  version_ = stored_sqlite_version(connection_);
  if (!settled_ && connection_.ask("PRAGMA journal_mode") != "wal") {
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
  if (!session_.is_current()) {
    throw StoreFailure(StoreFault::busy, "the file was written while it was read", "ask again");
  }
  session_.commit_.run();
  is_over_ = true;
}

}  // namespace renyi::ledger
