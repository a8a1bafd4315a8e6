// The tables of a ledger in a SQLite file, how they came about, and whether they are still what they should be.
#pragma once

#include <string>

#include "ledger/store/sqlite.h"

namespace renyi::ledger {

// The version of the tables that this program writes: the number of migrations.
int sqlite_schema_version() noexcept;

// The version of the tables that are there. Throws StoreFailure: the file is no ledger, or of a newer version.
int stored_sqlite_version(const Connection& connection);

// Says that the file is a ledger, and makes the tables of a version, within a transaction of the caller.
void make_sqlite_tables(const Connection& connection, int version = sqlite_schema_version());
// Brings tables that are there up by one version, within a transaction of the caller.
void migrate_sqlite_tables(const Connection& connection, int from);

// What tables, indexes and triggers there are that this version does not have, or the other way round: somebody who can
// write the file may have added a trigger that lets entries vanish. Empty if everything is as it was made.
std::string sqlite_schema_fault(const Connection& connection, int version);

}  // namespace renyi::ledger
