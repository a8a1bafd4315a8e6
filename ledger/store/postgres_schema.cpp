#include "ledger/store/postgres_schema.h"

#include <array>

#include "ledger/fault_point.h"

namespace renyi::ledger {

namespace postgres_schema_file {
namespace {

// A migration is never changed once it was published; a new one is added. "@" is the schema.
//
// 1: tables. Texts are compared by their bytes. What no call has asked for, such as an expiry, has no key. Rows that
// change with every charge leave space for their next versions.
constexpr const char* tables = R"(
CREATE TABLE @.entries (
  entry bigint PRIMARY KEY CHECK (entry >= 0),
  hash text COLLATE "C" NOT NULL,
  text text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  person text COLLATE "C" NOT NULL,
  time text COLLATE "C" NOT NULL);
CREATE UNIQUE INDEX entries_by_key ON @.entries (key) WHERE key <> '';
CREATE TABLE @.scopes (
  name text COLLATE "C" PRIMARY KEY,
  entry bigint NOT NULL,
  text text COLLATE "C" NOT NULL);
CREATE INDEX scopes_by_entry ON @.scopes (entry);
CREATE TABLE @.cells (
  scope text COLLATE "C",
  cell text COLLATE "C",
  sums bytea NOT NULL,
  PRIMARY KEY (scope, cell)) WITH (fillfactor = 50);
CREATE TABLE @.steps (
  scope text COLLATE "C",
  cell text COLLATE "C",
  step text COLLATE "C",
  count bigint NOT NULL,
  PRIMARY KEY (scope, cell, step)) WITH (fillfactor = 50);
CREATE TABLE @.tickets (
  ticket bigint PRIMARY KEY,
  state text COLLATE "C" NOT NULL CHECK (state IN ('reserved', 'opened', 'committed', 'cancelled', 'expired')),
  entry bigint NOT NULL,
  scope text COLLATE "C" NOT NULL,
  expires text COLLATE "C" NOT NULL,
  secret text COLLATE "C" NOT NULL);
CREATE INDEX tickets_by_expiry ON @.tickets (expires, ticket) WHERE state = 'reserved';
CREATE TABLE @.outputs (
  ticket bigint PRIMARY KEY,
  bytes bytea NOT NULL);
CREATE TABLE @.facts (
  name text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL);
)";

// 2: guards. An entry continues the log: the one before is there, and the text repeats its number and its hash.
// Together with the primary key, entries so have no gaps. What was appended is not changed or removed, by the owner
// either, except in a migration, which sets renyi.migration to the schema.
constexpr const char* guards = R"(
CREATE FUNCTION @.continue_log() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wrong bigint;
BEGIN
  SELECT a.entry INTO wrong FROM added a LEFT JOIN @.entries p ON p.entry = a.entry - 1
    WHERE NOT pg_catalog.starts_with(a.text, CASE a.entry WHEN 0 THEN '{"entry":0,'
      ELSE '{"entry":' || a.entry || ',"previous":"' || coalesce(p.hash, '?') || '",' END) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'entry % does not continue the log', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER continue_log AFTER INSERT ON @.entries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION @.continue_log();
CREATE FUNCTION @.refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(pg_catalog.current_setting('renyi.migration', true), '') = TG_TABLE_SCHEMA
     AND pg_catalog.pg_has_role((SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'USAGE') THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'what a ledger has recorded is not changed or removed' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER refuse_rewriting BEFORE UPDATE OR DELETE OR TRUNCATE ON @.entries
  FOR EACH STATEMENT EXECUTE FUNCTION @.refuse_rewriting();
CREATE TRIGGER refuse_rewriting BEFORE UPDATE OR DELETE OR TRUNCATE ON @.outputs
  FOR EACH STATEMENT EXECUTE FUNCTION @.refuse_rewriting();
)";

// 3: pending tickets and releases are found by indexes.
constexpr const char* ticket_indexes = R"(
CREATE INDEX tickets_pending ON @.tickets (ticket) WHERE state = 'reserved';
CREATE INDEX tickets_committed ON @.tickets (entry) WHERE state = 'committed';
)";

constexpr std::array migrations = {tables, guards, ticket_indexes};

std::string quoted(const std::string& name, char quote) {
  std::string result(1, quote);
  for (const char c : name) {
    result += c;
    if (c == quote) result += c;
  }
  return result + quote;
}

// Writers of the ledger that is being migrated are waited for by the locks of the tables.
constexpr std::int64_t migration_lock = 0x72656e7969;

void refuse_place(const std::string& schema, const char* allowed) {
  throw InvalidArgument("ledger", "the schema " + quoted(schema, '"') + " of the database", allowed);
}

bool has_tables(PostgresConnection& connection, const std::string& schema) {
  static const PostgresStatement question{
      "tables",
      "SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE nspname = $1)"};
  return connection.run(question, PostgresParameters().text(schema)).truth(0, 0);
}

void migrate_within(PostgresConnection& connection, const std::string& schema, bool is_new, std::int64_t version) {
  static const PostgresStatement lock{"migration_lock", "SELECT pg_advisory_xact_lock($1)"};
  connection.run(lock, PostgresParameters().number(migration_lock));
  const std::int64_t stored = stored_postgres_version(connection, schema);
  if (is_new && (stored > 0 || has_tables(connection, schema))) refuse_place(schema, "a schema without tables");
  if (!is_new && stored == 0) refuse_place(schema, "the place of a ledger; `renyi ledger init` makes one");
  if (stored >= version) return;  // another process was first
  fault_point("postgres.migrate.before");
  if (is_new) {
    connection.script(
        in_postgres_schema("CREATE SCHEMA IF NOT EXISTS @; CREATE TABLE @.schema_version ("
                           "version bigint PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())",
                           schema));
  }
  connection.script("SET LOCAL renyi.migration = " + quoted(schema, '\''));
  for (std::int64_t next = stored + 1; next <= version; ++next) {
    fault_point("postgres.migrate.step");
    connection.script(in_postgres_schema(migrations.at(static_cast<std::size_t>(next - 1)), schema));
    connection.script(in_postgres_schema("INSERT INTO @.schema_version VALUES (" + std::to_string(next) + ")", schema));
  }
  fault_point("postgres.migrate.after");
}

}  // namespace
}  // namespace postgres_schema_file

