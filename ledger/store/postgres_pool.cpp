#include "ledger/store/postgres_pool.h"

#include <exception>

namespace renyi::ledger {

PostgresPool::Loan::~Loan() {
  if (!connection_ || !connection_->is_usable()) return;
  const std::lock_guard lock(pool_->mutex_);
  if (pool_->idle_.size() < most_idle) pool_->idle_.push_back(std::move(connection_));
}

void PostgresPool::Loan::roll_back() noexcept {
  static const PostgresStatement end{"rollback", "ROLLBACK"};
  try {
    if (connection_ && connection_->is_usable()) connection_->run(end);
  } catch (const std::exception&) {
    connection_.reset();  // the server ends the transaction of a connection that is closed
  }
}

PostgresPool::Loan PostgresPool::borrow() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<PostgresConnection> connection = std::move(idle_.back());
      idle_.pop_back();
      return {*this, std::move(connection), false};
    }
  }
  auto connection = std::make_unique<PostgresConnection>(location_.address, patience_);
  check_server(*connection);
  return {*this, std::move(connection), true};
}

void PostgresPool::drop_idle() {
  std::vector<std::unique_ptr<PostgresConnection>> dropped;
  const std::lock_guard lock(mutex_);
  dropped.swap(idle_);
}

void PostgresPool::check_server(PostgresConnection& connection) const {
  // Names are found in pg_catalog only, or are qualified by the schema.
  static const PostgresStatement question{
      "server",
      "SELECT set_config('search_path', 'pg_catalog', false), current_setting('server_version_num')::bigint, "
      "current_setting('fsync'), current_setting('full_page_writes'), current_setting('server_encoding')"};
  const PostgresRows server = connection.run(question);
  const auto refuse = [](const std::string& why, const std::string& instead) {
    throw StoreFailure(StoreFault::unsuitable, "the PostgreSQL server " + why, instead);
  };
  if (server.number(0, 1) < 140000) refuse("is older than version 14", "use version 15");
  if (server.text(0, 2) != "on") refuse("has fsync off and loses data in a crash", "set fsync = on");
  if (server.text(0, 3) != "on") {
    refuse("has full_page_writes off and may damage data in a crash", "set full_page_writes = on");
  }
  if (server.text(0, 4) != "UTF8")
    refuse("keeps this database in another encoding than UTF8", "use a database in UTF8");
}

}  // namespace renyi::ledger
