#include "ledger/log/verifier.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "digest/sha256.h"
#include "ledger/log/pages.h"

namespace renyi::ledger {

namespace verifier_file {
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
std::string account_fault(View& view, const Book& book, const Changes& proved) {
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
}  // namespace verifier_file

bool StoredLog::resume(View& view, const std::optional<LedgerHead>& kept) {
  const auto is = [&](const LedgerHead& head) {
    const auto row = view.entry(head.entry);
    return row && row->hash == head.hash && digest::sha256(row->text) == head.hash;
  };
  if (!is(replay_.result().head) || (kept && kept->entry <= replay_.result().head.entry && !is(*kept))) return false;
  replay_.resume(kept);
  return true;
}

bool StoredLog::take(const EntryRow& row) {
  if (!replay_.take(row.text, row.hash)) return false;
  const Entry& entry = replay_.entry();
  if (entry.request.verb == Verb::commit && entry.outcome.accepted)
    outputs_[entry.request.ticket] = {entry.request.output_sha256, entry.outcome.output_bytes};
  if (entry.request.verb == Verb::import) {
    for (auto& [ticket, output] : outputs_) output.bytes = 0;
  }
  if (row.key != recorded_key(entry.request) || row.scope != entry.request.scope ||
      row.person != entry.request.person || row.time != entry.time || row.entry != entry.number) {
    replay_.fail(entry.number, "the columns by which the entry is found are not those of its text");
  }
  return replay_.result().valid;
}

std::string StoredLog::output_fault(View& view) const {
  std::int64_t found = 0;
  for (const auto& [ticket, recorded] : outputs_) {
    const auto bytes = view.output(ticket);
    if (!bytes && recorded.bytes > 0) return fmt::format("the stored output of ticket {} was removed", ticket);
    if (!bytes) continue;
    ++found;
    if (digest::sha256(*bytes) != recorded.sha256)
      return fmt::format("the stored output of ticket {} was changed", ticket);
  }
  return view.row_counts().outputs == found ? "" : "there is an output of a ticket that was not committed";
}

std::string StoredLog::derived_fault(View& view) const {
  const Changes proved = replay_.book().changes();
  const RowCounts stored = view.row_counts();
  if (stored.entries != result().entries) return "there are entries that are not in the log";
  std::string fault = verifier_file::scope_fault(view, proved);
  if (fault.empty()) fault = verifier_file::account_fault(view, replay_.book(), proved);
  if (fault.empty()) fault = verifier_file::ticket_fault(view, replay_.book(), proved);
  if (!fault.empty()) return fault;
  if (stored.cells != static_cast<std::int64_t>(proved.cells.size()))
    return "there are sums of a scope that the log does not know";
  if (stored.steps != static_cast<std::int64_t>(proved.steps.size()))
    return "there are steps of a scope that the log does not know";
  if (view.fact("ledger") != result().head.ledger) return "the stored id is not that of the log";
  return output_fault(view);
}

void StoredLog::finish(View& view) {
  replay_.end();
  if (!result().valid) return;
  if (std::string fault = derived_fault(view); !fault.empty()) replay_.fail(-1, std::move(fault));
}

std::optional<StoredLog> Verifier::take_verified() {
  const std::lock_guard lock(mutex_);
  return std::exchange(verified_, std::nullopt);
}

LedgerVerification Verifier::verify(Store& store, const std::optional<LedgerHead>& kept, VerifyFrom from) {
  std::optional<StoredLog> log = from == VerifyFrom::last_verified ? take_verified() : std::nullopt;
  bool resumes = log.has_value();
  std::string damage;
  store.read([&](View& view) {
    resumes = resumes && log->resume(view, kept);
    if (!resumes) damage = view.damage();
  });
  if (!resumes) log.emplace(kept);
  bool is_last = false;
  for (std::vector<EntryRow> page; log->result().valid && !is_last; page.clear()) {
    store.read([&](View& view) {
      const HistoryFilter next{.after = log->result().entries - 1, .most = page_of_entries};
      view.history(next, [&](const EntryRow& row) { page.push_back(row); });
      is_last = static_cast<std::int64_t>(page.size()) < page_of_entries;
      for (const EntryRow& row : page) {
        // Keys of a part that was verified before are those of the store's index.
        if (!resumes || row.key.empty()) continue;
        const auto first = view.entry_by_key(row.key);
        if (!first || first->entry != row.entry) log->fail(row.entry, "its key was used before");
      }
      if (!is_last) return;
      for (const EntryRow& row : page) log->take(row);
      if (log->result().valid) log->finish(view);
    });
    if (is_last) break;
    for (const EntryRow& row : page) {
      if (!log->take(row)) break;
    }
  }
  if (log->result().valid && !damage.empty()) log->fail(-1, std::move(damage));
  LedgerVerification result = log->result();
  if (result.valid) {
    const std::lock_guard lock(mutex_);
    verified_ = std::move(log);
  }
  return result;
}

}  // namespace renyi::ledger
