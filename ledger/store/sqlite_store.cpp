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

TicketState read_state(const std::string& text) {
  for (const TicketState state : {TicketState::reserved, TicketState::opened, TicketState::committed,
                                  TicketState::cancelled, TicketState::expired}) {
    if (text == to_string(state)) return state;
  }
  throw StoreFailure(StoreFault::corrupt, "a ticket has an unknown state", "run `renyi ledger verify`");
}

constexpr const char* entry_columns = "entry, hash, text, key, scope, person, time";

EntryRow read_entry_row(const Statement& row) {
  return {row.integer(0), row.text(1), row.text(2), row.text(3), row.text(4), row.text(5), row.text(6)};
}

TicketRow read_ticket_row(const Statement& row) {
  return {row.integer(0), read_state(row.text(1)), row.integer(2), row.text(3), row.text(4), row.text(5)};
}

// Ends the use of a statement however a function is left.
class Use {
 public:
  explicit Use(Statement& statement) : statement_(statement) {}
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() { statement_.reset(); }

 private:
  Statement& statement_;
};

// The statements of one connection.
class SqliteView final : public View {
 public:
  explicit SqliteView(const Connection& connection)
      : connection_(connection),
        end_(connection.prepare("SELECT entry, hash, time FROM entries ORDER BY entry DESC LIMIT 1")),
        entry_(connection.prepare(fmt::format("SELECT {} FROM entries WHERE entry = ?1", entry_columns))),
        by_key_(connection.prepare(fmt::format("SELECT {} FROM entries WHERE key = ?1 AND key <> ''", entry_columns))),
        scopes_changed_(connection.prepare("SELECT entry FROM scopes ORDER BY entry DESC LIMIT 1")),
        cells_(connection.prepare("SELECT cell, sums FROM cells WHERE scope = ?1")),
        ticket_(
            connection.prepare("SELECT ticket, state, entry, scope, expires, secret FROM tickets WHERE ticket = ?1")),
        overdue_(connection.prepare("SELECT ticket, state, entry, scope, expires, secret FROM tickets "
                                    "WHERE state = 'reserved' AND expires <= ?1 ORDER BY expires LIMIT ?2")) {}

