// Measures what a ledger costs beside what its store can do: a plain insert that waits for the disk, by SQLite itself
// and by pgbench, in the same run. One writer, batches, threads of one program, processes; then a ledger with many
// entries, and how long a charge takes while others ask what takes long.
//
//     build/bench/ledger DIRECTORY [POSTGRESQL-LOCATION]
//
// ENTRIES=1000000 says how many entries the last ledgers have. `POSTGRESQL_DATA=DIRECTORY tools/postgresql serve` runs
// a server with its data on that disk.
#include "renyi/ledger.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "renyi/renyi.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int writers = 64;
constexpr int batch_size = 1000;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return of(used.ru_utime) + of(used.ru_stime);
}

double megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  return 0;
}

// ---- Ways to write, for ledgers and for plain inserts.

// What makes one writer: a function that writes so many rows and returns when they are on the disk.
using Writer = std::function<void(int)>;
using MakeWriter = std::function<Writer()>;

void report(const char* what, double rows, double seconds) {
  fmt::print("  {:<28} {:9.0f} rows/s\n", what, rows / seconds);
  std::fflush(stdout);
}

void one_writer(const MakeWriter& make, int rows) {
  const Writer write = make();
  for (int i = 0; i < 50; ++i) write(1);
  const double cpu = cpu_seconds();
  const auto start = Clock::now();
  for (int i = 0; i < rows; ++i) write(1);
  const double wall = seconds_since(start), used = cpu_seconds() - cpu;
  report("one writer", rows, wall);
  fmt::print("  {:<28} {:9.0f} us, of which CPU {:.0f} us\n", "  each", 1e6 * wall / rows, 1e6 * used / rows);
}

void batches(const MakeWriter& make, int count) {
  const Writer write = make();
  write(batch_size);
  const auto start = Clock::now();
  for (int i = 0; i < count; ++i) write(batch_size);
  report("batches of 1,000", static_cast<double>(batch_size) * count, seconds_since(start));
}

void threads(const std::vector<Writer>& all, int each) {
  std::vector<std::thread> running;
  const auto start = Clock::now();
  for (const Writer& write : all) {
    running.emplace_back([&write, each] {
      for (int k = 0; k < each; ++k) write(1);
    });
  }
  for (std::thread& thread : running) thread.join();
  report("64 threads", static_cast<double>(all.size()) * each, seconds_since(start));
}

// Processes wait for each other at a pipe, so that opening is not measured.
void processes(const MakeWriter& make, int each) {
  int ready[2], go[2];
  if (pipe(ready) != 0 || pipe(go) != 0) return;
  for (int i = 0; i < writers; ++i) {
    if (fork() != 0) continue;
    int status = 1;
    try {
      const Writer write = make();
      write(1);
      char byte = 0;
      if (::write(ready[1], &byte, 1) == 1 && read(go[0], &byte, 1) == 1) {
        for (int k = 0; k < each; ++k) write(1);
        status = 0;
      }
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
    }
    _exit(status);
  }
  char byte = 0;
  for (int i = 0; i < writers; ++i) {
    if (read(ready[0], &byte, 1) != 1) return;
  }
  const auto start = Clock::now();
  const std::string all(static_cast<std::size_t>(writers), 'g');
  if (::write(go[1], all.data(), all.size()) < 0) return;
  for (int i = 0; i < writers; ++i) wait(nullptr);
  report("64 processes", static_cast<double>(writers) * each, seconds_since(start));
  for (const int end : {ready[0], ready[1], go[0], go[1]}) close(end);
}

// ---- Plain inserts.

