#include "ledger/log/replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "digest/sha256.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::ledger {

Replay Replay::of_lines(const std::string& lines, const std::optional<LedgerHead>& kept) {
  Replay replay(kept);
  replay.keeps_rows_ = true;
  std::size_t begin = 0;
  while (begin < lines.size()) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    if (!replay.take(lines.substr(begin, end - begin), {})) return replay;
    begin = end + 1;
  }
  replay.end();
  return replay;
}

void Replay::fail(std::int64_t entry, std::string fault) {
  result_.valid = false;
  result_.wrong_entry = entry;
  result_.fault = std::move(fault);
}

bool Replay::take(const std::string& text, const std::string& hash) {
  if (!result_.valid) return false;
  stop_if_asked();
  try {
    check(text, hash);
  } catch (const StoreFailure&) {
    throw;
  } catch (const LimitReached&) {
    throw;  // it says nothing about the log
  } catch (const Error& error) {
    fail(result_.entries, error.what());
  }
  return result_.valid;
}

void Replay::check(const std::string& text, const std::string& hash) {
  const std::int64_t number = result_.entries;
  const std::string digest = digest::sha256(text);
  if (!hash.empty() && hash != digest) return fail(number, "the text is not that of the stored hash");
  entry_ = read_entry(text);
  const Entry& entry = entry_;
  if (entry.number != number) return fail(number, fmt::format("an entry with the number {}", entry.number));
  if (entry.previous != last_hash_) return fail(number, "the hash of the entry before is another one");
  const std::string key = recorded_key(entry.request);
  if (!key.empty() && !keys_.insert(key).second)
    return fail(number, fmt::format("the key \"{}\" was used before", key));
  book_.replay(entry, digest);
  if (kept_ && number == kept_->entry && digest != kept_->hash) {
    return fail(number, "the entry is not the one of the head that was kept");
  }
  if (ledgers_.empty() || ledgers_.back() != book_.ledger_id()) ledgers_.push_back(book_.ledger_id());
  if (entry.time < last_time_ && result_.notes.size() < 10) {
    result_.notes.push_back(
        fmt::format("entry {} is of {}, before the entry before it: a clock has jumped", number, entry.time));
  }
  last_hash_ = digest;
  last_time_ = entry.time;
  if (keeps_rows_) rows_.push_back({number, digest, text, key, entry.request.scope, entry.request.person, entry.time});
  ++result_.entries;
  result_.head = {book_.ledger_id(), number, digest};
}

void Replay::end() {
  if (!result_.valid) return;
  if (result_.entries == 0) return fail(-1, "the log has no entries");
  if (!kept_) return;
  if (kept_->entry >= result_.entries) {
    return fail(result_.entries, fmt::format("the head that was kept is entry {}: entries were cut off", kept_->entry));
  }
  if (!kept_->ledger.empty() && std::find(ledgers_.begin(), ledgers_.end(), kept_->ledger) == ledgers_.end()) {
    fail(-1, "the head that was kept is of another ledger");
  }
}

void Replay::resume(const std::optional<LedgerHead>& kept) {
  kept_ = kept;
  keys_.clear();
  result_.resumed_after = result_.head.entry;
  result_.notes.clear();
}

// Secrets of reservations are not in the log: those that were not opened can only be cancelled, or expire.
Changes Replay::continue_with(const Request& request, const std::string& time) {
  Entry entry{.number = result_.entries, .previous = last_hash_, .time = time, .request = request};
  const std::string text = text_of(entry, text_of(request));
  const std::string hash = digest::sha256(text);
  book_.replay(entry, hash);
  rows_.push_back({entry.number, hash, text, request.key, {}, {}, time});
  Changes changes = book_.take_changes();
  for (TicketRow& row : changes.tickets) row.secret.clear();
  changes.entries = std::move(rows_);
  return changes;
}

}  // namespace renyi::ledger
