// A connection to the SQLite file of a ledger, and its transactions. Each begins by making sure that the tables are
// those of a ledger.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "ledger/store/sqlite.h"
#include "ledger/store/store.h"

namespace renyi::ledger {

class SqliteSession {
 public:
  SqliteSession(const std::string& path, std::chrono::milliseconds patience, Tables tables);

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

  Connection connection_;
  Tables tables_;
  Statement begin_to_write_, begin_to_read_, commit_, cookie_;
  int version_ = 0;
  std::int64_t checked_ = -1;  // the number of the schema that was compared, which every change of it raises
};

}  // namespace renyi::ledger
