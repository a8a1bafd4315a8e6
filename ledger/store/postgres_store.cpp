#include "ledger/store/postgres_store.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <set>
#include <utility>

#include "ledger/fault_point.h"
#include "ledger/store/postgres_changes.h"
#include "ledger/store/postgres_flush.h"
#include "ledger/store/postgres_pool.h"
#include "ledger/store/postgres_schema.h"
#include "ledger/store/postgres_view.h"

namespace renyi::ledger {

namespace postgres_store_file {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// Statements see what was committed before they began, and with the lock of the writers that is the last state.
const PostgresStatement begin_write{"begin_write", "BEGIN ISOLATION LEVEL READ COMMITTED"};
const PostgresStatement begin_read{"begin_read", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"};
const PostgresStatement commit{"commit", "COMMIT"};
const PostgresStatement settings{
    "settings", "SELECT set_config('synchronous_commit', $1, true), set_config('lock_timeout', $2, true)"};
const PostgresStatement lock_writers{"lock_writers", "SELECT pg_advisory_xact_lock($1)"};

// Lets the threads of this process write one after the other, so that they need one connection.
class Turns {
 public:
  void take(Clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    if (!is_free_.wait_until(lock, deadline, [&] { return !is_taken_; })) {
      throw StoreFailure(StoreFault::busy, "other threads did not finish writing in time",
                         "try again, or allow more time");
    }
    is_taken_ = true;
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    is_taken_ = false;
    is_free_.notify_one();
  }

 private:
  std::mutex mutex_{};
  std::condition_variable is_free_{};
  bool is_taken_ = false;
};

class Turn {
 public:
  Turn(Turns& turns, Clock::time_point deadline) : turns_(turns) { turns_.take(deadline); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { turns_.leave(); }

 private:
  Turns& turns_;
};

class PostgresStore : public Store {
 public:
  PostgresStore(PostgresLocation location, milliseconds patience)
      : patience_(patience),
        pool_(std::move(location), patience),
        questions_(pool_.location().schema),
        changes_(pool_.location().schema),
        flush_(pool_, pool_.location().schema) {}

  // Makes the tables, or finds them, and learns which place this is.
  void prepare(bool is_new) {
    PostgresPool::Loan connection = pool_.borrow();
    const std::string& schema = pool_.location().schema;
    if (is_new || stored_postgres_version(*connection, schema) == 0) {
      migrate_postgres_schema(*connection, schema, is_new);
    }
    static const PostgresStatement where{
        "place",
        "SELECT n.oid::bigint, 'postgresql:' || (SELECT system_identifier FROM pg_control_system()) || '/' || "
        "(SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || n.oid "
        "FROM pg_namespace n WHERE n.nspname = $1"};
    const PostgresRows rows = connection->run(where, PostgresParameters().text(schema));
    writers_ = (std::int64_t{0x72656e79} << 32) + rows.number(0, 0);
    place_ = rows.text(0, 1);
  }

  void write(const std::function<Changes(View&)>& decide) override {
    const Clock::time_point deadline = Clock::now() + patience_;
    const Turn turn(turns_, deadline);
    for (;;) {
      try {
        write_once(decide, deadline);
        return;
      } catch (const PostgresError& error) {
        if (!error.may_be_repeated() || Clock::now() >= deadline) throw;
      }
    }
  }

  void make_durable() override { flush_.wait(); }

  void read(const std::function<void(View&)>& ask) override {
    Transaction transaction = begin([](PostgresConnection& to) { to.send(begin_read); });
    PostgresPool::Loan& connection = transaction.connection;
    try {
      PostgresView view(*connection, questions_, transaction.answers.front());
      ask(view);
      connection->run(commit);
      flush_.has_seen(connection->number(), view.end());
    } catch (...) {
      connection.roll_back();
      throw;
    }
  }

  // A role that may not, such as one that appends, goes on with the tables as they are until the owner opens the
  // ledger: those of every version have the same columns.
  std::optional<LedgerUpgrade> upgrade() override {
    PostgresPool::Loan connection = pool_.borrow();
    const std::string& schema = pool_.location().schema;
    const std::int64_t stored = stored_postgres_version(*connection, schema);
    if (stored == postgres_schema_version()) return {};
    try {
      migrate_postgres_schema(*connection, schema, false);
    } catch (const StoreFailure& failure) {
      if (failure.fault() == StoreFault::read_only) return {};
      throw;
    }
    return LedgerUpgrade{.from = static_cast<int>(stored), .to = static_cast<int>(postgres_schema_version())};
  }

  std::string place() override { return place_; }

 private:
  struct Transaction {
    PostgresPool::Loan connection;
    std::vector<PostgresRows> answers;  // to the question `end`, and to those for cells
  };

  // Begins a transaction with the questions that it will have. A connection that the server has ended while nobody used
  // it is replaced.
  template <typename Send>
  Transaction begin(Send send, const std::set<std::string>& scopes = {}) {
    for (;;) {
      PostgresPool::Loan connection = pool_.borrow();
      try {
        fault_point("postgres.begin.before");
        send(*connection);
        connection->send(questions_.end);
        for (const std::string& scope : scopes) connection->send(questions_.cells, PostgresParameters().text(scope));
        connection->finish_sending();
        fault_point("postgres.begin.sent");
        std::vector<PostgresRows> results = connection->receive();
        fault_point("postgres.begin.after");
        results.erase(results.begin(), results.end() - static_cast<std::ptrdiff_t>(1 + scopes.size()));
        return {std::move(connection), std::move(results)};
      } catch (const PostgresError&) {
        const bool is_lost = !connection->is_usable();
        connection.roll_back();
        if (is_lost) pool_.drop_idle();
        if (!is_lost || connection.is_new()) throw;
      } catch (...) {
        connection.roll_back();
        throw;
      }
    }
  }

  Transaction begin_writing(const std::string& synchronous, Clock::time_point deadline) {
    const auto left = std::max(std::chrono::ceil<milliseconds>(deadline - Clock::now()), milliseconds(1));
    return begin(
        [&](PostgresConnection& to) {
          to.send(begin_write);
          to.send(settings, PostgresParameters().text(synchronous).text(std::to_string(left.count())));
          to.send(lock_writers, PostgresParameters().number(writers_));
        },
        expected_cells_);
  }

  // Commits what was sent. The server has to answer as it does where nobody put a rule or a trigger before the tables.
  static void end_writing(PostgresConnection& connection, const std::vector<std::string>& answers) {
    connection.send(commit);
    try {
      connection.finish_sending();
      fault_point("postgres.commit.sent");
      const std::vector<PostgresRows> results = connection.receive();
      for (std::size_t i = 0; i < answers.size(); ++i) {
        if (results[i].command() == answers[i]) continue;
        throw StoreFailure(StoreFault::corrupt, "the tables did not take a row that was written",
                           "run `renyi ledger verify`");
      }
      if (results.back().command() == "COMMIT") return;
    } catch (const PostgresError& error) {
      // The server has refused, and says why, or it has ended the connection and not come to COMMIT.
      if (connection.is_usable() || connection.was_ended_early(error)) throw;
      throw StoreFailure(StoreFault::unknown,
                         std::string("the connection was lost while a transaction ended (") + error.what() + ")",
                         "repeat the call with its key");
    }
    throw StoreFailure(StoreFault::unsuitable, "PostgreSQL did not commit the transaction", "nothing was changed");
  }

  void write_once(const std::function<Changes(View&)>& decide, Clock::time_point deadline) {
    Transaction transaction = begin_writing("off", deadline);
    PostgresPool::Loan& connection = transaction.connection;
    try {
      PostgresView view(*connection, questions_, transaction.answers.front());
      std::size_t next = 1;
      for (const std::string& scope : expected_cells_) view.has_cells(scope, transaction.answers.at(next++));
      const Changes changes = decide(view);
      expect_cells(view.asked_cells());
      fault_point("postgres.commit.before");
      end_writing(*connection, changes_.send(*connection, changes));
      LogEnd end = view.end();
      if (!changes.entries.empty()) {
        const EntryRow& last = changes.entries.back();
        end = {.entry = last.entry, .hash = last.hash, .time = last.time};
      }
      flush_.has_seen(connection->number(), end);
    } catch (...) {
      connection.roll_back();
      throw;
    }
    fault_point("postgres.commit.after");
  }

  // Where several processes write, each transaction asks for the same few scopes again: their cells are fetched while
  // it begins, so that the lock of the writers is held for fewer round trips.
  void expect_cells(const std::set<std::string>& asked) {
    constexpr std::size_t most = 8;
    expected_cells_ = asked.size() <= most ? asked : std::set<std::string>();
  }

  milliseconds patience_;
  std::set<std::string> expected_cells_{};  // the next write asks for them; used by the thread whose turn it is
  PostgresPool pool_;
  PostgresQuestions questions_;
  PostgresChanges changes_;
  PostgresFlush flush_;
  Turns turns_{};
  std::int64_t writers_ = 0;  // the lock of the writers to this ledger
  std::string place_{};
};

std::unique_ptr<Store> store_at(const std::string& location, milliseconds patience, bool is_new) {
  auto store = std::make_unique<PostgresStore>(read_postgres_location(location, patience), patience);
  store->prepare(is_new);
  return store;
}

}  // namespace
}  // namespace postgres_store_file

std::unique_ptr<Store> create_postgres_store(const std::string& location, std::chrono::milliseconds patience) {
  return postgres_store_file::store_at(location, patience, true);
}

std::unique_ptr<Store> open_postgres_store(const std::string& location, std::chrono::milliseconds patience) {
  return postgres_store_file::store_at(location, patience, false);
}

}  // namespace renyi::ledger