  LogEnd end() override {
    const Use use(end_);
    return end_.step() ? LogEnd{end_.integer(0), end_.text(1), end_.text(2)} : LogEnd{};
  }
  std::optional<EntryRow> entry(std::int64_t number) override {
    const Use use(entry_);
    return entry_.bind(1, number).step() ? std::optional(read_entry_row(entry_)) : std::nullopt;
  }
  std::optional<EntryRow> entry_by_key(const std::string& key) override {
    const Use use(by_key_);
    return by_key_.bind(1, key).step() ? std::optional(read_entry_row(by_key_)) : std::nullopt;
  }
  void entries(std::int64_t from, const std::function<bool(const EntryRow&)>& visit) override {
    Statement rows =
        connection_.prepare(fmt::format("SELECT {} FROM entries WHERE entry >= ?1 ORDER BY entry", entry_columns));
    rows.bind(1, from);
    while (rows.step() && visit(read_entry_row(rows))) {
    }
  }
  void history(const HistoryFilter& filter, const std::function<void(const EntryRow&)>& visit) override {
    Statement rows = connection_.prepare(
        fmt::format("SELECT {} FROM entries WHERE entry > ?1"
                    " AND (?2 = '' OR scope = ?2 OR substr(scope, 1, length(?2) + 1) = ?2 || '/')"
                    " AND (?3 = '' OR person = ?3) AND time >= ?4 AND (?5 = '' OR time < ?5) ORDER BY entry LIMIT ?6",
                    entry_columns));
    rows.bind(1, filter.after).bind(2, filter.scope).bind(3, filter.person).bind(4, filter.since).bind(5, filter.until);
    rows.bind(6, filter.most > 0 ? filter.most : -1);
    while (rows.step()) visit(read_entry_row(rows));
  }
  std::int64_t scopes_changed() override {
    const Use use(scopes_changed_);
    return scopes_changed_.step() ? scopes_changed_.integer(0) : -1;
  }
  std::vector<ScopeRow> scopes() override {
    Statement rows = connection_.prepare("SELECT name, entry, text FROM scopes ORDER BY name");
    std::vector<ScopeRow> list;
    while (rows.step()) list.push_back({rows.text(0), rows.integer(1), rows.text(2)});
    return list;
  }
  std::vector<CellRow> cells(const std::string& scope) override {
    const Use use(cells_);
    cells_.bind(1, scope);
    std::vector<CellRow> list;
    while (cells_.step()) list.push_back({scope, cells_.text(0), cells_.blob(1)});
    return list;
  }
  std::vector<StepRow> steps(const std::string& scope, const std::string& cell) override {
    Statement rows = connection_.prepare("SELECT step, count FROM steps WHERE scope = ?1 AND cell = ?2 ORDER BY step");
    rows.bind(1, scope).bind(2, cell);
    std::vector<StepRow> list;
    while (rows.step()) list.push_back({scope, cell, rows.text(0), rows.integer(1)});
    return list;
  }
  std::optional<TicketRow> ticket(std::int64_t number) override {
    const Use use(ticket_);
    return ticket_.bind(1, number).step() ? std::optional(read_ticket_row(ticket_)) : std::nullopt;
  }
  std::vector<TicketRow> overdue(const std::string& time, std::int64_t most) override {
    const Use use(overdue_);
    overdue_.bind(1, time).bind(2, most);
    std::vector<TicketRow> list;
    while (overdue_.step()) list.push_back(read_ticket_row(overdue_));
    return list;
  }
  void tickets(const std::function<void(const TicketRow&)>& visit) override {
    Statement rows =
        connection_.prepare("SELECT ticket, state, entry, scope, expires, secret FROM tickets ORDER BY ticket");
    while (rows.step()) visit(read_ticket_row(rows));
  }
  std::optional<std::string> output(std::int64_t ticket) override {
    Statement row = connection_.prepare("SELECT bytes FROM outputs WHERE ticket = ?1");
    return row.bind(1, ticket).step() ? std::optional(row.blob(0)) : std::nullopt;
  }
  std::string damage() override {
    const std::string found = connection_.ask("PRAGMA integrity_check(1)");
    return found == "ok" ? "" : "SQLite finds the file damaged";
  }
  RowCounts row_counts() override {
    Statement row = connection_.prepare(
        "SELECT (SELECT count(*) FROM cells), (SELECT count(*) FROM steps), (SELECT count(*) FROM outputs)");
    row.step();
    return {.cells = row.integer(0), .steps = row.integer(1), .outputs = row.integer(2)};
  }
  std::string fact(const std::string& name) override {
    Statement row = connection_.prepare("SELECT value FROM facts WHERE name = ?1");
    return row.bind(1, std::string_view(name)).step() ? row.text(0) : std::string();
  }

 private:
  const Connection& connection_;
  Statement end_, entry_, by_key_, scopes_changed_, cells_, ticket_, overdue_;
};

constexpr const char* put_fact = "INSERT INTO facts VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2";

// Writes the changes of a transaction.
class Writes {
 public:
  explicit Writes(const Connection& connection)
      : entry_(connection.prepare("INSERT INTO entries VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")),
        scope_(connection.prepare(
            "INSERT INTO scopes VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET entry = ?2, text = ?3")),
        cell_(connection.prepare("INSERT INTO cells VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET sums = ?3")),
        step_(connection.prepare(
            "INSERT INTO steps VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET count = count + ?4")),
        drop_step_(connection.prepare("DELETE FROM steps WHERE scope = ?1 AND cell = ?2 AND step = ?3 AND count = 0")),
        ticket_(connection.prepare("INSERT INTO tickets VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE SET "
                                   "state = ?2, entry = ?3, secret = ?6")),
        output_(connection.prepare("INSERT INTO outputs VALUES (?1, ?2)")),
        fact_(connection.prepare(put_fact)) {}

