// Where a ledger in PostgreSQL is, who may do what there, and which servers are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "ledger/store/postgres_schema.h"
#include "ledger/store/postgres_store.h"
#include "support/postgres_ledger.h"
#include "support/postgres_server.h"

namespace postgres_place_test {
namespace {

using renyi::InvalidArgument;
using renyi::StoreFault;
using namespace renyi::ledger;
using renyi::test::append;
using renyi::test::fault_in;
using renyi::test::PostgresServer;
using testing::HasSubstr;
using testing::Not;
constexpr std::chrono::milliseconds patience{60'000};

std::string message_of(const std::function<void()>& function) {
  try {
    function();
  } catch (const renyi::Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(PostgresPlace, ALedgerIsMadeOnce) {
  const PostgresServer& server = PostgresServer::shared();
  EXPECT_THROW(open_postgres_store(server.uri("once"), patience), InvalidArgument);
  append(*create_postgres_store(server.uri("once"), patience), "k0");
  EXPECT_THROW(create_postgres_store(server.uri("once"), patience), InvalidArgument);
  EXPECT_EQ(renyi::test::last_entry(*open_postgres_store(server.uri("once"), patience)), 0);
  server.run("CREATE SCHEMA other; CREATE TABLE other.things (a int); CREATE SCHEMA empty");
  EXPECT_THROW(create_postgres_store(server.uri("other"), patience), InvalidArgument);
  EXPECT_THROW(open_postgres_store(server.uri("other"), patience), InvalidArgument);
  append(*create_postgres_store(server.uri("empty"), patience), "k0");
  EXPECT_EQ(
      message_of([&] { open_postgres_store(server.uri("absent") + "&dbname=absent", patience); }).find("ledger: "), 0U);
}

TEST(PostgresPlace, CopiesAreAtAnotherPlace) {
  const PostgresServer& server = PostgresServer::shared();
  const std::string first = create_postgres_store(server.uri("first"), patience)->place();
  const std::string second = create_postgres_store(server.uri("second"), patience)->place();
  EXPECT_NE(first, second);
  EXPECT_EQ(first, open_postgres_store(server.uri("first"), patience)->place());
  EXPECT_THAT(first, HasSubstr(server.text("SELECT system_identifier::text FROM pg_control_system()")));
}

TEST(PostgresPlace, TablesAreBroughtUpToDateAndNewerOnesRefused) {
  const PostgresServer& server = PostgresServer::shared();
  const PostgresLocation location = read_postgres_location(server.uri("versions"), patience);
  {
    PostgresConnection connection(location.address, patience);
    migrate_postgres_schema(connection, location.schema, true, 1);
    EXPECT_EQ(stored_postgres_version(connection, location.schema), 1);
  }
  server.run(R"(INSERT INTO versions.entries VALUES (0, 'h0', '{"entry":0,', 'k0', '', '', ''))");
  const auto store = open_postgres_store(server.uri("versions"), patience);
  EXPECT_EQ(renyi::test::last_entry(*store), 0);
  EXPECT_EQ(server.number("SELECT max(version) FROM versions.schema_version"), 1) << "what is opened may be a copy";
  const auto upgrade = store->upgrade();
  ASSERT_TRUE(upgrade);
  EXPECT_EQ(upgrade->from, 1);
  EXPECT_EQ(upgrade->to, postgres_schema_version());
  EXPECT_FALSE(store->upgrade());
  EXPECT_EQ(server.number("SELECT max(version) FROM versions.schema_version"), postgres_schema_version());
  EXPECT_EQ(fault_in([&] { server.run("DELETE FROM versions.entries"); }), StoreFault::read_only);
  server.run("INSERT INTO versions.schema_version VALUES (99)");
  EXPECT_EQ(fault_in([&] { open_postgres_store(server.uri("versions"), patience); }), StoreFault::newer);
  EXPECT_THROW(create_postgres_store(server.uri("versions"), patience), renyi::Error);
}

TEST(PostgresPlace, ARoleThatAppendsCannotRewrite) {
  const PostgresServer& server = PostgresServer::shared();
  append(*create_postgres_store(server.uri("guarded"), patience), "k0");
  server.run("CREATE ROLE \"the \"\"clerk\" LOGIN; CREATE ROLE stranger LOGIN;" +
             append_only_grants("the \"clerk", "guarded"));
  const std::string uri = server.uri("guarded", "the%20%22clerk");
  const auto store = open_postgres_store(uri, patience);
  store->write([](View& view) {
    const EntryRow entry = renyi::test::entry_after(view.end(), "k1");
    return Changes{.entries = {entry},
                   .scopes = {{"clinic", 1, "{}"}},
                   .cells = {{"clinic", "", "sums"}},
                   .steps = {{"clinic", "", "step", 1}, {"clinic", "", "other", -1}},
                   .tickets = {{1, renyi::TicketState::committed, 1, "clinic", "", ""}},
                   .outputs = {{1, "bytes"}}};
  });
  store->make_durable();
  EXPECT_EQ(renyi::test::last_entry(*store), 1);
  EXPECT_EQ(store->place(), open_postgres_store(server.uri("guarded"), patience)->place());
  EXPECT_EQ(fault_in([&] { renyi::test::set_fact(*store, "witness", "elsewhere"); }), StoreFault::read_only);
  EXPECT_EQ(fault_in([&] { open_postgres_store(server.uri("guarded", "stranger"), patience); }), StoreFault::read_only);
  EXPECT_EQ(fault_in([&] { create_postgres_store(server.uri("own", "stranger"), patience); }), StoreFault::read_only);

  PostgresConnection clerk(read_postgres_location(uri, patience).address, patience);
  for (const char* table : {"guarded.entries", "guarded.outputs"}) {
    const std::string column = table == std::string("guarded.entries") ? "entry" : "ticket";
    for (const std::string& statement :
         {"UPDATE " + std::string(table) + " SET " + column + " = 7", "DELETE FROM " + std::string(table),
          "TRUNCATE " + std::string(table), "DELETE FROM " + std::string(table) + " WHERE false"}) {
      EXPECT_EQ(fault_in([&] { clerk.script(statement); }), StoreFault::read_only) << statement;
      EXPECT_EQ(fault_in([&] { clerk.script("SET renyi.migration = 'guarded'; " + statement); }),
                StoreFault::read_only);
      // The owner is refused too, unless it says that this is a migration.
      EXPECT_EQ(fault_in([&] { server.run(statement); }), StoreFault::read_only) << statement;
    }
  }
  for (const char* statement : {"DROP TABLE guarded.entries", "DROP TRIGGER refuse_rewriting ON guarded.entries",
                                "ALTER TABLE guarded.entries DISABLE TRIGGER ALL", "DELETE FROM guarded.tickets",
                                "INSERT INTO guarded.schema_version VALUES (99)"}) {
    EXPECT_EQ(fault_in([&] { clerk.script(statement); }), StoreFault::read_only) << statement;
  }
  EXPECT_EQ(renyi::test::last_entry(*store), 1);
  server.run("SET renyi.migration = 'guarded'; DELETE FROM guarded.outputs");
  EXPECT_EQ(server.number("SELECT count(*) FROM guarded.outputs"), 0);
}

// The owner can put a trigger or a rule before a table. What then vanishes is not acknowledged.
TEST(PostgresPlace, RowsThatAreNotTakenAreNoticed) {
  const PostgresServer& server = PostgresServer::shared();
  const auto store = create_postgres_store(server.uri("ignored"), patience);
  append(*store, "k0");
  server.run(
      "CREATE FUNCTION ignored.forget() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';"
      "CREATE TRIGGER forget BEFORE INSERT ON ignored.entries FOR EACH ROW EXECUTE FUNCTION ignored.forget()");
  EXPECT_EQ(fault_in([&] { append(*store, "k1"); }), StoreFault::corrupt);
  server.run(
      "DROP TRIGGER forget ON ignored.entries; CREATE RULE forget AS ON INSERT TO ignored.cells DO INSTEAD NOTHING");
  EXPECT_EQ(fault_in([&] { store->write([](View&) {
                             return Changes{.cells = {{"clinic", "|", "sums"}}};
                           }); }),
            StoreFault::corrupt);
  append(*store, "k1");
  EXPECT_EQ(renyi::test::last_entry(*store), 1);
}

TEST(PostgresPlace, TheGuideHasTheGrants) {
  std::ifstream file(RENYI_SOURCE_DIR "/docs/guide/ledger.md");
  const std::string guide{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(guide, HasSubstr("```sql\n" + append_only_grants("clerk", "renyi_ledger") + "```"));
}

TEST(PostgresPlace, ServersThatLoseDataAreRefused) {
  const PostgresServer& server = PostgresServer::shared();
  const auto set = [&](const std::string& setting, const std::string& value) {
    server.run("ALTER SYSTEM SET " + setting + " = " + value);
    server.run("SELECT pg_reload_conf()");
    // The server tells its processes in its own time.
    while (server.text("SELECT current_setting('" + setting + "')") != value) {
    }
  };
  for (const char* setting : {"fsync", "full_page_writes"}) {
    set(setting, "off");
    EXPECT_EQ(fault_in([&] { create_postgres_store(server.uri("careless"), patience); }), StoreFault::unsuitable);
    set(setting, "on");
  }
  server.run("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
  EXPECT_EQ(fault_in([&] { create_postgres_store(server.uri("careless") + "&dbname=latin", patience); }),
            StoreFault::unsuitable);
  append(*create_postgres_store(server.uri("careless"), patience), "k0");
  // A server that became unwilling to write.
  server.run("CREATE ROLE reader LOGIN SUPERUSER; ALTER ROLE reader SET default_transaction_read_only = on");
  const auto reader = open_postgres_store(server.uri("careless", "reader"), patience);
  EXPECT_EQ(fault_in([&] { append(*reader, "k1"); }), StoreFault::read_only);
  EXPECT_EQ(renyi::test::last_entry(*reader), 0);
}

TEST(PostgresPlace, SecretsAreNotRepeated) {
  const PostgresServer& server = PostgresServer::shared();
  server.run("CREATE ROLE locked LOGIN PASSWORD 'sesame-0pen'; GRANT CREATE ON DATABASE postgres TO locked");
  const std::string directory = server.text("SELECT current_setting('unix_socket_directories')");
  const auto attempt = [](const std::string& uri) {
    return message_of([&] { create_postgres_store(uri, std::chrono::seconds(5)); });
  };
  for (const std::string& password :
       {std::string("guess-7w"), std::string("guess-7w%40"), std::string("guess-7w?schema=a")}) {
    const std::string message = attempt("postgresql://locked:" + password + "@/postgres?host=" + directory);
    EXPECT_THAT(message, HasSubstr("password authentication failed"));
    EXPECT_THAT(message, Not(HasSubstr("guess-7w")));
  }
  EXPECT_THAT(attempt("postgresql:///postgres?host=/absent/guess-7w&password=guess-7w"), Not(HasSubstr("guess-7w")));
  // Passwords whose special characters are not encoded end up in other parts of the URI.
  for (const char* uri :
       {"postgresql://locked:a@guess-7w@localhost/postgres", "postgresql://locked:guess-7w/b@localhost/postgres",
        "postgresql://locked:1/guess-7w@localhost/postgres", "postgresql://locked:1/?guess-7w@localhost/postgres",
        "postgresql://locked:guess-7w%zz@localhost/postgres", "postgresql://localhost/postgres?schema=guess-7w",
        "postgresql://localhost/postgres?pasword=guess-7w", "postgresql://[guess-7w/postgres"}) {
    EXPECT_THROW(create_postgres_store(uri, patience), InvalidArgument) << uri;
    EXPECT_THAT(attempt(uri), Not(HasSubstr("guess-7w"))) << uri;
  }
  setenv("PGPASSWORD", "guess-7w", 1);
  EXPECT_THAT(attempt("postgresql://locked@/postgres?host=" + directory), HasSubstr("password authentication failed"));
  unsetenv("PGPASSWORD");
  EXPECT_NE(
      create_postgres_store("postgresql://locked:sesame-0pen@/postgres?schema=locked&host=" + directory, patience),
      nullptr);
}

TEST(PostgresPlace, LocationsAreRead) {
  EXPECT_TRUE(is_postgres_location("postgres://host/db"));
  EXPECT_FALSE(is_postgres_location("postgresql.ledger"));
  const PostgresLocation location = read_postgres_location("postgresql://a@b/c?schema=x_1&connect_timeout=7", patience);
  EXPECT_EQ(location.schema, "x_1");
  EXPECT_THAT(location.address.settings, testing::Contains(testing::Pair("connect_timeout", "7")));
  EXPECT_EQ(read_postgres_location("postgresql://a@b/c?connect_timeout=7&schema=x", patience).schema, "x");
  EXPECT_EQ(read_postgres_location("postgresql://a@b/c?schema=x", patience).schema, "x");
  EXPECT_EQ(read_postgres_location("postgresql://a@b/c", patience).schema, "renyi_ledger");
  for (const char* schema : {"", "X", "1x", "pg_x", "x-y", "x%20"}) {
    EXPECT_THROW(read_postgres_location(std::string("postgresql://a@b/c?schema=") + schema, patience), InvalidArgument);
  }
}

TEST(PostgresPlace, AMissingLibraryIsNamed) {
  EXPECT_THAT(message_of([] { load_libpq("libpq-absent.so.5"); }), HasSubstr("libpq5"));
  EXPECT_THAT(message_of([] { load_libpq("libc.so.6"); }), HasSubstr("PQconninfoParse"));
}

TEST(PostgresPlace, FaultsOfTheServerAreTyped) {
  EXPECT_EQ(fault_of(""), StoreFault::unreachable);
  EXPECT_EQ(fault_of("08006"), StoreFault::unreachable);
  EXPECT_EQ(fault_of("57P01"), StoreFault::unreachable);
  EXPECT_EQ(fault_of("25P03"), StoreFault::unreachable);
  EXPECT_EQ(fault_of("53100"), StoreFault::full);
  EXPECT_EQ(fault_of("53200"), StoreFault::busy);
  EXPECT_EQ(fault_of("55P03"), StoreFault::busy);
  EXPECT_EQ(fault_of("57014"), StoreFault::busy);
  EXPECT_EQ(fault_of("40001"), StoreFault::busy);
  EXPECT_EQ(fault_of("25006"), StoreFault::read_only);
  EXPECT_EQ(fault_of("42501"), StoreFault::read_only);
  EXPECT_EQ(fault_of("23505"), StoreFault::corrupt);
  EXPECT_EQ(fault_of("42P01"), StoreFault::corrupt);
  EXPECT_EQ(fault_of("XX001"), StoreFault::corrupt);
  EXPECT_EQ(fault_of("0A000"), StoreFault::unsuitable);
}

}  // namespace
}  // namespace postgres_place_test
