#include "ledger/store/witness.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>

#include "ledger/fault_point.h"
#include "ledger/store/file_system.h"
#include "ledger/store/postgres_location.h"
#include "ledger/store/sqlite.h"
#include "renyi/error.h"

namespace renyi::ledger {

namespace witness_file {
namespace {

// Makes an empty file for its owner alone, unless there is one: SQLite would let everybody read it.
const std::string& made(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
  return path;
}

class SqliteWitness final : public Witness {
 public:
  SqliteWitness(const std::string& path, bool may_create, std::chrono::milliseconds patience)
      : connection_(may_create ? made(path) : path, Connection::Mode::existing) {
    sqlite3_busy_timeout(connection_.get(), static_cast<int>(patience.count()));
    // EXTRA: a journal whose removal was not synchronised would come back after a crash, and undo what was recorded.
    connection_.run("PRAGMA synchronous = EXTRA");
    if (may_create) {
      connection_.run(
          "CREATE TABLE IF NOT EXISTS witnessed(ledger TEXT PRIMARY KEY, entry INTEGER NOT NULL, "
          "hash TEXT NOT NULL) STRICT, WITHOUT ROWID");
    }
    record_ = connection_.prepare(
        "INSERT INTO witnessed VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE "
        "SET entry = ?2, hash = ?3 WHERE entry < ?2");
    last_ = connection_.prepare("SELECT entry, hash FROM witnessed WHERE ledger = ?1");
  }

  LogEnd record(const std::string& ledger, const LogEnd& end) override {
    {
      const std::lock_guard lock(mutex_);
      fault_point("witness.before_record");
      record_.bind(1, std::string_view(ledger)).bind(2, end.entry).bind(3, std::string_view(end.hash)).run();
      fault_point("witness.recorded");
    }
    return last(ledger).value_or(end);
  }

  std::optional<LogEnd> last(const std::string& ledger) override {
    const std::lock_guard lock(mutex_);
    last_.bind(1, std::string_view(ledger));
    std::optional<LogEnd> found;
    if (last_.step()) found = LogEnd{last_.integer(0), last_.text(1), {}};
    last_.reset();
    return found;
  }

 private:
  Connection connection_;
  Statement record_, last_;
  std::mutex mutex_;
};

}  // namespace
}  // namespace witness_file

std::unique_ptr<Witness> open_sqlite_witness(const std::string& path, bool may_create,
                                             std::chrono::milliseconds patience) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  refuse_network_file_system(parent.empty() ? "." : parent);
  return std::make_unique<witness_file::SqliteWitness>(path, may_create, patience);
}

std::unique_ptr<Witness> open_witness(const std::string& location, bool may_create,
                                      std::chrono::milliseconds patience) {
  if (is_postgres_location(location)) return open_postgres_witness(location, may_create, patience);
  return open_sqlite_witness(location, may_create, patience);
}

}  // namespace renyi::ledger
