// Writes of a ledger in a SQLite file, within one transaction.
#pragma once

#include "ledger/store/sqlite.h"
#include "ledger/store/store.h"

namespace renyi::ledger {

// The statements of one connection.
class SqliteChanges {
 public:
  explicit SqliteChanges(const Connection& connection);
  // Throws StoreFailure (corrupt) if a statement did not change the rows that it should.
  void make(const Changes& changes);

 private:
  // Runs a statement that changes one row.
  void put(Statement& statement);

  const Connection& connection_;
  Statement entry_, scope_, cell_, step_, drop_step_, ticket_, output_, fact_;
};

}  // namespace renyi::ledger
