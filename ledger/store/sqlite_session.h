// A connection to the SQLite file of a ledger, and its transactions. Each begins by making sure that the tables are
// those of a ledger.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "ledger/store/sqlite.h"
#include "ledger/store/store.h"

namespace renyi::ledger {

// Which content a file has, as far as one can tell without reading it.
struct FileState {
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t seconds = 0, nanoseconds = 0;  // when it was written last
  bool has_log = false;                       // SQLite's, beside it
  bool operator==(const FileState&) const = default;

  static FileState of(const std::string& path);
};

class SqliteSession {
 public:
  // Who may not write beside the file reads it as it lies there, if no program uses it.
  SqliteSession(const std::string& path, std::chrono::milliseconds patience, Tables tables);

  // Whether the file is read as it lies there, and cannot be written.
  bool is_settled() const noexcept { return settled_.has_value(); }
  // False if the file was written since, where that would not be noticed otherwise.
  bool is_current() const { return !settled_ || FileState::of(path_) == *settled_; }
  const Connection& connection() const noexcept { return connection_; }
  // The version of the tables in the last transaction that began.
  int version() const noexcept { return version_; }

  enum class Kind { read, write };
  // A transaction that is rolled back unless it is committed.
  class Transaction {
   public:
    // Throws StoreFailure (corrupt) if the tables are not those of their version.
    Transaction(SqliteSession& session, Kind kind);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();
    void commit();

   private:
    SqliteSession& session_;
    bool is_over_ = false;
  };

 private:
  void check_tables();
  void roll_back() noexcept;

  std::string path_;
  std::optional<FileState> settled_;  // before it was opened
  Connection connection_;
  Tables tables_;
  Statement begin_to_write_, begin_to_read_, commit_, cookie_;
  int version_ = 0;
  std::int64_t checked_ = -1;  // the number of the schema that was compared, which every change of it raises
};

}  // namespace renyi::ledger
