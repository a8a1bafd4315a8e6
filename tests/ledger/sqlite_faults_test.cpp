// A ledger in a SQLite file when something is wrong with the file, the disk, the locks or the clock: a typed error,
// nothing lost, nothing charged twice, and the ledger goes on afterwards.
#include <fmt/format.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "ledger/fault_point.h"
#include "ledger/log/clock.h"
#include "renyi/error.h"
#include "renyi/ledger.h"
#include "support/child_process.h"
#include "support/ledger_file.h"
#include "support/temporary_directory.h"
#include "support/unsynced_vfs.h"

namespace renyi::test::sqlite_faults_test {
namespace {

using namespace std::chrono_literals;

// ---- Every operation of the VFS fails once.

// Makes the calls of the workload, each at most three times until it is acknowledged: with the same ledger, and then
// with one that was opened again.
class Persistent {
 public:
  Persistent(UnsyncedVfs& machine, LedgerFile& file) : machine_(machine), file_(file) {}

  void work() {
    open([this] { ledger_.emplace(Ledger::create(file_.path)); });
    std::mt19937_64 random(3);
    while (!file_.calls.set_up(*ledger_)) EXPECT_TRUE(machine_.has_failed());
    for (int i = 0; i < 14; ++i) {
      file_.calls.one(*ledger_, random);
      finish_unanswered();
      if (i == 7) reopen();
    }
    ledger_.reset();
  }

 private:
  void open(const std::function<void()>& function) {
    const std::string fault = fault_of(function);
    if (fault == "none") return;
    EXPECT_TRUE(machine_.has_failed()) << fault;
    EXPECT_NE(fault, "invalid_argument");
    // What was not completed says so, and can be removed and made again.
    if (!std::filesystem::exists(file_.path)) {
      ledger_.emplace(Ledger::create(file_.path));
    } else if (fault_of([this] { ledger_.emplace(file_.path); }) != "none") {
      EXPECT_EQ(fault_of([this] { Ledger{file_.path}; }), "corrupt");
      std::filesystem::remove(file_.path);
      ledger_.emplace(Ledger::create(file_.path));
    }
  }
  void reopen() {
    ledger_.reset();
    if (fault_of([this] { ledger_.emplace(file_.path); }) != "none") {
      EXPECT_TRUE(machine_.has_failed());
      ledger_.emplace(file_.path);
    }
  }
  void finish_unanswered() {
    if (file_.calls.unanswered() == 0) return;
    EXPECT_TRUE(machine_.has_failed());
    if (file_.calls.unanswered() % 2 == 0) reopen();
    EXPECT_TRUE(file_.calls.repeat_unanswered(*ledger_));
  }

