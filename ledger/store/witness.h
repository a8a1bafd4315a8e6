// A witness: a second file or database that remembers how far a ledger has come, so that an old copy of the ledger, or
// a rewritten one, is noticed.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ledger/store/store.h"

namespace renyi::ledger {

class Witness {
 public:
  virtual ~Witness() = default;
  // Remembers an entry of a ledger, on the disk, unless the same or a later one is remembered already. Returns what is
  // remembered then.
  virtual LogEnd record(const std::string& ledger, const LogEnd& end) = 0;
  // Returns the last entry that is remembered.
  virtual std::optional<LogEnd> last(const std::string& ledger) = 0;
};

// Opens a witness; makes it if `may_create` and it is missing. One witness serves any number of ledgers.
std::unique_ptr<Witness> open_witness(const std::string& location, bool may_create, std::chrono::milliseconds patience);

std::unique_ptr<Witness> open_postgres_witness(const std::string& location, bool may_create,
                                               std::chrono::milliseconds patience);
std::unique_ptr<Witness> open_sqlite_witness(const std::string& path, bool may_create,
                                             std::chrono::milliseconds patience);

}  // namespace renyi::ledger
