// Ledgers of earlier versions are brought up: those of the corpus, whole or not at all, with a backup that can be put
// back.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "ledger/fault_point.h"
#include "ledger/store/sqlite_schema.h"
#include "renyi/error.h"
#include "support/ledger_file.h"
#include "support/ledger_place.h"
#include "support/old_ledger.h"
#include "support/unsynced_vfs.h"
#include "support/worker_process.h"

namespace renyi::test::migration_test {
namespace {

constexpr const char* points[] = {"sqlite.migrate.locked", "sqlite.backup.copied", "sqlite.migrate.backed_up",
                                  "sqlite.migrate.step", "sqlite.migrate.committed"};

std::string log_of(const std::string& path) {
  std::string text;
  read_log(path, [&](const LedgerEntry& entry) { text += entry.hash + entry.text + '\n'; });
  return text;
}

std::string version_of(const std::string& path) { return sql_in(path, "PRAGMA user_version"); }

// Every table but the facts, which say where the ledger is.
std::string rows_of(const std::string& path) {
  std::string text;
  for (const char* table : {"entries", "scopes", "cells", "steps", "tickets", "outputs"}) {
    text += sql_in(path, fmt::format("SELECT * FROM {} ORDER BY 1, 2", table));
  }
  return text;
}

class MigrationTest : public ::testing::TestWithParam<OldLedger> {
 protected:
  MigrationTest() { put_old_ledger(GetParam(), path_); }

  [[nodiscard]] LedgerOptions options() const { return options_of(GetParam(), directory_.path()); }
  [[nodiscard]] std::string witness_or_none() const { return options().witness.empty() ? "-" : options().witness; }
  void put_old_ledger_again() const {
    remove_logs(path_);
    for (const std::string& file : {path_, backup_}) std::filesystem::remove(file);
    put_old_ledger(GetParam(), path_);
  }
  void expect_whole() const {
    const Ledger ledger(path_, options());
    const LedgerVerification verified = ledger.verify(head_of(GetParam()));
    EXPECT_TRUE(verified.valid) << verified.fault;
    EXPECT_EQ(version_of(path_), fmt::format("{}\n", ledger::sqlite_schema_version()));
  }