  void make(const Changes& changes) {
    for (const EntryRow& row : changes.entries) {
      entry_.bind(1, row.entry).bind(2, row.hash).bind(3, row.text).bind(4, row.key);
      entry_.bind(5, row.scope).bind(6, row.person).bind(7, row.time).run();
    }
    for (const ScopeRow& row : changes.scopes) scope_.bind(1, row.name).bind(2, row.entry).bind(3, row.text).run();
    for (const CellRow& row : changes.cells) cell_.bind(1, row.scope).bind(2, row.cell).bind_blob(3, row.sums).run();
    for (const StepRow& row : changes.steps) {
      step_.bind(1, row.scope).bind(2, row.cell).bind(3, row.step).bind(4, row.count).run();
      if (row.count < 0) drop_step_.bind(1, row.scope).bind(2, row.cell).bind(3, row.step).run();
    }
    for (const TicketRow& row : changes.tickets) {
      ticket_.bind(1, row.ticket).bind(2, to_string(row.state)).bind(3, row.entry).bind(4, row.scope);
      ticket_.bind(5, row.expires).bind(6, row.secret).run();
    }
    for (const auto& [ticket, bytes] : changes.outputs) output_.bind(1, ticket).bind_blob(2, bytes).run();
    for (const auto& [name, value] : changes.facts) fact_.bind(1, name).bind(2, value).run();
  }

 private:
  Statement entry_, scope_, cell_, step_, drop_step_, ticket_, output_, fact_;
};

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
        writing_(path_, Connection::Mode::existing),
        reading_(path_, Connection::Mode::existing) {
    for (const Connection* connection : {&writing_, &reading_}) {
      sqlite3_busy_timeout(connection->get(), static_cast<int>(patience.count()));
      connection->run("PRAGMA synchronous = NORMAL");    // make_durable synchronises
      connection->run("PRAGMA wal_autocheckpoint = 0");  // move_log does it
      check_is_ledger(*connection);
    }
    if (writing_.ask("PRAGMA journal_mode") != "wal") {
      throw StoreFailure(StoreFault::corrupt, "the file is not in the mode WAL", "restore it from an export");
    }
    write_view_.emplace(writing_);
    read_view_.emplace(reading_);
    write_bounds_.emplace(writing_);
    read_bounds_.emplace(reading_);
  }

  void write(const std::function<Changes(View&)>& decide) override {
    prepare_to_write();
    const std::lock_guard lock(write_mutex_);
    {
      const SharedSync::Writer alone(*sync_, patience_);
      fault_point("sqlite.locked");
      Transaction transaction(*write_bounds_, write_bounds_->begin_to_write);
      const Changes changes = decide(*write_view_);
      fault_point("sqlite.decided");
      writes_->make(changes);
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
    const std::lock_guard lock(read_mutex_);
    Transaction transaction(*read_bounds_, read_bounds_->begin_to_read);
    ask(*read_view_);
    transaction.commit();
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
  // The first write of a process makes sure that the directory knows the write-ahead log, which another process may
  // have made and not synchronised.
  void prepare_to_write() {
    const std::lock_guard lock(write_mutex_);
    if (sync_) return;
    auto sync = std::make_unique<SharedSync>(path_);
    writes_.emplace(writing_);
    { const Transaction opens_the_log(*write_bounds_, write_bounds_->begin_to_write); }
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
    const Transaction alone(*write_bounds_, write_bounds_->begin_to_write);
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
  Connection writing_, reading_;
  std::optional<SqliteView> write_view_, read_view_;
  std::optional<Bounds> write_bounds_, read_bounds_;
  std::optional<Writes> writes_;
  std::unique_ptr<SharedSync> sync_;
  std::mutex write_mutex_, read_mutex_;
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