  UnsyncedVfs& machine_;
  LedgerFile& file_;
  std::optional<Ledger> ledger_;
};

struct Fault {
  Operation operation;
  int code;
};

// Returns how many operations there were.
std::int64_t work_with_fault(UnsyncedVfs& machine, const Fault& fault, std::int64_t n) {
  SCOPED_TRACE(fmt::format("{} {} fails with {}", to_string(fault.operation), n, sqlite3_errstr(fault.code)));
  LedgerFile file;
  machine.restart();
  machine.fail_once(fault.operation, n, fault.code);
  try {
    Persistent(machine, file).work();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "threw: " << error.what();
  }
  const std::int64_t count = machine.count(fault.operation);
  machine.crash(static_cast<std::uint64_t>(n));
  machine.set_default(false);
  file.check();
  machine.set_default(true);
  return count;
}

// Each of them with RENYI_CRASH_POINTS, as in `make check`; else some.
TEST(SqliteFaults, EveryOperationMayFailOnce) {
  const std::int64_t stride = std::getenv("RENYI_CRASH_POINTS") == nullptr ? 7 : 1;
  UnsyncedVfs machine;
  for (const Fault& fault :
       {Fault{Operation::write, SQLITE_IOERR_WRITE}, Fault{Operation::write, SQLITE_FULL},
        Fault{Operation::sync, SQLITE_IOERR_FSYNC}, Fault{Operation::read, SQLITE_IOERR_READ},
        Fault{Operation::read, SQLITE_CORRUPT}, Fault{Operation::open, SQLITE_CANTOPEN},
        Fault{Operation::truncate, SQLITE_IOERR_TRUNCATE}, Fault{Operation::size, SQLITE_IOERR_FSTAT},
        Fault{Operation::lock, SQLITE_IOERR_LOCK}, Fault{Operation::map, SQLITE_IOERR_SHMMAP},
        Fault{Operation::remove, SQLITE_IOERR_DELETE}, Fault{Operation::access, SQLITE_IOERR_ACCESS}}) {
    std::int64_t count = 1;
    for (std::int64_t n = 0; n < count && !HasFailure(); n += stride) count = work_with_fault(machine, fault, n);
  }
}

// ---- Full disks.

// Charges until the disk is full, and goes on when there is space again.
void fill_up(const std::string& path, const std::function<void()>& make_full, const std::function<void()>& make_space) {
  LedgerCalls calls;
  {
    Ledger ledger = Ledger::create(path);
    calls.set_up(ledger);
    std::mt19937_64 random(5);
    for (int i = 0; i < 5; ++i) calls.one(ledger, random);
    make_full();
    int failures = 0;
    for (int i = 0; i < 200 && failures < 3; ++i) failures += calls.one(ledger, random) ? 0 : 1;
    EXPECT_EQ(failures, 3);
    EXPECT_EQ(fault_of([&] { ledger.charge(charge()); }), "full");
    calls.check(ledger);  // reading goes on
    make_space();
    EXPECT_TRUE(calls.repeat_unanswered(ledger));
    calls.check(ledger);
  }
  calls.check(Ledger(path));
}

TEST(SqliteFaults, FullDiskOfTheVfs) {
  const TemporaryDirectory directory;
  UnsyncedVfs machine;
  fill_up(
      directory.file("clinic.ledger"), [&] { machine.set_full(true); }, [&] { machine.set_full(false); });
}

// A directory of 1 MB that only this process sees; false if it may not mount.
bool mount_small(const std::string& directory) {
  return unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("none", directory.c_str(), "tmpfs", 0, "size=1m") == 0;
}

void fill(const std::string& path) {
  std::string content(1 << 20, 'x');
  while (!content.empty()) {
    try {
      write_in_place(path, content);
      return;
    } catch (const std::runtime_error&) {
      content.resize(content.size() - 4096);
    }
  }
}

TEST(SqliteFaults, FullFileSystem) {
  const TemporaryDirectory directory;
  const std::string report = in_child([&]() -> std::string {
    if (!mount_small(directory.path())) return "no mount";
    const std::string filler = directory.file("filler");
    fill_up(
        directory.file("clinic.ledger"), [&] { fill(filler); }, [&] { std::filesystem::remove(filler); });
    fill(filler);
    EXPECT_EQ(fault_of([&] { Ledger::create(directory.file("second.ledger")); }), "full");
    EXPECT_FALSE(std::filesystem::exists(directory.file("second.ledger")));
    return HasFailure() ? "failed" : "passed";
  });
  if (report == "no mount") GTEST_SKIP() << "this user may not mount; FullDiskOfTheVfs shows the same";
  EXPECT_EQ(report, "passed");
}

TEST(SqliteFaults, FilesThatMayNotGrow) {
  const LedgerFile file(3);
  const std::string report = in_child([&]() -> std::string {
    const rlimit limit{100'000, 100'000};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    Ledger ledger(file.path);
    for (int i = 0; i < 200; ++i) {
      const std::string fault =
          fault_of([&] { ledger.add_scope(fmt::format("scope-{}", i), {.budget = Budget::zcdp(1)}); });
      if (fault != "none") return fault;
    }
    return "none";
  });
  EXPECT_TRUE(report == "full" || report == "unreachable") << report;
  file.check();
}

// ---- Files and directories that may not be written.

// Runs a function as a user who is not root.
std::string as_nobody(const std::function<std::string()>& function) {
  return in_child([&]() -> std::string {
    constexpr unsigned nobody = 65534;
    if (geteuid() == 0 && (setgroups(0, nullptr) != 0 || setgid(nobody) != 0 || setuid(nobody) != 0)) return "no user";
    return function();
  });
}

void give_away(const LedgerFile& file, unsigned file_mode, unsigned directory_mode) {
  if (geteuid() == 0) {
    chown(file.directory.path().c_str(), 65534, 65534);
    for (const auto& entry : std::filesystem::directory_iterator(file.directory.path())) {
      chown(entry.path().c_str(), 65534, 65534);
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(file.directory.path())) {
    chmod(entry.path().c_str(), file_mode);
  }
  chmod(file.directory.path().c_str(), directory_mode);
}

TEST(SqliteFaults, FilesAndDirectoriesThatMayNotBeWritten) {
  for (const auto& [file_mode, directory_mode] : {std::pair{0444U, 0755U}, {0444U, 0555U}, {0644U, 0555U}}) {
    SCOPED_TRACE(fmt::format("{:o} in {:o}", file_mode, directory_mode));
    const LedgerFile file(3);
    give_away(file, file_mode, directory_mode);
    const std::string report = as_nobody([&] { return fault_of([&] { Ledger(file.path).charge(charge()); }); });
    EXPECT_EQ(report, "read_only");
    give_away(file, 0644, 0755);
    EXPECT_EQ(as_nobody([&] { return fault_of([&] { Ledger(file.path).charge(charge()); }); }), "none");
  }
  const LedgerFile empty;
  give_away(empty, 0644, 0555);
  EXPECT_EQ(as_nobody([&] { return fault_of([&] { Ledger::create(empty.path); }); }), "read_only");
  give_away(empty, 0644, 0000);
  EXPECT_NE(as_nobody([&] { return fault_of([&] { Ledger{empty.path}; }); }), "none");
  give_away(empty, 0644, 0755);
}

// Everything that can be asked of a ledger, as text.
std::string answers_of(const Ledger& ledger) {
  std::string text = fmt::format("head {}\n", ledger.head().entry);
  ledger.history({}, [&](const LedgerEntry& entry) { text += entry.hash + '\n'; });
  for (const ScopeState& scope : ledger.scopes()) {
    text += fmt::format("{} {} {}\n", scope.name, scope.charges, ledger.burn_down(scope.name).size());
  }
  text += ledger.may_run(charge()).accepted ? "fits\n" : "does not fit\n";
  return text + (ledger.verify().valid ? "valid" : "invalid");
}

// Questions need the right to read, and nothing else.
TEST(SqliteFaults, QuestionsNeedTheRightToRead) {
  for (const auto& [file_mode, directory_mode] : {std::pair{0444U, 0755U}, {0444U, 0555U}, {0644U, 0555U}}) {
    SCOPED_TRACE(fmt::format("{:o} in {:o}", file_mode, directory_mode));
    const LedgerFile file(3);
    const std::string expected = answers_of(Ledger(file.path));
    give_away(file, file_mode, directory_mode);
    EXPECT_EQ(as_nobody([&] { return answers_of(Ledger(file.path)); }), expected);
    EXPECT_EQ(as_nobody([&] {
                const Ledger ledger(file.path);
                return fault_of([&] { Ledger(file.path).charge(charge()); }) + " " + answers_of(ledger);
              }),
              "read_only " + expected);
    give_away(file, 0644, 0755);
    if (geteuid() != 0) continue;
    // While another program has it open, and something is in SQLite's log only.
    Ledger open(file.path);
    open.charge(charge());
    give_away(file, file_mode, directory_mode);
    EXPECT_EQ(as_nobody([&] { return answers_of(Ledger(file.path)); }), answers_of(open));
    give_away(file, 0644, 0755);
  }
}

// A reader that may not write beside the file sees what others write there.
TEST(SqliteFaults, ReadersWithoutWritingSeeWhatIsWritten) {
  const LedgerFile file(3);
  give_away(file, 0644, 0555);
  int ready[2], go[2];
  ASSERT_EQ(pipe(ready) | pipe(go), 0);
  std::thread writer([&] {
    char byte = 0;
    for (int i = 0; i < 3; ++i) {
      if (read(ready[0], &byte, 1) != 1) return;
      Ledger(file.path).charge(charge());  // root, or the owner of another process, may
      if (write(go[1], &byte, 1) != 1) return;
    }
  });
  const std::string report = as_nobody([&] {
    const Ledger ledger(file.path);
    std::string text;
    char byte = 'x';
    for (int i = 0; i < 3; ++i) {
      const std::int64_t before = ledger.head().entry;
      if (write(ready[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 1) return std::string("no pipe");
      text += fmt::format("{} ", ledger.head().entry - before);
      if (!ledger.verify().valid) text += "invalid ";
    }
    return text;
  });
  writer.join();
  give_away(file, 0644, 0755);
  for (const int end : {ready[0], ready[1], go[0], go[1]}) close(end);
  if (geteuid() == 0) {
    EXPECT_EQ(report, "1 1 1 ");
  }
}

// ---- Locks.

// A process that stops in the middle of a charge, at a fault point.
class Stopped {
 public:
  Stopped(const std::string& path, const char* point) {
    pipe(ends_.data());
    stopped_at = point;
    told = ends_[1];
    child_ = fork();
    if (child_ == 0) {
      ledger::set_fault_hook([](const char* name) {
        if (std::string_view(name) != stopped_at) return;
        write(told, "x", 1);
        for (;;) pause();
      });
      fault_of([&] { Ledger(path).charge(charge(), {.key = "stopped"}); });
      _exit(1);
    }
    close(ends_[1]);
    char byte = 0;
    EXPECT_EQ(read(ends_[0], &byte, 1), 1) << "never at " << point;
  }
  ~Stopped() {
    end();
    close(ends_[0]);
  }
  Stopped(const Stopped&) = delete;
  Stopped& operator=(const Stopped&) = delete;

  void end() {
    if (child_ > 0) kill(child_, SIGKILL);
    if (child_ > 0) waitpid(child_, nullptr, 0);
    child_ = -1;
  }

 private:
  static inline std::string_view stopped_at;
  static inline int told = -1;
  std::array<int, 2> ends_{};
  pid_t child_ = -1;
};

// The lock of a process that lives is waited for, and not longer than asked; that of a dead one is gone.
TEST(SqliteFaults, LocksOfLivingAndDeadProcesses) {
  for (const char* point : {"sqlite.locked", "sqlite.decided", "sqlite.before_commit"}) {
    SCOPED_TRACE(point);
    LedgerFile file(3);
    Stopped other(file.path, point);
    {
      Ledger ledger(file.path, {.patience = 50ms});
      EXPECT_EQ(fault_of([&] { ledger.charge(charge(), {.key = "mine"}); }), "busy");
      file.calls.check(ledger);  // reading goes on
    }
    other.end();
    Ledger ledger(file.path, {.patience = 10s});
    EXPECT_FALSE(ledger.answer_to("stopped"));
    EXPECT_TRUE(ledger.charge(charge(), {.key = "mine"}).accepted);
    file.calls.check(ledger);
  }
}

// Other programs that use SQLite's lock.
TEST(SqliteFaults, LocksOfOtherPrograms) {
  const LedgerFile file(3);
  sqlite3* other = nullptr;
  sqlite3_open(file.path.c_str(), &other);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  Ledger ledger(file.path, {.patience = 50ms});
  EXPECT_EQ(fault_of([&] { ledger.charge(charge(), {.key = "mine"}); }), "busy");
  sqlite3_close(other);
  EXPECT_TRUE(ledger.charge(charge(), {.key = "mine"}).accepted);
  file.calls.check(ledger);
}

// ---- Clocks.

ledger::Time jumping_now{};

TEST(SqliteFaults, ClocksThatJump) {
  struct Restore {
    ~Restore() { ledger::set_clock(nullptr); }
  } const restore;
  ledger::set_clock([] { return jumping_now; });
  jumping_now = std::chrono::system_clock::now();
  const LedgerFile file(3);
  Ledger ledger(file.path);
  const Receipt first = ledger.reserve(charge(), 1h);
  const Receipt second = ledger.reserve(charge(), 1h);
  jumping_now -= 24h * 365;  // backwards
  EXPECT_TRUE(ledger.charge(charge()).accepted);
  EXPECT_TRUE(ledger.open(first.ticket, first.secret).accepted);
  jumping_now += 2 * 24h * 365;  // what was opened stays spent, the other goes back
  EXPECT_EQ(ledger.ticket(second.ticket).state, TicketState::expired);
  EXPECT_FALSE(ledger.open(second.ticket, second.secret).accepted);
  EXPECT_TRUE(ledger.commit(first.ticket).accepted);
  jumping_now = ledger::Time{};  // 1970
  EXPECT_TRUE(ledger.charge(charge()).accepted);
  EXPECT_FALSE(ledger.open(second.ticket, second.secret).accepted);
  const LedgerVerification verified = ledger.verify();
  EXPECT_TRUE(verified.valid) << verified.fault;
  EXPECT_FALSE(verified.notes.empty());  // times run backwards
}

}  // namespace
}  // namespace renyi::test::sqlite_faults_test
