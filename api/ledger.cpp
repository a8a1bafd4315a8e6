#include "api/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "renyi/error.h"

namespace renyi::api {

namespace ledger_file {
namespace {

// The guarantee of a scope is that of its cap.
void add_guarantee(ShownScope& scope, double delta) {
  const ScopeSettings& settings = scope.state.settings;
  scope.guaranteed = epsilon(guarantee(settings.cap.value_or(settings.budget), scope.state.relation.neighbors), delta);
}

ShownScope shown(const LedgerRequest& asked, ScopeState state) {
  ShownScope scope{.state = std::move(state)};
  if (asked.delta) add_guarantee(scope, *asked.delta);
  if (asked.burn_down_by) scope.burn_down = asked.ledger->burn_down(scope.state.name, *asked.burn_down_by);
  return scope;
}

LedgerAnswer show(const LedgerRequest& asked) {
  LedgerShown answer{.head = asked.ledger->head(), .has_witness = asked.ledger->has_witness()};
  if (!asked.scope.empty()) {
    answer.scopes.push_back(shown(asked, asked.ledger->scope(asked.scope)));
    answer.scopes.back().blocks = asked.ledger->blocks(asked.scope);
    return answer;
  }
  for (ScopeState& state : asked.ledger->scopes()) answer.scopes.push_back(shown(asked, std::move(state)));
  return answer;
}

LedgerAnswer history(const LedgerRequest& asked) {
  std::vector<LedgerEntry> entries;
  asked.ledger->history(asked.history, [&](const LedgerEntry& entry) { entries.push_back(entry); });
  return entries;
}

// A head whose signature is not that of the key says nothing.
LedgerAnswer verify(const LedgerRequest& asked) {
  if (!asked.public_key.empty() && !is_signed(*asked.kept, asked.signature, asked.public_key)) {
    return LedgerVerification{.valid = false, .fault = "the signature of the head is not one of the public key"};
  }
  LedgerVerification result =
      asked.ledger ? asked.ledger->verify(asked.kept, asked.verify_from) : verify_log(asked.lines, asked.kept);
  if (!asked.public_key.empty()) {
    result.notes.emplace_back("the signature of the head is valid");
  } else if (!asked.signature.empty()) {
    result.notes.emplace_back("the signature of the head was not checked: there is no public key");
  }
  return result;
}

LedgerAnswer head(const LedgerRequest& asked) {
  ShownHead answer{.head = asked.ledger->head()};
  if (!asked.private_key.empty()) answer.signature = sign_head(answer.head, asked.private_key);
  return answer;
}

// A new ledger answers with its last entry, which made it.
LedgerAnswer made(const Ledger& ledger) {
  Receipt receipt;
  const HistoryFilter last{.after = ledger.head().entry - 1};
  ledger.history(last, [&](const LedgerEntry& entry) { receipt = receipt_of(entry); });
  return receipt;
}

// ---- Servers.

LedgerAnswer ask(LedgerServer& server, LedgerVerb verb, const Document& members, const std::string& key = {}) {
  return read_ledger_answer(verb, server.ask(to_string(verb), members.text(), key));
}

// Nobody else knows a key that was made here: what is repeated under it is an earlier attempt of this very call, whose
// answer was lost.
void forget_repetition(LedgerAnswer& answer) {
  if (auto* receipt = std::get_if<Receipt>(&answer)) receipt->repeated = false;
  if (auto* receipts = std::get_if<std::vector<Receipt>>(&answer)) {
    for (Receipt& receipt : *receipts) receipt.repeated = false;
  }
}

constexpr std::int64_t page = 1000;  // entries that a server is asked for at once

// `most` is 0 for all entries.
void visit_pages(LedgerServer& server, Document members, std::int64_t after, std::int64_t most,
                 const std::function<void(const LedgerEntry&)>& visit) {
  for (std::int64_t count = 0; most == 0 || count < most;) {
    const std::int64_t size = most == 0 ? page : std::min(page, most - count);
    members.set("after", after).set("most", size);
    const LedgerAnswer answer = ask(server, LedgerVerb::history, members);
    const auto& entries = std::get<std::vector<LedgerEntry>>(answer);
    for (const LedgerEntry& entry : entries) visit(entry);
    if (static_cast<std::int64_t>(entries.size()) < size) return;
    after = entries.back().entry;
    count += size;
  }
}

// The last entries are asked for from the newest page on.
std::vector<LedgerEntry> last_entries(LedgerServer& server, Document members, std::int64_t last) {
  std::vector<LedgerEntry> found;
  while (static_cast<std::int64_t>(found.size()) < last) {
    const std::int64_t size = std::min(page, last - static_cast<std::int64_t>(found.size()));
    members.set("last", size);
    LedgerAnswer answer = ask(server, LedgerVerb::history, members);
    auto& entries = std::get<std::vector<LedgerEntry>>(answer);
    const bool is_all = static_cast<std::int64_t>(entries.size()) < size;
    found.insert(found.begin(), std::make_move_iterator(entries.begin()), std::make_move_iterator(entries.end()));
    if (is_all) break;
    members.set("before", found.front().entry);
  }
  return found;
}

LedgerAnswer ask_server(const LedgerRequest& asked) {
  if (asked.verb == LedgerVerb::history) {
    if (asked.history.last != 0) return last_entries(*asked.server, asked.members, asked.history.last);
    std::vector<LedgerEntry> entries;
    visit_pages(*asked.server, asked.members, asked.history.after, asked.history.most,
                [&](const LedgerEntry& entry) { entries.push_back(entry); });
    return entries;
  }
  const bool has_own_key = is_writing(asked.verb) && asked.call.key.empty();
  LedgerAnswer answer =
      ask(*asked.server, asked.verb, asked.members, has_own_key ? asked.server->new_key() : asked.call.key);
  if (has_own_key) forget_repetition(answer);
  if (auto* head = std::get_if<ShownHead>(&answer); head != nullptr && !asked.private_key.empty()) {
    head->signature = sign_head(head->head, asked.private_key);
  }
  if (auto* shown = std::get_if<LedgerShown>(&answer); shown != nullptr && asked.delta) {
    for (ShownScope& scope : shown->scopes) add_guarantee(scope, *asked.delta);
  }
  return answer;
}

LedgerAnswer charge(const LedgerRequest& asked) {
  std::vector<Receipt> receipts = asked.ledger->charge_all(asked.charges);
  if (asked.is_list) return receipts;
  return std::move(receipts.front());
}

}  // namespace
}  // namespace ledger_file

std::string_view to_string(LedgerVerb verb) noexcept {
  switch (verb) {
    case LedgerVerb::init: return "init";
    case LedgerVerb::scope: return "scope";
    case LedgerVerb::blocks: return "blocks";
    case LedgerVerb::lower: return "lower";
    case LedgerVerb::raise: return "raise";
    case LedgerVerb::reserve: return "reserve";
    case LedgerVerb::open: return "open";
    case LedgerVerb::commit: return "commit";
    case LedgerVerb::cancel: return "cancel";
    case LedgerVerb::charge: return "charge";
    case LedgerVerb::may_run: return "may-run";
    case LedgerVerb::show: return "show";
    case LedgerVerb::ticket: return "ticket";
    case LedgerVerb::history: return "history";
    case LedgerVerb::verify: return "verify";
    case LedgerVerb::head: return "head";
    case LedgerVerb::export_log: return "export";
    case LedgerVerb::import_log: return "import";
  }
  return "";
}

std::string in_words(const LedgerUpgrade& upgrade) {
  const std::string kept =
      upgrade.backup.empty() ? "" : fmt::format("; the file as it was before is {}", upgrade.backup);
  return fmt::format("the tables of the ledger were brought from version {} to version {}{}", upgrade.from, upgrade.to,
                     kept);
}

LedgerAnswer answer(const LedgerRequest& asked) {
  if (asked.server) return ledger_file::ask_server(asked);
  Ledger* ledger = asked.ledger.get();
  switch (asked.verb) {
    case LedgerVerb::init: return ledger_file::made(Ledger::create(asked.location, asked.options));
    case LedgerVerb::import_log: return ledger_file::made(import_ledger(asked.lines, asked.location, asked.options));
    case LedgerVerb::scope: return ledger->add_scope(asked.scope, asked.settings, asked.call);
    case LedgerVerb::blocks: return ledger->add_blocks(asked.scope, asked.blocks, asked.call);
    case LedgerVerb::lower: return ledger->lower_budget(asked.scope, asked.budget, asked.call);
    case LedgerVerb::raise: return ledger->raise_budget(asked.scope, asked.budget, asked.reason, asked.call);
    case LedgerVerb::charge: return ledger_file::charge(asked);
    case LedgerVerb::may_run: return ledger->may_run(asked.charges.front().request);
    case LedgerVerb::reserve: return ledger->reserve(asked.charges.front().request, asked.expires_in, asked.call);
    case LedgerVerb::open: return ledger->open(asked.ticket, asked.secret, asked.call);
    case LedgerVerb::commit: return ledger->commit(asked.ticket, asked.output, asked.call);
    case LedgerVerb::cancel: return ledger->cancel(asked.ticket, asked.call);
    case LedgerVerb::ticket: return ShownTicket{ledger->ticket(asked.ticket), ledger->output(asked.ticket)};
    case LedgerVerb::show: return ledger_file::show(asked);
    case LedgerVerb::history: return ledger_file::history(asked);
    case LedgerVerb::verify: return ledger_file::verify(asked);
    case LedgerVerb::head: return ledger_file::head(asked);
    case LedgerVerb::export_log: break;
  }
  LedgerLines log{asked.lines};
  if (ledger == nullptr) return log;
  ledger->history({}, [&](const LedgerEntry& entry) { log.lines += entry.text + '\n'; });
  return log;
}

std::vector<ScopeBalances> left_for_charge(const LedgerRequest& asked) {
  if (!asked.server) return asked.ledger->balances(asked.charges.front().request);
  Document members = asked.members;
  for (const char* key : {"person", "comment", "expires_in"}) members.erase(key);
  return std::get<Receipt>(ledger_file::ask(*asked.server, LedgerVerb::may_run, members)).left;
}

std::vector<BurnDownPoint> burn_down(const LedgerRequest& asked, BurnDownBy by) {
  if (!asked.server) return asked.ledger->burn_down(asked.scope, by);
  Document members;
  members.set("scope", asked.scope);
  members.set("burn_down", by == BurnDownBy::entry ? "entry" : by == BurnDownBy::hour ? "hour" : "day");
  const LedgerAnswer shown = ledger_file::ask(*asked.server, LedgerVerb::show, members);
  return std::get<LedgerShown>(shown).scopes.at(0).burn_down.value_or(std::vector<BurnDownPoint>());
}

void for_each_entry(const LedgerRequest& asked, const std::function<void(const LedgerEntry&)>& visit) {
  if (!asked.server) return asked.ledger->history({}, visit);
  ledger_file::visit_pages(*asked.server, {}, -1, 0, visit);
}

bool is_export(const std::string& location) {
  std::ifstream file(location, std::ios::binary);
  return file && file.peek() == '{';
}

bool is_something_else(const std::string& location) {
  constexpr std::string_view begin_of_sqlite = "SQLite format 3";
  std::ifstream file(location, std::ios::binary);
  std::string begin(begin_of_sqlite.size(), '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return file.gcount() > 0 && begin.front() != '{' && begin != begin_of_sqlite;
}

std::string log_at(const std::string& location, const LedgerOptions& options) {
  std::string lines;
  if (is_export(location)) {
    std::ostringstream text;
    text << std::ifstream(location, std::ios::binary).rdbuf();
    return text.str();
  }
  read_log(
      location, [&](const LedgerEntry& entry) { lines += entry.text + '\n'; }, options);
  return lines;
}

}  // namespace renyi::api
