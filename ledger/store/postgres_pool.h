// The connections of one store. Each transaction borrows one, so that a program of one thread has one connection, and
// one that was lost is replaced by the next call.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ledger/store/postgres_location.h"

namespace renyi::ledger {

class PostgresPool {
 public:
  PostgresPool(PostgresLocation location, std::chrono::milliseconds patience)
      : location_(std::move(location)), patience_(patience) {}

  // A borrowed connection, given back at the end unless it was lost or something is still under way in it.
  class Loan {
   public:
    Loan(PostgresPool& pool, std::unique_ptr<PostgresConnection> connection, bool is_new)
        : pool_(&pool), connection_(std::move(connection)), is_new_(is_new) {}
    Loan(Loan&&) noexcept = default;
    Loan& operator=(Loan&&) = delete;
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan();
    PostgresConnection* operator->() const { return connection_.get(); }
    PostgresConnection& operator*() const { return *connection_; }
    // Whether it was connected for this loan.
    [[nodiscard]] bool is_new() const noexcept { return is_new_; }
    // Ends the transaction that is open, if the connection can.
    void roll_back() noexcept;

   private:
    PostgresPool* pool_;
    std::unique_ptr<PostgresConnection> connection_;
    bool is_new_;
  };

  // Throws StoreFailure: no connection, or a server that cannot keep promises.
  Loan borrow();
  // Drops the connections that nobody uses: the server has ended one of them.
  void drop_idle();

  [[nodiscard]] const PostgresLocation& location() const noexcept { return location_; }

 private:
  static constexpr std::size_t most_idle = 8;
  void check_server(PostgresConnection& connection) const;

  PostgresLocation location_;
  std::chrono::milliseconds patience_;
  std::mutex mutex_{};
  std::vector<std::unique_ptr<PostgresConnection>> idle_{};
};

}  // namespace renyi::ledger
