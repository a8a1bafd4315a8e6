// Files that are no ledgers, that a newer version wrote, or that are damaged: a typed error, or verify finds it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "renyi/error.h"
#include "renyi/ledger.h"
#include "support/ledger_file.h"
#include "support/temporary_directory.h"

namespace renyi::test::sqlite_damage_test {
namespace {

std::string run_sql(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  char* message = nullptr;
  sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message);
  std::string result = message == nullptr ? "" : message;
  sqlite3_free(message);
  sqlite3_close(database);
  return result;
}

TEST(SqliteDamage, FilesOfNewerVersions) {
  const LedgerFile file(3);
  EXPECT_EQ(run_sql(file.path, "PRAGMA user_version=1000"), "");
  EXPECT_EQ(fault_of([&] { Ledger{file.path}; }), "newer");
}

TEST(SqliteDamage, WhatIsNoLedger) {
  const TemporaryDirectory directory;
  write_in_place(directory.file("text"), std::string(20'000, 'x'));
  write_in_place(directory.file("short"), "SQLite format 3");
  write_in_place(directory.file("empty"), "");
  EXPECT_EQ(run_sql(directory.file("other"), "PRAGMA journal_mode=WAL; CREATE TABLE entries(entry)"), "");
  for (const char* name : {"text", "short", "empty", "other"}) {
    const std::string before = read_all(directory.file(name));
    EXPECT_EQ(fault_of([&] { Ledger{directory.file(name)}; }), "corrupt") << name;
    EXPECT_EQ(fault_of([&] { Ledger::create(directory.file(name)); }), "invalid_argument") << name;
    EXPECT_EQ(read_all(directory.file(name)), before) << name;
  }
  std::filesystem::create_directory(directory.file("directory"));
  std::filesystem::create_symlink(directory.file("nowhere"), directory.file("link"));
  for (const std::string name : {"directory", "link", "nothing", "nothing/in/it", "text/in"}) {
    EXPECT_EQ(fault_of([&] { Ledger{directory.file(name)}; }), "invalid_argument") << name;
    EXPECT_NE(fault_of([&] { Ledger::create(directory.file(name)); }), name == "nothing" ? "" : "none") << name;
  }
  EXPECT_NE(fault_of([&] { Ledger{""}; }), "none");
}

// ---- Damaged files.

std::string everything_in(const Ledger& ledger) {
  std::string text;
  std::vector<Receipt> receipts;
  ledger.history({}, [&](const LedgerEntry& entry) {
    text += entry.text + entry.hash + "\n";
    receipts.push_back(receipt_of(entry));
  });
  for (const Receipt& receipt : receipts) {
    if (!receipt.key.empty()) text += ledger.answer_to(receipt.key) ? "found\n" : "not found\n";
    if (receipt.ticket > 0) {
      const auto output = ledger.output(receipt.ticket);
      text += std::string(to_string(*ledger.ticket(receipt.ticket).state)) + (output ? output->bytes : "none") + "\n";
    }
  }
  for (const ScopeState& scope : ledger.scopes()) {
    text += fmt::format("{} {} {}\n", scope.name, scope.charges, scope.reserved);
  }
  return text;
}

// What is damaged is reported, or is nothing that the ledger says.
TEST(SqliteDamage, DamagedPages) {
  LedgerFile file(25);
  const std::string sound = read_all(file.path);
  std::string expected;
  LedgerHead head;
  {
    const Ledger ledger(file.path);
    expected = everything_in(ledger);
    head = ledger.head();
  }
  std::mt19937_64 random(11);
  int reported = 0;
  const std::size_t page = 4096;
  ASSERT_EQ(sound.size() % page, 0);
  for (std::size_t at = 0; at < sound.size(); at += page) {
    for (int time = 0; time < 12; ++time) {
      std::string damaged = sound;
      const std::uint64_t bytes = time % 3 == 0 ? 1 : 1 + below(random, 64);
      for (std::uint64_t i = 0; i < bytes; ++i) {
        damaged[at + below(random, page)] ^= static_cast<char>(1 + below(random, 255));
      }
      write_in_place(file.path, damaged);
      std::string found;
      const std::string fault = fault_of([&] {
        const Ledger ledger(file.path);
        const LedgerVerification verified = ledger.verify(head);
        found = verified.valid ? everything_in(ledger) : "invalid";
      });
      SCOPED_TRACE(fmt::format("page {}, time {}", at / page, time));
      EXPECT_TRUE(fault != "none" || found == "invalid" || found == expected) << found.substr(0, 2000);
      // A damaged place is that of another file.
      const bool is_place = fault == "copied";
      EXPECT_TRUE(fault == "none" || fault == "corrupt" || fault == "newer" || fault == "unreachable" || is_place)
          << fault;
      reported += fault != "none" || found == "invalid" ? 1 : 0;
      for (const char* end : {"-wal", "-shm"}) std::filesystem::remove(file.path + end);
    }
  }
  EXPECT_GT(reported, 20);
  write_in_place(file.path, sound);
  file.check();
}

// Files that were cut.
TEST(SqliteDamage, FilesThatAreTooShort) {
  LedgerFile file(10);
  const std::string sound = read_all(file.path);
  for (std::size_t size = 0; size < sound.size(); size += 1024) {
    write_in_place(file.path, sound.substr(0, size));
    const std::string fault = fault_of([&] {
      if (!Ledger(file.path).verify().valid) throw StoreFailure(StoreFault::corrupt, "invalid", "");
    });
    EXPECT_EQ(fault, "corrupt") << size;
    for (const char* end : {"-wal", "-shm"}) std::filesystem::remove(file.path + end);
  }
}

}  // namespace
}  // namespace renyi::test::sqlite_damage_test
