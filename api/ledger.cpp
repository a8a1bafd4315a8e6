#include "api/ledger.h"

#include <fstream>
#include <sstream>
#include <utility>

#include "renyi/error.h"

namespace renyi::api {

namespace ledger_file {
namespace {

ShownScope shown(const LedgerRequest& asked, ScopeState state) {
  ShownScope scope{.state = std::move(state)};
  const ScopeSettings& settings = scope.state.settings;
  if (asked.delta) {
    scope.guaranteed =
        epsilon(guarantee(settings.cap.value_or(settings.budget), scope.state.relation.neighbors), *asked.delta);
  }
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
  LedgerVerification result = asked.ledger ? asked.ledger->verify(asked.kept) : verify_log(asked.lines, asked.kept);
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

LedgerAnswer answer(const LedgerRequest& asked) {
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
