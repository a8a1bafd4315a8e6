// The machine that loses power (support/unsynced_vfs.h), with plain SQLite: it finds what is lost where SQLite promises
// nothing, and nothing where SQLite promises that nothing is lost.
#include "support/unsynced_vfs.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "support/temporary_directory.h"

namespace renyi::test::unsynced_vfs_test {
namespace {

class Database {
 public:
  explicit Database(const std::string& path) { sqlite3_open(path.c_str(), &database_); }
  ~Database() { sqlite3_close(database_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  bool run(const std::string& sql) {
    return sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  // Returns the first column of each row, or one row that says why there are none.
  std::vector<std::string> rows(const std::string& sql) {
    std::vector<std::string> result;
    const auto add = [](void* to, int, char** values, char**) {
      static_cast<std::vector<std::string>*>(to)->emplace_back(values[0] == nullptr ? "" : values[0]);
      return 0;
    };
    if (sqlite3_exec(database_, sql.c_str(), add, &result, nullptr) != SQLITE_OK) return {sqlite3_errmsg(database_)};
    return result;
  }

 private:
  sqlite3* database_ = nullptr;
};

struct Settings {
  std::string journal;
  std::string synchronous;
};

struct Losses {
  int lost = 0;     // crashes after which an acknowledged row was missing
  int damaged = 0;  // crashes after which the database was corrupt, or half of a transaction was there
};

// Writes rows, three in a transaction, and sometimes a checkpoint, until the machine dies; returns the last transaction
// that was acknowledged (0: none).
std::int64_t work(UnsyncedVfs& machine, const std::string& path, const Settings& settings, std::mt19937_64& random) {
  std::int64_t acknowledged = 0;
  Database database(path);
  database.run("PRAGMA journal_mode=" + settings.journal);
  database.run("PRAGMA synchronous=" + settings.synchronous);
  database.run("PRAGMA wal_autocheckpoint=8");
  database.run("CREATE TABLE numbers(number, part, text)");
  for (std::int64_t i = 1; i <= 30 && !machine.is_dead(); ++i) {
    std::string sql = "BEGIN;";
    for (int part = 0; part < 3; ++part) {
      sql += "INSERT INTO numbers VALUES(" + std::to_string(i) + "," + std::to_string(part) + ",hex(randomblob(" +
             std::to_string(below(random, 2000)) + ")));";
    }
    if (database.run(sql + "COMMIT")) acknowledged = i;
  }
  return acknowledged;
}

Losses losses(const Settings& settings, std::uint64_t crashes) {
  Losses result;
  const TemporaryDirectory directory;
  const std::string path = directory.file("numbers");
  UnsyncedVfs machine;
  for (std::uint64_t seed = 0; seed < crashes; ++seed) {
    std::filesystem::remove(path);
    std::filesystem::remove(path + "-wal");
    std::filesystem::remove(path + "-journal");
    machine.restart();
    std::mt19937_64 random(seed);
    machine.die_at(static_cast<std::int64_t>(below(random, 400)), below(random, 2) == 0);
    const std::int64_t acknowledged = work(machine, path, settings, random);
    machine.crash(seed);
    machine.set_default(false);
    Database database(path);
    const auto found =
        database.rows("SELECT count(DISTINCT number) FROM numbers WHERE number<=" + std::to_string(acknowledged));
    const bool is_there = acknowledged == 0 || found == std::vector<std::string>{std::to_string(acknowledged)};
    const bool is_good = database.rows("PRAGMA integrity_check") == std::vector<std::string>{"ok"};
    const auto halves = database.rows("SELECT number FROM numbers GROUP BY number HAVING count(*)<>3");
    result.lost += is_there ? 0 : 1;
    result.damaged += is_good && (acknowledged == 0 || halves.empty()) ? 0 : 1;
    machine.set_default(true);
  }
  return result;
}

TEST(UnsyncedVfs, FindsWhatIsLostWithoutSynchronisation) {
  EXPECT_GT(losses({"WAL", "OFF"}, 60).lost, 10);
  EXPECT_GT(losses({"DELETE", "OFF"}, 60).damaged, 5);
}

// Only checkpoints are synchronised: the database is sound, and the last transactions may be missing.
TEST(UnsyncedVfs, FindsWhatIsLostWithoutSynchronisationOfEachTransaction) {
  const Losses found = losses({"WAL", "NORMAL"}, 60);
  EXPECT_GT(found.lost, 10);
  EXPECT_EQ(found.damaged, 0);
}

// The removal of the journal is the end of a transaction, and is not synchronised: it comes back and undoes it.
TEST(UnsyncedVfs, FindsWhatIsLostWithoutSynchronisationOfTheDirectory) {
  const Losses found = losses({"DELETE", "FULL"}, 60);
  EXPECT_GT(found.lost, 3);
  EXPECT_EQ(found.damaged, 0);
}

TEST(UnsyncedVfs, FindsNothingLostWithFullSynchronisation) {
  for (const Settings& settings :
       {Settings{"WAL", "FULL"}, Settings{"DELETE", "EXTRA"}, Settings{"TRUNCATE", "FULL"}}) {
    const Losses found = losses(settings, 150);
    EXPECT_EQ(found.lost, 0) << settings.journal;
    EXPECT_EQ(found.damaged, 0) << settings.journal;
  }
}

// A file that was made and synchronised is gone if its directory was not.
TEST(UnsyncedVfs, ForgetsTheNamesOfNewFiles) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("numbers");
  UnsyncedVfs machine;
  {
    Database database(path);
    EXPECT_TRUE(database.run("PRAGMA journal_mode=OFF; PRAGMA synchronous=FULL; CREATE TABLE numbers(number)"));
  }
  EXPECT_EQ(machine.unsynced_changes(), 1);  // the name
  int there = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    machine.crash(seed);
    there += std::filesystem::exists(path) ? 1 : 0;
  }
  EXPECT_GT(there, 5);
  EXPECT_LT(there, 35);
}

TEST(UnsyncedVfs, RewritesFilesInPlace) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("numbers");
  UnsyncedVfs machine;
  {
    Database database(path);
    EXPECT_TRUE(database.run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE numbers(number)"));
    machine.die();
    EXPECT_FALSE(database.run("INSERT INTO numbers VALUES(1)"));
  }
  struct stat before {};
  struct stat after {};
  ASSERT_EQ(stat(path.c_str(), &before), 0);
  machine.crash(1);
  ASSERT_EQ(stat(path.c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

// A file under a second name has lost it if the directory was not synchronised.
TEST(UnsyncedVfs, KnowsFilesThatAreLinked) {
  for (const bool is_synchronised : {false, true}) {
    const TemporaryDirectory directory;
    const std::string path = directory.file("numbers");
    UnsyncedVfs machine;
    ASSERT_TRUE(Database(directory.file("new")).run("CREATE TABLE numbers(number)"));
    std::filesystem::create_hard_link(directory.file("new"), path);
    std::filesystem::remove(directory.file("new"));
    if (is_synchronised) {
      const int descriptor = open(directory.path().c_str(), O_RDONLY | O_DIRECTORY);
      EXPECT_EQ(fsync(descriptor), 0);
      close(descriptor);
    }
    ASSERT_TRUE(Database(path).run("PRAGMA journal_mode=MEMORY; INSERT INTO numbers VALUES(1)"));
    int there = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      machine.crash(seed);
      there += std::filesystem::exists(path) ? 1 : 0;
      EXPECT_FALSE(is_synchronised && std::filesystem::exists(directory.file("new")));
    }
    EXPECT_TRUE(is_synchronised ? there == 40 : there < 35) << there;
  }
}

// Linux takes bytes for written that it could not write, and says so once.
TEST(UnsyncedVfs, LosesWhatASynchronisationThatFailedWasAbout) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("numbers");
  UnsyncedVfs machine;
  {
    Database database(path);
    ASSERT_TRUE(database.run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE numbers(number)"));
    machine.fail_once(Operation::sync, 0, SQLITE_IOERR_FSYNC);
    EXPECT_FALSE(database.run("INSERT INTO numbers VALUES(1)"));
    EXPECT_TRUE(machine.has_failed());
    machine.die();
  }
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    machine.crash(seed);
    machine.set_default(false);
    EXPECT_EQ(Database(path).rows("SELECT count(*) FROM numbers"), std::vector<std::string>{"0"});
    machine.set_default(true);
  }
}

TEST(UnsyncedVfs, FailsOnce) {
  const TemporaryDirectory directory;
  UnsyncedVfs machine;
  Database database(directory.file("numbers"));
  ASSERT_TRUE(database.run("CREATE TABLE numbers(number)"));
  for (const Operation operation : {Operation::write, Operation::sync, Operation::remove, Operation::lock}) {
    machine.fail_once(operation, 0, SQLITE_IOERR);
    EXPECT_FALSE(database.run("INSERT INTO numbers VALUES(1)")) << to_string(operation);
    EXPECT_TRUE(machine.has_failed());
    EXPECT_TRUE(database.run("INSERT INTO numbers VALUES(2)")) << to_string(operation);
  }
  machine.set_full(true);
  EXPECT_FALSE(database.run("INSERT INTO numbers VALUES(zeroblob(10000))"));
  machine.set_full(false);
  EXPECT_TRUE(database.run("INSERT INTO numbers VALUES(zeroblob(10000))"));
  EXPECT_EQ(database.rows("PRAGMA integrity_check"), std::vector<std::string>{"ok"});
}

}  // namespace
}  // namespace renyi::test::unsynced_vfs_test
