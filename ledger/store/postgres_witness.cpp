// A witness in PostgreSQL.
#include "ledger/fault_point.h"
#include "ledger/store/postgres_location.h"
#include "ledger/store/postgres_pool.h"
#include "ledger/store/postgres_schema.h"
#include "ledger/store/witness.h"
#include "renyi/error.h"

namespace renyi::ledger {

namespace postgres_witness_file {
namespace {

class PostgresWitness final : public Witness {
 public:
  PostgresWitness(PostgresLocation location, bool may_create, std::chrono::milliseconds patience)
      : pool_(std::move(location), patience) {
    const std::string& schema = pool_.location().schema;
    const auto sql = [&](const char* text) { return in_postgres_schema(text, schema); };
    if (may_create) {
      pool_.borrow()->script(
          sql("CREATE SCHEMA IF NOT EXISTS @; CREATE TABLE IF NOT EXISTS @.witnessed "
              "(ledger text PRIMARY KEY, entry bigint NOT NULL, hash text NOT NULL)"));
    }
    record_ = {"witness_record", sql("INSERT INTO @.witnessed AS known VALUES ($1, $2, $3) ON CONFLICT (ledger) "
                                     "DO UPDATE SET entry = excluded.entry, hash = excluded.hash "
                                     "WHERE known.entry < excluded.entry")};
    last_ = {"witness_last", sql("SELECT entry, hash FROM @.witnessed WHERE ledger = $1")};
  }

  LogEnd record(const std::string& ledger, const LogEnd& end) override {
    fault_point("witness.before_record");
    // The setting of the server may be weaker; the commit of this statement waits for the disk.
    static const PostgresStatement durable{"witness_durable", "SELECT set_config('synchronous_commit', 'on', false)"};
    {
      const PostgresPool::Loan connection = pool_.borrow();
      connection->run(durable);
      connection->run(record_, PostgresParameters().text(ledger).number(end.entry).text(end.hash));
    }
    fault_point("witness.recorded");
    return last(ledger).value_or(end);
  }

  std::optional<LogEnd> last(const std::string& ledger) override {
    const PostgresRows rows = pool_.borrow()->run(last_, PostgresParameters().text(ledger));
    if (rows.count() == 0) return {};
    return LogEnd{rows.number(0, 0), rows.text(0, 1), {}};
  }

 private:
  PostgresPool pool_;
  PostgresStatement record_, last_;
};

}  // namespace
}  // namespace postgres_witness_file

// The ledger stores where its witness is, so that a location must not have a password in it.
std::unique_ptr<Witness> open_postgres_witness(const std::string& location, bool may_create,
                                               std::chrono::milliseconds patience) {
  PostgresLocation read = read_postgres_location(location, patience);
  if (!read.address.secrets.empty()) {
    throw InvalidArgument("witness", "a location with a password",
                          "one without: libpq takes passwords from a password file or from PGPASSWORD");
  }
  return std::make_unique<postgres_witness_file::PostgresWitness>(std::move(read), may_create, patience);
}

}  // namespace renyi::ledger
