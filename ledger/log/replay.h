// Replays a log from its first entry: chain, form and rules of every entry. The state afterwards is what the log
// proves.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "ledger/log/entry.h"
#include "ledger/rules/book.h"
#include "ledger/store/store.h"

namespace renyi::ledger {

class Replay {
 public:
  explicit Replay(const std::optional<LedgerHead>& kept) : kept_(kept) {}
  // The lines of an export.
  static Replay of_lines(const std::string& lines, const std::optional<LedgerHead>& kept);

  // Takes the next entry. `hash` is what the store says; empty if nothing does. Returns false at the first fault.
  bool take(const std::string& text, const std::string& hash);
  // Continues a valid log after its last entry, with another head. Keys before it are forgotten: the caller sees to it
  // that they are not used again.
  void resume(const std::optional<LedgerHead>& kept);
  // Says that there are no more entries.
  void end();

  const LedgerVerification& result() const noexcept { return result_; }
  const Book& book() const noexcept { return book_; }
  // The last entry that was taken.
  const Entry& entry() const noexcept { return entry_; }
  void fail(std::int64_t entry, std::string fault);

  // Returns everything to store a valid log with one more entry, the import.
  Changes continue_with(const Request& request, const std::string& time);

 private:
  void check(const std::string& text, const std::string& hash);

  std::optional<LedgerHead> kept_;
  LedgerVerification result_{};
  Book book_{std::make_shared<PriceList>()};
  Entry entry_{};
  std::string last_hash_{};
  std::string last_time_{};
  std::unordered_set<std::string> keys_{};
  std::vector<std::string> ledgers_{};  // the ids of the ledger, one after the other
  bool keeps_rows_ = false;
  std::vector<EntryRow> rows_{};
};

}  // namespace renyi::ledger
