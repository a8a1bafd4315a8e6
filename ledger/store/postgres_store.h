// A store in PostgreSQL, for ledgers that many machines use (docs/format/ledger.md). Writers exclude each other by an
// advisory lock of the transaction. A transaction is committed without waiting for the disk; make_durable then waits
// for a commit of the server that does, which threads share here, and processes in the server.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "ledger/store/store.h"

namespace renyi::ledger {

// Makes a new ledger in a schema of the database, or opens one. `location` is as in postgres_location.h.
std::unique_ptr<Store> create_postgres_store(const std::string& location, std::chrono::milliseconds patience);
std::unique_ptr<Store> open_postgres_store(const std::string& location, std::chrono::milliseconds patience);

}  // namespace renyi::ledger
