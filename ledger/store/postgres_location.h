// Where a ledger in PostgreSQL is: a URI as libpq reads it, with one more query parameter, `schema`, because a database
// can hold several ledgers, each in a schema of its own.
//
//     postgresql://alice@db.example/clinic?schema=trial_7
#pragma once

#include <chrono>
#include <string>

#include "ledger/store/libpq.h"

namespace renyi::ledger {

struct PostgresLocation {
  PostgresAddress address{};
  std::string schema = "renyi_ledger";
};

[[nodiscard]] bool is_postgres_location(const std::string& location);

// Throws InvalidArgument, which does not repeat the URI, or StoreFailure if libpq is missing.
PostgresLocation read_postgres_location(const std::string& location, std::chrono::milliseconds patience);

}  // namespace renyi::ledger
