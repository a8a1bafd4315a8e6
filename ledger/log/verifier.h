// Verifies what a store has: the log by a replay, and the derived rows by comparison with what the log proves.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ledger/log/replay.h"
#include "ledger/store/store.h"

namespace renyi::ledger {

// The log of a store as far as it was read, and the outputs that it names.
class StoredLog {
 public:
  explicit StoredLog(const std::optional<LedgerHead>& kept) : replay_(kept) {}

  const LedgerVerification& result() const noexcept { return replay_.result(); }
  // Continues a log that was found valid, in which the store says the same entry is the last one that was read. Returns
  // false if it does not.
  bool resume(View& view, const std::optional<LedgerHead>& kept);
  // Takes the next entry. Returns false at the first fault.
  bool take(const EntryRow& row);
  // Says that there are no more entries, and compares the derived rows.
  void finish(View& view);
  void fail(std::int64_t entry, std::string fault) { replay_.fail(entry, std::move(fault)); }

 private:
  std::string derived_fault(View& view) const;
  std::string output_fault(View& view) const;

  Replay replay_;
  struct StoredOutput {
    std::string sha256{};
    std::int64_t bytes = 0;  // 0: the log does not say, or an export without outputs was imported
  };
  std::map<std::int64_t, StoredOutput> outputs_{};  // by ticket
};

class Verifier {
 public:
  // Reads page by page, and the last page together with the derived rows.
  LedgerVerification verify(Store& store, const std::optional<LedgerHead>& kept, VerifyFrom from);

 private:
  std::optional<StoredLog> take_verified();

  std::mutex mutex_{};
  std::optional<StoredLog> verified_{};
};

}  // namespace renyi::ledger