  TemporaryDirectory directory_;
  std::string path_ = directory_.file("old.ledger");
  std::string backup_ = path_ + ".schema-1";
};
INSTANTIATE_TEST_SUITE_P(Corpus, MigrationTest, ::testing::ValuesIn(old_ledgers()),
                         [](const auto& ledger) { return std::filesystem::path(ledger.param.file).stem().string(); });

TEST_P(MigrationTest, NothingButTheTablesChanges) {
  const std::string before = rows_of(path_), log = log_of(path_);
  EXPECT_EQ(version_of(path_), "1\n") << "reading the log changes nothing";
  {
    const Ledger ledger(path_, options());
    ASSERT_TRUE(ledger.upgrade());
    EXPECT_EQ(ledger.upgrade()->from, 1);
    EXPECT_EQ(ledger.upgrade()->to, ledger::sqlite_schema_version());
    EXPECT_EQ(ledger.upgrade()->backup, backup_);
  }
  EXPECT_EQ(rows_of(path_), before);
  EXPECT_FALSE(Ledger(path_, options()).upgrade());
  expect_whole();
  const std::string made = directory_.file("new.ledger");
  { const Ledger ledger = Ledger::create(made); }
  const std::string schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name";
  EXPECT_EQ(sql_in(path_, schema), sql_in(made, schema));
  struct stat found {};
  ASSERT_EQ(::stat(backup_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
  EXPECT_EQ(fault_of([&] { Ledger(backup_, options()); }), "copied");
  EXPECT_EQ(version_of(backup_), "1\n") << "a copy is not brought up";
  EXPECT_EQ(log_of(backup_), log);
}

TEST_P(MigrationTest, TheBackupCanBePutBack) {
  const std::string before = rows_of(path_);
  { const Ledger ledger(path_, options()); }
  remove_logs(path_);
  write_in_place(path_, read_all(backup_));  // as `cp` does, so that it is the file of this place
  EXPECT_EQ(version_of(path_), "1\n");
  EXPECT_EQ(rows_of(path_), before);
  EXPECT_EQ(sql_in(path_, "PRAGMA integrity_check"), "ok\n");
  expect_whole();
  // Entries that were made since are missing, and the witness knows them.
  const bool has_witness = !options().witness.empty();
  { Ledger(path_, options()).add_scope("since", {.budget = Budget::zcdp(1)}); }
  remove_logs(path_);
  write_in_place(path_, read_all(backup_));
  EXPECT_EQ(fault_of([&] { Ledger(path_, options()); }), has_witness ? "rolled_back" : "none");
}

TEST_P(MigrationTest, AProcessThatIsKilledLeavesTheLedgerWhole) {
  const std::string log = log_of(path_);
  for (const char* point : points) {
    SCOPED_TRACE(point);
    put_old_ledger_again();
    WorkerProcess process({"open", path_, witness_or_none()}, {{"RENYI_WORKER_DIES", std::string(point) + " 1"}});
    EXPECT_TRUE(process.dies());
    EXPECT_EQ(log_of(path_), log);
    const bool is_done = std::string(point) == "sqlite.migrate.committed";
    EXPECT_EQ(version_of(path_), is_done ? fmt::format("{}\n", ledger::sqlite_schema_version()) : "1\n");
    if (std::filesystem::exists(backup_)) {
      EXPECT_EQ(log_of(backup_), log) << "a backup that has its name is a whole one";
    }
    EXPECT_TRUE(run_worker({"open", path_, witness_or_none()}));
    expect_whole();
  }
  EXPECT_EQ(log_of(path_), log);
}

TEST_P(MigrationTest, ErrorsLeaveTheLedgerWhole) {
  static std::string where;
  for (const char* point : points) {
    SCOPED_TRACE(point);
    put_old_ledger_again();
    where = point;
    ledger::set_fault_hook([](const char* name) {
      if (name == where) throw StoreFailure(StoreFault::full, "thrown", "by a test");
    });
    EXPECT_EQ(fault_of([&] { Ledger(path_, options()); }), "full");
    ledger::set_fault_hook(nullptr);
    for (const auto& file : std::filesystem::directory_iterator(directory_.path())) {
      EXPECT_EQ(file.path().string().find(".new-"), std::string::npos) << file.path();
    }
    expect_whole();
  }
}

TEST_P(MigrationTest, ManyOpenItAtOnce) {
  const LedgerOptions options = this->options();
  std::atomic<int> upgrades = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const Ledger ledger(path_, options);
      upgrades += ledger.upgrade() ? 1 : 0;
      EXPECT_TRUE(ledger.verify().valid);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(upgrades, 1);
}

// ---- Machines and disks.

// The machine dies at every change of a file in turn.
TEST(Migration, AMachineThatLosesPowerLeavesTheLedgerWhole) {
  const OldLedger old = old_ledgers().front();
  const std::int64_t stride = all_faults() ? 1 : 13;
  UnsyncedVfs machine;
  bool is_over = false;
  int crashes = 0;
  for (std::int64_t n = 0; !is_over; n += stride) {
    SCOPED_TRACE(fmt::format("change {}", n));
    const TemporaryDirectory directory;
    const std::string path = directory.file("old.ledger");
    machine.set_default(false);
    put_old_ledger(old, path);
    const std::string log = log_of(path);
    machine.set_default(true);
    machine.restart();
    machine.die_at(n, n % 2 == 0);
    is_over = fault_of([&] { Ledger{path}; }) == "none" && !machine.is_dead();
    machine.die();
    machine.crash(static_cast<std::uint64_t>(n));
    machine.set_default(false);
    EXPECT_EQ(log_of(path), log);
    const Ledger ledger(path);
    const LedgerVerification verified = ledger.verify(head_of(old));
    EXPECT_TRUE(verified.valid) << verified.fault;
    ++crashes;
    if (HasFailure()) break;
  }
  EXPECT_GT(crashes, 3);
}

// Every kind of operation fails, once at every moment.
TEST(Migration, OperationsThatFailAreTypedErrors) {
  const OldLedger old = old_ledgers().front();
  const std::int64_t stride = all_faults() ? 1 : 17;
  UnsyncedVfs machine;
  for (const auto& [operation, code] : {std::pair{Operation::write, SQLITE_FULL},
                                        {Operation::write, SQLITE_IOERR_WRITE},
                                        {Operation::sync, SQLITE_IOERR_FSYNC},
                                        {Operation::open, SQLITE_CANTOPEN}}) {
    std::int64_t count = 1;
    for (std::int64_t n = 0; n < count; n += stride) {
      SCOPED_TRACE(fmt::format("{} {}", to_string(operation), n));
      const TemporaryDirectory directory;
      const std::string path = directory.file("old.ledger");
      machine.set_default(false);
      put_old_ledger(old, path);
      machine.set_default(true);
      machine.restart();
      machine.fail_once(operation, n, code);
      const std::string fault = fault_of([&] { Ledger{path}; });
      EXPECT_EQ(fault != "none", machine.has_failed()) << fault;
      EXPECT_NE(fault, "invalid_argument");
      count = machine.count(operation);
      machine.set_default(false);
      const Ledger ledger(path);
      EXPECT_TRUE(ledger.verify(head_of(old)).valid);
      machine.set_default(true);
    }
  }
}

// ---- What is not brought up.

TEST(Migration, TablesThatSomebodyChangedAreLeft) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("old.ledger");
  for (const char* sql : {"CREATE TRIGGER t BEFORE INSERT ON entries BEGIN SELECT raise(IGNORE); END",
                          "DROP TRIGGER entries_are_not_removed", "CREATE TABLE another(x)"}) {
    std::filesystem::remove(path);
    put_old_ledger(old_ledgers().front(), path);
    sql_in(path, sql);
    EXPECT_EQ(fault_of([&] { Ledger{path}; }), "corrupt") << sql;
    EXPECT_EQ(version_of(path), "1\n");
    EXPECT_FALSE(std::filesystem::exists(path + ".schema-1"));
  }
}

TEST(Migration, AnEntryBeforeTheFirstOneIsFound) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("old.ledger");
  put_old_ledger(old_ledgers().front(), path);
  sql_in(path, "INSERT INTO entries SELECT -1, hash, text, 'hidden', scope, person, time FROM entries WHERE entry = 1");
  EXPECT_EQ(fault_of([&] { Ledger{path}; }), "corrupt");
  EXPECT_EQ(version_of(path), "1\n");
}

}  // namespace
}  // namespace renyi::test::migration_test
