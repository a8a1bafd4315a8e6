// The tables of a ledger in PostgreSQL, how they came about, and who may do what with them.
#pragma once

#include <cstdint>
#include <string>

#include "ledger/store/libpq.h"

namespace renyi::ledger {

// The version of the tables that this program writes: the number of migrations.
std::int64_t postgres_schema_version();

// Replaces every "@" of the text by the schema, quoted.
std::string in_postgres_schema(const std::string& sql, const std::string& schema);

// The version of the tables that are there; 0 if there is no ledger. Throws StoreFailure.
std::int64_t stored_postgres_version(PostgresConnection& connection, const std::string& schema);

// Makes the tables of a new ledger, or brings them up to the version given, in one transaction that excludes others
// that do the same. Throws InvalidArgument if a new ledger is asked for and the schema has tables, or if there is no
// ledger to bring up; StoreFailure (newer) if the tables are of a newer version; StoreFailure (read_only) if the role
// may not.
void migrate_postgres_schema(PostgresConnection& connection, const std::string& schema, bool is_new,
                             std::int64_t version = postgres_schema_version());

// Statements that let a role append to the log and not rewrite it. The owner of the schema runs them. What the role may
// do: read everything; add entries and outputs, never change or remove them; change the rows that are derived from the
// log. It may not change facts, such as where the witness is.
std::string append_only_grants(const std::string& role, const std::string& schema);

}  // namespace renyi::ledger