// Rows as long as entries are, in a table that has nothing else.
class PlainSqlite {
 public:
  explicit PlainSqlite(const std::string& path) {
    sqlite3_open(path.c_str(), &database_);
    sqlite3_busy_timeout(database_, 600'000);
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    run("CREATE TABLE IF NOT EXISTS plain(entry INTEGER PRIMARY KEY, text TEXT NOT NULL)");
    sqlite3_prepare_v2(database_, "INSERT INTO plain(text) VALUES (?1)", -1, &insert_, nullptr);
    sqlite3_bind_text(insert_, 1, text_.c_str(), -1, SQLITE_STATIC);
  }
  PlainSqlite(const PlainSqlite&) = delete;
  PlainSqlite& operator=(const PlainSqlite&) = delete;
  ~PlainSqlite() {
    sqlite3_finalize(insert_);
    sqlite3_close(database_);
  }
  void write(int rows) {
    run("BEGIN IMMEDIATE");
    for (int i = 0; i < rows; ++i) {
      if (sqlite3_step(insert_) != SQLITE_DONE) throw std::runtime_error("a plain insert failed");
      sqlite3_reset(insert_);
    }
    run("COMMIT");
  }

 private:
  void run(const char* sql) {
    if (sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
      throw std::runtime_error(sqlite3_errmsg(database_));
    }
  }
  std::string text_ = std::string(500, 'x');
  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
};

void plain_sqlite(const std::string& path) {
  fmt::print("plain inserts by SQLite\n");
  const MakeWriter make = [&] {
    return [plain = std::make_shared<PlainSqlite>(path)](int rows) { plain->write(rows); };
  };
  one_writer(make, 2000);
  batches(make, 30);
  std::vector<Writer> all;
  for (int i = 0; i < writers; ++i) all.push_back(make());
  threads(all, 30);
  processes(make, 30);
}

// pgbench is asked, because it is what people know: so many clients, each with a connection of its own.
void plain_postgresql(const std::string& location, const std::string& directory) {
  fmt::print("plain inserts by pgbench\n");
  const std::string database = location.substr(0, std::min(location.find("&schema="), location.find("?schema=")));
  const auto run = [&](const char* what, const std::string& sql, int clients, double rows) {
    const std::string script = directory + "/pgbench.sql", answer = directory + "/pgbench.txt";
    std::ofstream(script) << sql << '\n';
    const std::string command =
        fmt::format("pgbench -n -M prepared -f {} -c {} -j 2 -T 5 '{}' > {} 2>&1", script, clients, database, answer);
    const int status = std::system(command.c_str());
    std::ifstream lines(answer);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("tps = ")) return report(what, rows * std::strtod(line.c_str() + 6, nullptr), 1);
    }
    fmt::print("  {:<28} pgbench ended with {}\n", what, status);
  };
  const char* one = "INSERT INTO plain(text) VALUES (repeat('x', 500));";
  std::ofstream(directory + "/table.sql")
      << "DROP TABLE IF EXISTS plain; CREATE TABLE plain(entry bigserial PRIMARY KEY, "
         "text text NOT NULL);\n";
  run("", "SELECT 1;", 1, 1);
  if (std::system(fmt::format("psql -q '{}' -f {}/table.sql > /dev/null 2>&1", database, directory).c_str()) != 0) {
    fmt::print("  psql is missing\n");
    return;
  }
  run("one writer", one, 1, 1);
  run("batches of 1,000", "INSERT INTO plain(text) SELECT repeat('x', 500) FROM generate_series(1, 1000);", 1,
      batch_size);
  run("64 clients", one, writers, 1);
}

// ---- Ledgers.

renyi::ChargeRequest step(double stddev = 1000) {
  return {.scope = "organisation/dataset", .steps = renyi::Plan().add(renyi::Gaussian{.stddev = stddev})};
}

renyi::Ledger make(const std::string& location) {
  renyi::Ledger ledger = renyi::Ledger::create(location, {.patience = std::chrono::minutes(10)});
  ledger.add_scope("organisation", {.budget = renyi::Budget::zcdp(1e6)});
  ledger.add_scope("organisation/dataset", {.budget = renyi::Budget::zcdp(1e6)});
  return ledger;
}

// A caller that wants to repeat calls has keys of its own.
std::vector<renyi::Ledger::Charge> charges(int count, bool has_keys) {
  static std::atomic<std::int64_t> next = 0;
  std::vector<renyi::Ledger::Charge> list(static_cast<std::size_t>(count), {step(), {}});
  for (renyi::Ledger::Charge& charge : list) {
    if (has_keys) charge.call.key = fmt::format("{}-{}", getpid(), next++);
  }
  return list;
}

Writer writer_of(const std::shared_ptr<renyi::Ledger>& ledger) {
  return [ledger](int rows) { ledger->charge_all(charges(rows, true)); };
}

