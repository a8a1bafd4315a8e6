#include "apps/server/ledger_routes.h"

#include <algorithm>
#include <thread>
#include <variant>
#include <vector>

#include "api/api.h"
#include "api/ledger.h"
#include "apps/server/responses.h"
#include "apps/server/roles.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::server {

namespace ledger_routes_file {
namespace {

using Verb = api::LedgerVerb;

constexpr std::int64_t most_entries = 10'000;    // that one answer of history has, or of a burn-down by entries
constexpr std::int64_t most_exported = 100'000;  // an answer is made in memory
constexpr int most_long_calls = 2;
constexpr std::size_t most_read_at_once = 16U << 10U;  // bytes of a body that is read without a turn
constexpr std::size_t most_distinct_steps = 2000;      // that one call prices
constexpr std::size_t most_counts = 5000;              // counts of steps that one call changes while others wait

std::string key_in(const HttpRequest& request) {
  constexpr const char* header = "Idempotency-Key";
  constexpr std::size_t longest = 200;
  const std::string* key = request.header(header);
  const std::string allowed =
      "Idempotency-Key: allowed: 1 to 200 visible characters of ASCII, the same whenever the call is repeated";
  if (key == nullptr || request.is_repeated(header)) throw Refused("invalid_argument", allowed, header);
  const bool is_visible = std::all_of(key->begin(), key->end(), [](char c) { return c > 0x20 && c < 0x7f; });
  if (key->empty() || key->size() > longest || !is_visible) throw Refused("invalid_argument", allowed, header);
  return *key;
}

[[noreturn]] void refuse_scope() {
  // It is not said whether there is such a scope or ticket.
  throw Refused("forbidden", "scope: not one of the scopes of this token", "scope");
}

bool has_ticket(Verb verb) {
  return verb == Verb::open || verb == Verb::commit || verb == Verb::cancel || verb == Verb::ticket;
}

// An analyst names its scopes, or a ticket in one of them, before anything is looked up.
void check_scopes(const api::Document& body, Verb verb, const api::Token& token, const Ledger& ledger) {
  if (token.role != api::Role::analyst) return;
  for (const std::string& scope : api::scopes_named(body)) {
    if (!covers(token, scope)) refuse_scope();
  }
  if (!has_ticket(verb)) return;
  std::string scope;
  try {
    scope = ledger.ticket(api::ticket_named(body)).scope;
  } catch (const InvalidArgument&) {
    scope.clear();
  }
  if (!covers(token, scope)) refuse_scope();
}

// The entries of all scopes of an analyst, each once, in the order of the log: the first ones, or the last.
std::vector<LedgerEntry> history(const api::LedgerRequest& asked, const api::Token& token) {
  const bool is_bound = token.role == api::Role::analyst && asked.history.scope.empty();
  HistoryFilter filter = asked.history;
  std::int64_t& size = filter.last != 0 ? filter.last : filter.most;
  size = size == 0 ? most_entries : std::min(size, most_entries);
  std::vector<LedgerEntry> entries;
  for (const std::string& scope : is_bound ? token.scopes : std::vector<std::string>{asked.history.scope}) {
    filter.scope = scope;
    try {
      asked.ledger->history(filter, [&](const LedgerEntry& entry) { entries.push_back(entry); });
    } catch (const InvalidArgument&) {
      if (!is_bound) throw;  // a scope of the token that does not exist yet has no entries
    }
  }
  std::sort(entries.begin(), entries.end(), [](const auto& one, const auto& other) { return one.entry < other.entry; });
  entries.erase(std::unique(entries.begin(), entries.end(),
                            [](const auto& one, const auto& other) { return one.entry == other.entry; }),
                entries.end());
  if (entries.size() > static_cast<std::size_t>(size)) {
    const auto superfluous = static_cast<std::ptrdiff_t>(entries.size()) - size;
    const auto from = filter.last != 0 ? entries.begin() : entries.end() - superfluous;
    entries.erase(from, from + superfluous);
  }
  return entries;
}

// A burn-down by entries has a point for each of them, which takes some kilobytes.
void check_points(const api::LedgerRequest& asked, const Ledger& ledger) {
  if (asked.burn_down_by != BurnDownBy::entry || ledger.head().entry <= most_entries) return;
  throw Refused(
      "too_large",
      "burn_down: entry, in a log of more than " + std::to_string(most_entries) + " entries; allowed: hour, day",
      "burn_down");
}

// A step has a count in each block, of the scope and of all above.
void check_size(const api::LedgerRequest& asked) {
  std::size_t steps = 0, counts = 0;
  for (const Ledger::Charge& charge : asked.charges) {
    const ChargeRequest& request = charge.request;
    const std::size_t own = request.steps.merged().size();
    const auto levels = 1 + static_cast<std::size_t>(std::count(request.scope.begin(), request.scope.end(), '/'));
    steps += own;
    counts += own * levels * std::max<std::size_t>(1, request.blocks.size());
  }
  const auto refuse = [](const std::string& what, std::size_t most) {
    throw Refused("too_large", "steps: " + what + "; allowed in one call: " + std::to_string(most), "steps");
  };
  if (steps > most_distinct_steps) refuse(std::to_string(steps) + " different steps", most_distinct_steps);
  if (is_writing(asked.verb) && counts > most_counts) {
    refuse(std::to_string(counts) + " counts, one of each step in each block of each scope", most_counts);
  }
}

// Which limit of pricing was reached. Nothing was recorded.
[[noreturn]] void refuse_pricing(const LimitReached& error) {
  switch (error.limit()) {
    case Limit::time:
      throw Refused("limit_reached", "steps: pricing them takes more than 2 s of the processor; allowed: less",
                    "steps");
    case Limit::memory:
      throw Refused("limit_reached", "steps: pricing them takes more than 256 MiB of memory; allowed: less", "steps");
    case Limit::interruption: break;
  }
  throw Refused("unavailable", "the server stops; try again");
}

api::LedgerAnswer perform(const api::LedgerRequest& asked, const api::Token& token) {
  check_size(asked);
  if (asked.verb == Verb::history) return history(asked, token);
  if (asked.verb == Verb::export_log && asked.ledger->head().entry > most_exported) {
    throw Refused("unsupported",
                  "export: the log has more than 100000 entries; read it by history with \"after\", or by "
                  "renyi ledger export where the ledger lies");
  }
  api::LedgerAnswer answer = api::answer(asked);
  if (auto* shown = std::get_if<api::LedgerShown>(&answer)) {
    std::erase_if(shown->scopes, [&](const api::ShownScope& scope) { return !covers(token, scope.state.name); });
  }
  if (auto* receipt = std::get_if<Receipt>(&answer); receipt != nullptr && asked.verb == Verb::may_run) {
    // An analyst is told about its own scopes, and about the one that would refuse.
    std::erase_if(receipt->left, [&](const ScopeBalances& left) {
      return !covers(token, left.scope) && left.scope != receipt->refused_by;
    });
  }
  return answer;
}

bool is_refusal(const api::LedgerAnswer& answer) {
  if (const auto* receipt = std::get_if<Receipt>(&answer)) return !receipt->accepted;
  if (const auto* receipts = std::get_if<std::vector<Receipt>>(&answer)) {
    return std::any_of(receipts->begin(), receipts->end(), [](const Receipt& receipt) { return !receipt.accepted; });
  }
  return false;
}

// Counts a call that reads the whole log as long as it lasts.
class LongCall {
 public:
  explicit LongCall(std::atomic<int>& count) : count_(count) {
    if (count_.fetch_add(1) < most_long_calls) return;
    --count_;
    throw Refused("unavailable", "the log is being read as often as this server allows; try again");
  }
  LongCall(const LongCall&) = delete;
  LongCall& operator=(const LongCall&) = delete;
  ~LongCall() { --count_; }

