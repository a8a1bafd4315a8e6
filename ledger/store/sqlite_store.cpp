// A ledger in a SQLite file, in the mode WAL. Transactions are appended to the write-ahead log, and the log is
// synchronised before anything is acknowledged, once for all writers that wait.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <mutex>

#include "ledger/fault_point.h"
#include "ledger/store/file_system.h"
#include "ledger/store/shared_sync.h"
#include "ledger/store/sqlite_backup.h"
#include "ledger/store/sqlite_changes.h"
#include "ledger/store/sqlite_schema.h"
#include "ledger/store/sqlite_session.h"
#include "ledger/store/sqlite_view.h"
#include "ledger/store/store.h"
#include "ledger/store/stores.h"
#include "renyi/error.h"

namespace renyi::ledger {

namespace sqlite_store_file {
namespace {

constexpr int checkpoint_pages = 4000;

using Kind = SqliteSession::Kind;
using Transaction = SqliteSession::Transaction;

class SqliteStore final : public Store {
 public:
  SqliteStore(std::string path, std::chrono::milliseconds patience, Tables tables)
      : path_(std::move(path)),
        patience_(patience),
        tables_(tables),
        writing_(path_, patience, tables),
        write_view_(writing_.connection()) {
    idle_.push_back(std::make_unique<Reader>(path_, patience, tables));
  }

  void write(const std::function<Changes(View&)>& decide) override {
    prepare_to_write();
    const std::lock_guard lock(write_mutex_);
    {
      const SharedSync::Writer alone(*sync_, patience_);
      fault_point("sqlite.locked");
      Transaction transaction(writing_, Kind::write);
      const Changes changes = decide(write_view_);
      fault_point("sqlite.decided");
      changes_->make(changes);
      fault_point("sqlite.before_commit");
      transaction.commit();
      fault_point("sqlite.committed");
    }
    turn_ = sync_->written();
  }

  void make_durable() override {
    const std::lock_guard lock(write_mutex_);
    if (!sync_) return;
    fault_point("sqlite.before_sync");
    sync_->wait(turn_, patience_, [this](bool write_again) { synchronise(write_again); });
    fault_point("sqlite.synced");
  }

  void read(const std::function<void(View&)>& ask) override {
    std::unique_ptr<Reader> reader = borrow_reader();
    try {
      Transaction transaction(reader->session, Kind::read);
      ask(reader->view);
      transaction.commit();
    } catch (const StoreFailure&) {
      throw;  // the next question has another connection
    } catch (...) {
      give_back(std::move(reader));
      throw;
    }
    give_back(std::move(reader));
  }

  // Another process may be first. What stays of an upgrade that was interrupted is a backup, and the file as it was.
  std::optional<LedgerUpgrade> upgrade() override {
    if (tables_ != Tables::checked || writing_.version() == sqlite_schema_version()) return {};
    try {
      prepare_to_write();
    } catch (const StoreFailure& failure) {
      // Who may only read goes on with the tables as they are: those of every version have the same columns.
      if (failure.fault() == StoreFault::read_only) return {};
      throw;
    }
    std::optional<LedgerUpgrade> done = migrate();
    make_durable();
    return done;
  }

  // A copy has another inode, and on another file system at least another time of birth, where file systems keep one.
  // The number of the device is no part of it: it may change when the machine starts again.
  std::string place() override {
    struct statx found {};
    if (::statx(AT_FDCWD, path_.c_str(), 0, STATX_INO | STATX_BTIME, &found) != 0) {
      throw_sqlite(SQLITE_CANTOPEN, "looking at the file");
    }
    std::string place = fmt::format("inode {}", found.stx_ino);
    if ((found.stx_mask & STATX_BTIME) != 0)
      place += fmt::format(" of {}.{:09}", found.stx_btime.tv_sec, found.stx_btime.tv_nsec);
    return place;
  }

 private:
  static constexpr std::size_t most_idle = 8;

  // A connection that only reads. Each question borrows one, so that none waits for another.
  struct Reader {
    Reader(const std::string& path, std::chrono::milliseconds patience, Tables tables)
        : session(path, patience, tables), view(session.connection()) {}
    SqliteSession session;
    SqliteView view;
  };

  std::unique_ptr<Reader> borrow_reader() {
    {
      const std::lock_guard lock(idle_mutex_);
      while (!idle_.empty()) {
        std::unique_ptr<Reader> reader = std::move(idle_.back());
        idle_.pop_back();
        if (reader->session.is_current()) return reader;
      }
    }
    return std::make_unique<Reader>(path_, patience_, tables_);
  }

  std::optional<LedgerUpgrade> migrate() {
    const std::lock_guard lock(write_mutex_);
    const SharedSync::Writer alone(*sync_, patience_);
    fault_point("sqlite.migrate.locked");
    Transaction transaction(writing_, Kind::write);
    const int from = writing_.version(), to = sqlite_schema_version();
    if (from == to) return {};
    const std::string backup = fmt::format("{}.schema-{}", path_, from);
    back_up_sqlite_file(path_, backup);
    fault_point("sqlite.migrate.backed_up");
    for (int version = from; version < to; ++version) {
      migrate_sqlite_tables(writing_.connection(), version);
      fault_point("sqlite.migrate.step");
    }
    transaction.commit();
    fault_point("sqlite.migrate.committed");
    turn_ = sync_->written();
    return LedgerUpgrade{.from = from, .to = to, .backup = backup};
  }

  void give_back(std::unique_ptr<Reader> reader) {
    const std::lock_guard lock(idle_mutex_);
    if (idle_.size() < most_idle) idle_.push_back(std::move(reader));
  }