void measure(const std::string& location) {
  make(location);
  const MakeWriter open = [&] {
    return writer_of(
        std::make_shared<renyi::Ledger>(location, renyi::LedgerOptions{.patience = std::chrono::minutes(10)}));
  };
  one_writer(open, 2000);
  batches(open, 10);
  threads(std::vector<Writer>(writers, open()), 200);
  processes(open, 30);
  const renyi::Ledger ledger(location);
  const auto start = Clock::now();
  const auto verified = ledger.verify();
  fmt::print("  verify                       {} entries in {:.2f} s: {}\n", verified.entries, seconds_since(start),
             verified.valid ? "valid" : verified.fault);
}

// ---- Many entries.

// How long charges take while somebody asks what takes long, in milliseconds.
void charge_beside(renyi::Ledger& ledger, const char* what, const std::function<void()>& question) {
  std::atomic<bool> is_over = false;
  double longest = 0;
  std::thread asking([&] {
    const auto start = Clock::now();
    if (question) question();
    longest = seconds_since(start);
    is_over = true;
  });
  std::vector<double> times;
  while (!is_over || times.size() < 300) {
    const auto start = Clock::now();
    ledger.charge(step());
    times.push_back(1e3 * seconds_since(start));
  }
  asking.join();
  std::sort(times.begin(), times.end());
  fmt::print(
      "  a charge beside {:<22} median {:.2f} ms, 99th percentile {:.2f} ms, longest {:.2f} ms ({} charges, {:.1f} "
      "s)\n",
      what, times[times.size() / 2], times[times.size() * 99 / 100], times.back(), times.size(), longest);
  std::fflush(stdout);
}

// In a process of its own, so that its memory is that of one that opens and asks.
void many_entries(const std::string& location, int entries, int kinds) {
  {
    renyi::Ledger ledger = make(location);
    for (int done = 0; done < entries; done += batch_size) {
      std::vector<renyi::Ledger::Charge> batch;
      for (int i = 0; i < batch_size; ++i) batch.push_back({step(1000 + (done + i) % kinds), {}});
      ledger.charge_all(batch);
    }
    charge_beside(ledger, "nothing", nullptr);
    charge_beside(ledger, "verify", [&] { static_cast<void>(ledger.verify()); });
    charge_beside(ledger, "verify, resumed",
                  [&] { static_cast<void>(ledger.verify({}, renyi::VerifyFrom::last_verified)); });
    charge_beside(ledger, "burn-down", [&] { static_cast<void>(ledger.burn_down("organisation")); });
    charge_beside(ledger, "the last 100 entries",
                  [&] { ledger.history({.last = 100}, [](const renyi::LedgerEntry&) {}); });
    charge_beside(ledger, "pending reservations",
                  [&] { ledger.history({.of = renyi::HistoryOf::pending}, [](const renyi::LedgerEntry&) {}); });
  }
  fflush(stdout);
  if (fork() == 0) {
    execl("/proc/self/exe", "ledger", "--open", location.c_str(), nullptr);
    _exit(1);
  }
  wait(nullptr);
}

void open_and_ask(const std::string& location) {
  const auto start = Clock::now();
  const renyi::Ledger ledger(location);
  const bool runs = ledger.may_run(step()).accepted;
  fmt::print("  open, and \"may I?\": {} in {:.1f} ms, {:.0f} MB; the log ends at entry {}\n", runs,
             1e3 * seconds_since(start), megabytes(), ledger.head().entry);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--open") {
    open_and_ask(argv[2]);
    return 0;
  }
  if (argc < 2) {
    fmt::print(stderr, "usage: ledger DIRECTORY [POSTGRESQL-LOCATION]\n");
    return 2;
  }
  const std::string directory = std::string(argv[1]) + "/renyi-ledger-bench";
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  plain_sqlite(directory + "/plain.db");
  fmt::print("a ledger in SQLite\n");
  measure(directory + "/one.ledger");
  if (argc > 2) {
    plain_postgresql(argv[2], directory);
    fmt::print("a ledger in PostgreSQL\n");
    measure(argv[2]);
  }
  const char* entries = std::getenv("ENTRIES");
  const int count = entries != nullptr ? std::atoi(entries) : 1'000'000;
  if (count == 0) return 0;
  for (const int kinds : {1, 100'000}) {
    fmt::print("a ledger of {} charges, of {} kinds\n", count, kinds);
    many_entries(fmt::format("{}/{}.ledger", directory, kinds), count, kinds);
  }
  std::filesystem::remove_all(directory);
}
