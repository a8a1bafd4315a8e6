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
#include "ledger/store/sqlite.h"
#include "ledger/store/sqlite_changes.h"
#include "ledger/store/sqlite_view.h"
#include "ledger/store/store.h"
#include "ledger/store/stores.h"
#include "renyi/error.h"

namespace renyi::ledger {

namespace sqlite_store_file {
namespace {

constexpr int schema_version = 1;
constexpr int checkpoint_pages = 4000;
constexpr std::int64_t application = 0x72656e79;  // "reny"

constexpr const char* schema = R"(
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

// The statements by which transactions begin and end.
struct Bounds {
  explicit Bounds(const Connection& connection)
      : connection_(connection),
        begin_to_write(connection.prepare("BEGIN IMMEDIATE")),
        begin_to_read(connection.prepare("BEGIN")),
        commit(connection.prepare("COMMIT")) {}
  const Connection& connection_;
  Statement begin_to_write, begin_to_read, commit;
};

// A transaction that is rolled back unless it is committed.
class Transaction {
 public:
  Transaction(Bounds& bounds, Statement& begin) : bounds_(bounds) { begin.run(); }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (!is_over_) sqlite3_exec(bounds_.connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
  void commit() {
    bounds_.commit.run();
    is_over_ = true;
  }

 private:
  Bounds& bounds_;
  bool is_over_ = false;
};

void check_is_ledger(const Connection& connection) {
  if (connection.ask("PRAGMA application_id") != std::to_string(application)) {
    throw StoreFailure(StoreFault::corrupt, "the file is no ledger", "make one by `renyi ledger init`");
  }
  if (const std::string version = connection.ask("PRAGMA user_version"); version != std::to_string(schema_version)) {
    throw StoreFailure(StoreFault::newer, fmt::format("the file has the version {} of ledgers", version),
                       fmt::format("this program reads version {}: use a newer one", schema_version));
  }
}

class SqliteStore final : public Store {
 public:
  SqliteStore(std::string path, std::chrono::milliseconds patience)
      : path_(std::move(path)),
        patience_(patience),
        writing_(connect()),
        write_view_(writing_),
        write_bounds_(writing_) {
    idle_.push_back(std::make_unique<Reader>(connect()));
  }

  void write(const std::function<Changes(View&)>& decide) override {
    prepare_to_write();
    const std::lock_guard lock(write_mutex_);
    {
      const SharedSync::Writer alone(*sync_, patience_);
      fault_point("sqlite.locked");
      Transaction transaction(write_bounds_, write_bounds_.begin_to_write);
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
      Transaction transaction(reader->bounds, reader->bounds.begin_to_read);
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
    explicit Reader(Connection opened) : connection(std::move(opened)), view(connection), bounds(connection) {}
    Connection connection;
    SqliteView view;
    Bounds bounds;
  };

  Connection connect() const {
    Connection connection(path_, Connection::Mode::existing);
    sqlite3_busy_timeout(connection.get(), static_cast<int>(patience_.count()));
    connection.run("PRAGMA synchronous = NORMAL");    // make_durable synchronises
    connection.run("PRAGMA wal_autocheckpoint = 0");  // move_log does it
    check_is_ledger(connection);
    if (connection.ask("PRAGMA journal_mode") != "wal") {
      throw StoreFailure(StoreFault::corrupt, "the file is not in the mode WAL", "restore it from an export");
    }
    return connection;
  }

  std::unique_ptr<Reader> borrow_reader() {
    {
      const std::lock_guard lock(idle_mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Reader> reader = std::move(idle_.back());
        idle_.pop_back();
        return reader;
      }
    }
    return std::make_unique<Reader>(connect());
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
    auto sync = std::make_unique<SharedSync>(path_);
    changes_.emplace(writing_);
    { const Transaction opens_the_log(write_bounds_, write_bounds_.begin_to_write); }
    sync->wait(sync->written(), patience_, [this](bool write_again) { synchronise(write_again); });
    synchronise_directory(path_);
    sync_ = std::move(sync);
    sqlite3_wal_hook(writing_.get(), move_log, this);
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
    const int found =
        sqlite3_file_control(writing_.get(), nullptr, SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&log));
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
    const Transaction alone(write_bounds_, write_bounds_.begin_to_write);
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
  Connection writing_;
  SqliteView write_view_;
  Bounds write_bounds_;
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
      connection.run(fmt::format("BEGIN; PRAGMA application_id = {}; PRAGMA user_version = {}; {} COMMIT", application,
                                 schema_version, schema)
                         .c_str());
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

std::unique_ptr<Store> open_sqlite_store(const std::string& path, std::chrono::milliseconds patience) {
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
  return std::make_unique<sqlite_store_file::SqliteStore>(used, patience);
}

}  // namespace renyi::ledger