std::int64_t postgres_schema_version() { return static_cast<std::int64_t>(postgres_schema_file::migrations.size()); }

std::string in_postgres_schema(const std::string& sql, const std::string& schema) {
  std::string result;
  for (const char c : sql) {
    if (c == '@') {
      result += postgres_schema_file::quoted(schema, '"');
    } else {
      result += c;
    }
  }
  return result;
}

std::int64_t stored_postgres_version(PostgresConnection& connection, const std::string& schema) {
  static const PostgresStatement is_there{
      "version_there",
      "SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
      "WHERE nspname = $1 AND relname = 'schema_version')"};
  if (!connection.run(is_there, PostgresParameters().text(schema)).truth(0, 0)) return 0;
  const PostgresStatement version{"version",
                                  in_postgres_schema("SELECT coalesce(max(version), 0) FROM @.schema_version", schema)};
  const std::int64_t stored = connection.run(version).number(0, 0);
  if (stored < 1) {
    throw StoreFailure(StoreFault::corrupt, "the table schema_version is not that of a ledger", "use another schema");
  }
  if (stored > postgres_schema_version()) {
    throw StoreFailure(StoreFault::newer,
                       "the ledger has tables of version " + std::to_string(stored) + ", and this program knows " +
                           std::to_string(postgres_schema_version()),
                       "use a newer version of renyi");
  }
  return stored;
}

void migrate_postgres_schema(PostgresConnection& connection, const std::string& schema, bool is_new,
                             std::int64_t version) {
  connection.script("BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on");
  try {
    postgres_schema_file::migrate_within(connection, schema, is_new, version);
    connection.script("COMMIT");
  } catch (...) {
    if (connection.is_usable()) connection.script("ROLLBACK");
    throw;
  }
}

std::string append_only_grants(const std::string& role, const std::string& schema) {
  const std::string to = " TO " + postgres_schema_file::quoted(role, '"') + ";\n";
  return in_postgres_schema("GRANT USAGE ON SCHEMA @", schema) + to +
         in_postgres_schema("GRANT SELECT ON @.schema_version, @.facts", schema) + to +
         in_postgres_schema("GRANT SELECT, INSERT ON @.entries, @.outputs", schema) + to +
         in_postgres_schema("GRANT SELECT, INSERT, UPDATE ON @.scopes, @.cells, @.tickets", schema) + to +
         in_postgres_schema("GRANT SELECT, INSERT, UPDATE, DELETE ON @.steps", schema) + to;
}

}  // namespace renyi::ledger
