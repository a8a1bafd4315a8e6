// Ledgers of an earlier version, from the corpus, put where a test wants them: the place that they know is this one, as
// for users who install a newer version.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "renyi/ledger.h"
#include "support/crash_image.h"

namespace renyi::test {

// Runs statements and returns the columns of all rows, one line each.
inline std::string sql_in(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  sqlite3_busy_timeout(database, 60'000);
  std::string lines;
  char* message = nullptr;
  const auto add = [](void* to, int columns, char** values, char** /*names*/) {
    auto& text = *static_cast<std::string*>(to);
    for (int i = 0; i < columns; ++i) text += std::string(values[i] == nullptr ? "" : values[i]) + '\n';
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), add, &lines, &message), SQLITE_OK) << (message ? message : "");
  sqlite3_free(message);
  sqlite3_close(database);
  return lines;
}

inline void remove_logs(const std::string& path) {
  for (const char* end : {"-wal", "-shm", "-sync"}) std::filesystem::remove(path + end);
}

struct OldLedger {
  std::string file;  // in the corpus
  std::string head;  // beside it; empty if none was kept
};

inline std::vector<OldLedger> old_ledgers() {
  const std::string corpus = RENYI_SOURCE_DIR "/tests/compat/0.8.1/";
  return {{corpus + "ledgers/clinic.ledger", corpus + "ledgers/clinic.head.json"},
          {corpus + "ledgers/witnessed.ledger", corpus + "ledgers/witnessed.head.json"},
          {corpus + "releases/annual.ledger", ""}};
}

inline std::optional<LedgerHead> head_of(const OldLedger& ledger) {
  if (ledger.head.empty()) return {};
  std::ifstream file(ledger.head);
  const auto read = nlohmann::json::parse(file);
  return LedgerHead{read.at("ledger"), read.at("entry"), read.at("hash")};
}

// Makes it the ledger of this place.
inline void put_old_ledger(const OldLedger& ledger, const std::string& path) {
  { const Ledger made = Ledger::create(path); }
  std::string place = sql_in(path, "SELECT value FROM facts WHERE name = 'place'");
  place.pop_back();
  remove_logs(path);
  write_in_place(path, read_all(ledger.file));
  sql_in(path, fmt::format("UPDATE facts SET value = '{}' WHERE name = 'place'", place));
  remove_logs(path);
  ASSERT_EQ(sql_in(path, "PRAGMA user_version"), "1\n");
}

// Where the witness of the corpus is, if the ledger has one.
inline LedgerOptions options_of(const OldLedger& ledger, const std::string& directory) {
  const std::string witness = std::filesystem::path(ledger.file).replace_extension(".witness");
  if (!std::filesystem::exists(witness)) return {};
  const std::string copy = directory + "/" + std::filesystem::path(witness).filename().string();
  if (!std::filesystem::exists(copy)) std::filesystem::copy_file(witness, copy);
  return {.witness = copy};
}

}  // namespace renyi::test
