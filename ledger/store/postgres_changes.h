// How changes of a ledger become statements for PostgreSQL: one for each table, with arrays of rows.
#pragma once

#include <string>
#include <vector>

#include "ledger/store/libpq.h"
#include "ledger/store/store.h"

namespace renyi::ledger {

// The statements that change something, for one schema.
struct PostgresChanges {
  explicit PostgresChanges(const std::string& schema);

  // Sends what is needed to make the changes, and returns what the server has to answer; the caller receives the
  // results, of which there may be one more.
  std::vector<std::string> send(PostgresConnection& to, const Changes& changes) const;

  PostgresStatement entries;
  PostgresStatement scopes;
  PostgresStatement cells;
  PostgresStatement steps;
  PostgresStatement no_steps;
  PostgresStatement tickets;
  PostgresStatement outputs;
  PostgresStatement fact;
};

}  // namespace renyi::ledger