  // The first write of a process makes sure that the directory knows the write-ahead log, which another process may
  // have made and not synchronised.
  void prepare_to_write() {
    const std::lock_guard lock(write_mutex_);
    if (sync_) return;
    if (writing_.is_settled()) throw_sqlite(SQLITE_READONLY, "writing beside the file");
    auto sync = std::make_unique<SharedSync>(path_);
    changes_.emplace(writing_.connection());
    { const Transaction opens_the_log(writing_, Kind::write); }
    sync->wait(sync->written(), patience_, [this](bool write_again) { synchronise(write_again); });
    synchronise_directory(path_);
    sync_ = std::move(sync);
    sqlite3_wal_hook(writing_.connection().get(), move_log, this);
  }

  // Moves a long log into the file, as SQLite does by itself, except that SQLite would not say that it could not
  // synchronise the log.
  static int move_log(void* store, sqlite3* database, const char* name, int pages) {
    if (pages < checkpoint_pages) return SQLITE_OK;
    const int code = sqlite3_wal_checkpoint_v2(database, name, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    if ((code & 0xff) == SQLITE_IOERR) static_cast<SqliteStore*>(store)->sync_->failed();
    return SQLITE_OK;
  }

  // Through SQLite's own file, so that every file system under SQLite does it in its way.
  void synchronise(bool write_again) {
    sqlite3_file* log = nullptr;
    const int found = sqlite3_file_control(writing_.connection().get(), nullptr, SQLITE_FCNTL_JOURNAL_POINTER,
                                           static_cast<void*>(&log));
    if (found != SQLITE_OK || log == nullptr || log->pMethods == nullptr) {
      throw StoreFailure(StoreFault::unreachable, "the write-ahead log is not open", "try again");
    }
    if (write_again) write_log_again(*log);
    if (const int code = log->pMethods->xSync(log, SQLITE_SYNC_NORMAL); code != SQLITE_OK) {
      throw_sqlite(code, "synchronising the write-ahead log");
    }
  }

  // Writes the same bytes to the same places, so that the system takes them for unwritten. Nobody else writes
  // meanwhile.
  void write_log_again(sqlite3_file& log) {
    const Transaction alone(writing_, Kind::write);
    sqlite3_int64 size = 0;
    int code = log.pMethods->xFileSize(&log, &size);
    std::string part(1 << 16, '\0');
    for (sqlite3_int64 at = 0; code == SQLITE_OK && at < size; at += static_cast<sqlite3_int64>(part.size())) {
      const int length = static_cast<int>(std::min<sqlite3_int64>(size - at, static_cast<sqlite3_int64>(part.size())));
      code = log.pMethods->xRead(&log, part.data(), length, at);
      if (code == SQLITE_OK) code = log.pMethods->xWrite(&log, part.data(), length, at);
    }
    if (code != SQLITE_OK) throw_sqlite(code, "writing the write-ahead log again");
  }

  std::string path_;
  std::chrono::milliseconds patience_;
  Tables tables_;
  SqliteSession writing_;
  SqliteView write_view_;
  std::optional<SqliteChanges> changes_;
  std::unique_ptr<SharedSync> sync_;
  std::mutex write_mutex_, idle_mutex_;
  std::vector<std::unique_ptr<Reader>> idle_;
  std::uint64_t turn_ = 0;
};

std::string directory_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

}  // namespace
}  // namespace sqlite_store_file

// The file gets its name only when it is complete.
std::unique_ptr<Store> create_sqlite_store(const std::string& path, std::chrono::milliseconds patience) {
  using namespace sqlite_store_file;
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    throw InvalidArgument("ledger", '"' + path + '"', "a name that is not taken; there is such a file");
  }
  refuse_network_file_system(directory_of(path));
  if (::access(directory_of(path).c_str(), W_OK | X_OK) != 0 && errno != ENOENT && errno != ENOTDIR) {
    throw_sqlite(SQLITE_READONLY, "making the file");
  }
  const std::string made = fmt::format("{}.new-{}", path, ::getpid());
  const auto remove = [&] {
    for (const char* end : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(made + end, ignored);
  };
  remove();
  try {
    {
      const Connection connection(made, Connection::Mode::create);
      connection.run("PRAGMA page_size = 4096; PRAGMA synchronous = FULL");
      connection.run("BEGIN");
      make_sqlite_tables(connection);
      connection.run("COMMIT");
      if (connection.ask("PRAGMA journal_mode = WAL") != "wal") {
        throw StoreFailure(StoreFault::unsuitable, "the file system does not support the mode WAL",
                           "use a local file system, or PostgreSQL");
      }
    }
    // The secrets of tickets are in it.
    std::filesystem::permissions(made, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    fault_point("sqlite.created");
    if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) != 0) {
      throw InvalidArgument("ledger", '"' + path + '"', "a name that is not taken");
    }
  } catch (...) {
    remove();
    throw;
  }
  remove();
  synchronise_directory(path);
  return open_sqlite_store(path, patience);
}

std::unique_ptr<Store> open_sqlite_store(const std::string& path, std::chrono::milliseconds patience, Tables tables) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status)) {
    throw InvalidArgument("ledger", '"' + path + '"', "a ledger that exists; `renyi ledger init` makes one");
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw InvalidArgument("ledger", '"' + path + '"', "a regular file");
  }
  // The logs of SQLite lie beside a name, so that a file with two names would have two of them.
  if (std::filesystem::hard_link_count(path, ignored) > 1) {
    throw StoreFailure(StoreFault::unsuitable, "the file has more than one name (hard links)",
                       "remove the other names");
  }
  const std::string real = std::filesystem::canonical(path, ignored).string();
  const std::string& used = real.empty() ? path : real;
  refuse_network_file_system(sqlite_store_file::directory_of(used));
  return std::make_unique<sqlite_store_file::SqliteStore>(used, patience, tables);
}

}  // namespace renyi::ledger
