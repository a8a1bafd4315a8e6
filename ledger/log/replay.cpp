#include "ledger/log/replay.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

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
  const std::string& key = entry.request.key;
  if (!key.empty() && !keys_.insert(key).second)
    return fail(number, fmt::format("the key \"{}\" was used before", key));
  book_.replay(entry, digest);
  if (kept_ && number == kept_->entry && digest != kept_->hash) {
    return fail(number, "the entry is not the one of the head that was kept");
  }
  kept_ledger_seen_ = kept_ledger_seen_ || (kept_ && book_.ledger_id() == kept_->ledger);
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
  if (!kept_->ledger.empty() && !kept_ledger_seen_) fail(-1, "the head that was kept is of another ledger");
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

namespace replay_file {
namespace {

bool is_near(double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

bool are_near(const Sums& a, const Sums& b) {
  if (a.charges != b.charges || a.runs != b.runs || !is_near(a.infinite_mass.upper(), b.infinite_mass.upper()))
    return false;
  for (std::size_t q = 0; q < a.quantities.size(); ++q) {
    for (std::size_t d = 0; d < 2; ++d) {
      if (!is_near(a.quantities[q][d].upper(), b.quantities[q][d].upper())) return false;
    }
  }
  return true;
}

using Counts = std::map<std::string, std::int64_t>;

// Compares the rows of accounts. The replay has not stored anything, so that its changes are everything.
std::string account_fault(View& view, Book& book, const Changes& proved) {
  std::map<std::pair<std::string, std::string>, Counts> counts;
  for (const StepRow& row : proved.steps) counts[{row.scope, row.cell}][row.step] = row.count;
  std::map<std::pair<std::string, std::string>, std::string> sums;
  for (const CellRow& row : proved.cells) sums[{row.scope, row.cell}] = row.sums;
  for (const Scope* scope : book.scopes()) {
    const std::size_t quantities = scope->account->quantities();
    for (const CellRow& row : view.cells(scope->name)) {
      const auto found = sums.find({row.scope, row.cell});
      if (found == sums.end() || !are_near(read_sums(row.sums, quantities), read_sums(found->second, quantities))) {
        return fmt::format("the stored sums of \"{}\" are not those of the log", scope->name);
      }
      Counts stored;
      for (const StepRow& step : view.steps(row.scope, row.cell)) stored[step.step] = step.count;
      if (stored != counts[{row.scope, row.cell}]) {
        return fmt::format("the stored steps of \"{}\" are not those of the log", scope->name);
      }
      sums.erase(found);
    }
  }
  return sums.empty() ? "" : "the stored sums of \"" + sums.begin()->first.first + "\" are missing";
}

std::string scope_fault(View& view, const Changes& proved) {
  const auto stored = view.scopes();
  bool same = stored.size() == proved.scopes.size();
  for (std::size_t i = 0; same && i < stored.size(); ++i) {
    same = stored[i].name == proved.scopes[i].name && stored[i].text == proved.scopes[i].text &&
           stored[i].entry == proved.scopes[i].entry;
  }
  return same ? "" : "the stored scopes are not those of the log";
}

// A secret is stored while its ticket is reserved, unless the log was imported.
bool may_be_secret(const TicketRow& row, const std::map<std::int64_t, std::string>& digests) {
  if (row.secret.empty()) return true;
  const auto recorded = digests.find(row.ticket);
  return recorded != digests.end() && digest::sha256(row.secret) == recorded->second;
}

std::string ticket_fault(View& view, const Book& book, const Changes& proved) {
  std::string fault;
  std::size_t next = 0;
  view.tickets([&](const TicketRow& row) {
    if (!fault.empty()) return;
    const TicketRow* recorded = next < proved.tickets.size() ? &proved.tickets[next++] : nullptr;
    if (recorded == nullptr || recorded->ticket != row.ticket || recorded->state != row.state ||
        recorded->entry != row.entry || recorded->expires != row.expires || recorded->scope != row.scope ||
        !may_be_secret(row, book.secret_digests())) {
      fault = fmt::format("the stored state of ticket {} is not that of the log", row.ticket);
    }
  });
  if (fault.empty() && next != proved.tickets.size()) fault = "a ticket is missing from what is stored";
  return fault;
}

}  // namespace
}  // namespace replay_file

LedgerVerification verify(View& view, const std::optional<LedgerHead>& kept) {
  Replay replay(kept);
  std::map<std::int64_t, std::string> digests;  // outputs, by ticket
  view.entries(0, [&](const EntryRow& row) {
    if (!replay.take(row.text, row.hash)) return false;
    const Entry& entry = replay.entry();
    if (entry.request.verb == Verb::commit && entry.outcome.accepted)
      digests[entry.request.ticket] = entry.request.output_sha256;
    if (row.key != entry.request.key || row.scope != entry.request.scope || row.person != entry.request.person ||
        row.time != entry.time || row.entry != entry.number) {
      replay.fail(entry.number, "the columns by which the entry is found are not those of its text");
    }
    return replay.result().valid;
  });
  replay.end();
  if (!replay.result().valid) return replay.result();
  const Changes proved = replay.book().take_changes();
  std::string fault = replay_file::scope_fault(view, proved);
  if (fault.empty()) fault = replay_file::account_fault(view, replay.book(), proved);
  if (fault.empty()) fault = replay_file::ticket_fault(view, replay.book(), proved);
  std::int64_t outputs = 0;
  for (const auto& [ticket, recorded] : digests) {
    if (!fault.empty()) break;
    const auto bytes = view.output(ticket);
    if (!bytes) continue;
    ++outputs;
    if (digest::sha256(*bytes) != recorded) fault = fmt::format("the stored output of ticket {} was changed", ticket);
  }
  if (fault.empty()) fault = view.damage();
  const RowCounts stored = view.row_counts();
  if (fault.empty() && stored.cells != static_cast<std::int64_t>(proved.cells.size()))
    fault = "there are sums of a scope that the log does not know";
  if (fault.empty() && stored.steps != static_cast<std::int64_t>(proved.steps.size()))
    fault = "there are steps of a scope that the log does not know";
  if (fault.empty() && stored.outputs != outputs) fault = "there is an output of a ticket that was not committed";
  if (fault.empty() && view.fact("ledger") != replay.result().head.ledger)
    fault = "the stored id is not that of the log";
  if (!fault.empty()) replay.fail(-1, std::move(fault));
  return replay.result();
}

}  // namespace renyi::ledger
