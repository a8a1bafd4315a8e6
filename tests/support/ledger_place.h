// The stores that tests of the ledger run over, and places in them that are removed afterwards. How much is tried:
// a little, or with RENYI_FAULTS=full everything (`make faults`).
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/temporary_directory.h"

namespace renyi::test {

inline bool all_faults() {
  const char* asked = std::getenv("RENYI_FAULTS");
  return asked != nullptr && std::string_view(asked) == "full";
}

enum class StoreKind { sqlite };

inline const std::vector<StoreKind>& store_kinds() {
  static const std::vector<StoreKind> kinds{StoreKind::sqlite};
  return kinds;
}
// The name of a parameter of tests.
inline std::string name_of(StoreKind kind) { return kind == StoreKind::sqlite ? "Sqlite" : "Postgres"; }

// A place for ledgers in one store.
class LedgerPlace {
 public:
  explicit LedgerPlace(StoreKind kind) : kind_(kind) {}

  [[nodiscard]] StoreKind kind() const { return kind_; }
  // Where a ledger of this name is, or can be made.
  std::string location(const std::string& name) { return directory_.file(name); }
  // A file beside the ledgers.
  [[nodiscard]] std::string file(const std::string& name) const { return directory_.file(name); }

 private:
  StoreKind kind_;
  TemporaryDirectory directory_;
};

}  // namespace renyi::test