 private:
  std::atomic<int>& count_;
};

}  // namespace
}  // namespace ledger_routes_file

LedgerRoutes::LedgerRoutes(std::shared_ptr<Ledger> ledger, std::size_t threads)
    : ledger_(std::move(ledger)),
      pricing_(std::max(1U, std::thread::hardware_concurrency() / 2), std::max<std::size_t>(1, threads / 8)) {}

LedgerRoutes::Answer LedgerRoutes::call(std::string_view verb_name, const HttpRequest& request, const Caller& caller,
                                        const std::function<bool()>& is_stopping) {
  using namespace ledger_routes_file;
  const auto verb = api::ledger_verb(verb_name);
  const VerbRule* rule = verb ? rule_of(*verb) : nullptr;
  if (rule == nullptr) throw Refused("not_found", "there is no such verb of a ledger here");
  if (!may(caller.token.role, *rule)) {
    throw Refused("forbidden",
                  "the role " + std::string(to_string(caller.token.role)) + " may not call " + std::string(verb_name));
  }
  api::LedgerCall call{.verb = *verb, .ledger = ledger_, .person = caller.token.name, .lineage = caller.token.lineage};
  if (api::is_writing(*verb)) call.key = key_in(request);
  PricingSlots::Turn turn(pricing_, caller.token.id, is_stopping);
  if (request.body.size() > most_read_at_once) turn.begin();
  const api::Document body = request.body.empty() ? api::Document() : api::read(request.body);
  check_scopes(body, *verb, caller.token, *ledger_);
  std::optional<LongCall> long_call;
  if (*verb == Verb::verify || *verb == Verb::export_log || body.has("burn_down")) long_call.emplace(long_calls_);
  Answer answer;
  const LimitScope limits(turn.limits(long_call.has_value()));
  try {
    answer.text = api::answer_call(body, call, [&](const api::LedgerRequest& asked) {
      check_points(asked, *ledger_);
      api::LedgerAnswer found = perform(asked, caller.token);
      answer.refused_by_budget = is_writing(*verb) && is_refusal(found);
      return found;
    });
  } catch (const LimitReached& error) {
    refuse_pricing(error);
  }
  return answer;
}

}  // namespace renyi::server
