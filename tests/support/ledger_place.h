// The stores that tests of the ledger run over, and places in them that are removed afterwards. How much is tried:
// a little, or with RENYI_FAULTS=full everything (`make faults`).
#pragma once

#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "support/postgres_server.h"
#include "support/temporary_directory.h"

namespace renyi::test {

inline bool all_faults() {
  const char* asked = std::getenv("RENYI_FAULTS");
  return asked != nullptr && std::string_view(asked) == "full";
}

enum class StoreKind { sqlite, postgres };

inline const std::vector<StoreKind>& store_kinds() {
  static const std::vector<StoreKind> kinds{StoreKind::sqlite, StoreKind::postgres};
  return kinds;
}
// The name of a parameter of tests.
inline std::string name_of(StoreKind kind) { return kind == StoreKind::sqlite ? "Sqlite" : "Postgres"; }

// A place for ledgers in one store.
class LedgerPlace {
 public:
  explicit LedgerPlace(StoreKind kind) : kind_(kind) {}
  // Another server than the one that tests share.
  explicit LedgerPlace(const PostgresServer& server) : kind_(StoreKind::postgres), server_(&server) {}

  [[nodiscard]] StoreKind kind() const { return kind_; }
  // Where a ledger of this name is, or can be made.
  std::string location(const std::string& name) {
    if (kind_ == StoreKind::sqlite) return directory_.file(name);
    return server().uri("place" + std::to_string(number_) + "_" + name);
  }
  // A file beside the ledgers.
  [[nodiscard]] std::string file(const std::string& name) const { return directory_.file(name); }
  [[nodiscard]] const PostgresServer& server() const {
    return server_ != nullptr ? *server_ : PostgresServer::shared();
  }

 private:
  static int next_number() {
    static std::atomic<int> count = 0;
    return ++count;
  }

  StoreKind kind_;
  const PostgresServer* server_ = nullptr;
  int number_ = next_number();
  TemporaryDirectory directory_;
};

}  // namespace renyi::test
