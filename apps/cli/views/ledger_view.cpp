#include "apps/cli/views/ledger_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "api/number_text.h"
#include "api/relation_text.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/filter_view.h"

namespace renyi::cli {
namespace ledger_view_file {
namespace {

using api::rounded_down;
using api::rounded_up;
using api::short_decimal;

std::string left_of(const Balance& balance) {
  return balance.within ? rounded_down(balance.left) : std::string("none: above the limit");
}

// Where squares add up, limit and spent do not show what is left. The numbers of the kinds gdp and approx tell them
// from others: only gdp has mu, and only approx has a balance of the name epsilon whose left is no difference.
bool is_root(const Balance& balance) {
  const bool may_be = balance.name == "mu" || balance.name == "epsilon";
  return may_be && balance.within && balance.spent > 0 && balance.left > 1.0001 * (balance.limit - balance.spent);
}

constexpr const char* note_on_roots = "  left: the largest cost of one more step, where squares add up (mu, approx)\n";

// Rows of balances, each with the scope that they belong to, and with what a charge costs there.
std::string balance_table(const std::vector<ScopeBalances>& scopes) {
  const bool has_costs = std::any_of(scopes.begin(), scopes.end(), [](const auto& one) { return !one.costs.empty(); });
  std::vector<std::vector<std::string>> rows{{"scope", "", "limit"}};
  if (has_costs) rows[0].emplace_back("cost");
  rows[0].insert(rows[0].end(), {"spent", "left"});
  bool has_roots = false;
  for (const ScopeBalances& scope : scopes) {
    std::string name = scope.scope;
    for (std::size_t i = 0; i < scope.balances.size(); ++i) {
      const Balance& balance = scope.balances[i];
      rows.push_back({std::exchange(name, ""), balance.name, rounded_down(balance.limit)});
      if (has_costs) rows.back().push_back(i < scope.costs.size() ? rounded_up(scope.costs[i]) : "");
      rows.back().insert(rows.back().end(), {rounded_up(balance.spent), left_of(balance)});
      has_roots = has_roots || is_root(balance);
    }
  }
  return columns(rows) + (has_roots ? note_on_roots : "");
}

// What is left of each block.
std::string block_table(const std::vector<BlockBalances>& blocks) {
  std::vector<std::vector<std::string>> rows{{"block", "", "limit", "spent", "left"}};
  for (const BlockBalances& block : blocks) {
    std::string name = block.block;
    for (const Balance& balance : block.balances) {
      rows.push_back({std::exchange(name, ""), balance.name, rounded_down(balance.limit), rounded_up(balance.spent),
                      left_of(balance)});
    }
  }
  return columns(rows);
}

std::string headline_of(const Receipt& receipt, bool only_asked) {
  if (only_asked)
    return receipt.accepted ? "the steps would fit (nothing was recorded)"
                            : "the steps would not fit (nothing was recorded)";
  const std::string repeated = receipt.repeated ? ", by the same call before" : "";
  if (!receipt.accepted) return fmt::format("{}; nothing changed{}", receipt.verb, repeated);
  if (receipt.verb == "charge" && receipt.repeated) {
    return fmt::format("{}, by the same call before: do not run the steps again", receipt.scope);
  }
  if (receipt.verb == "charge") return fmt::format("{}: the steps may run now", receipt.scope);
  if (receipt.verb == "reserve") return fmt::format("ticket {}{}", receipt.ticket, repeated);
  if (receipt.verb == "open" && receipt.repeated) {
    return fmt::format("ticket {}, by the same call before: do not touch data again", receipt.ticket);
  }
  if (receipt.verb == "open") return fmt::format("ticket {}: data may be touched now", receipt.ticket);
  if (receipt.ticket != 0) return fmt::format("ticket {}{}", receipt.ticket, repeated);
  return receipt.scope + repeated;
}

std::string done(const std::string& verb) {
  if (verb == "charge") return "Charged:";
  if (verb == "reserve") return "Reserved:";
  if (verb == "open") return "Opened:";
  if (verb == "commit") return "Committed:";
  if (verb == "cancel") return "Cancelled:";
  if (verb == "scope") return "Scope made:";
  if (verb == "blocks") return "Blocks declared:";
  if (verb == "lower") return "Budget lowered:";
  if (verb == "raise") return "Budget raised:";
  return verb + ":";
}

// What would have been accepted instead.
std::string would_fit(const Receipt& receipt) {
  std::vector<std::string> parts;
  if (receipt.fitting_count) {
    const bool all = *receipt.fitting_count > std::numeric_limits<std::int64_t>::max() / 2;
    parts.push_back(*receipt.fitting_count == 0 ? "none of this size"
                    : all                       ? "as many as can be counted"
                                                : fmt::format("{} such charges", *receipt.fitting_count));
    if (*receipt.fitting_count == 1) parts.back() = "1 such charge";
  }
  if (receipt.fitting_step) {
    parts.push_back(fmt::format("one with {} {} would", receipt.fitting_step->parameter,
                                short_decimal(receipt.fitting_step->value)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

void add_rows(Report& report, const Receipt& receipt) {
  if (!receipt.refused_by.empty()) report.row("refused by", receipt.refused_by);
  if (!receipt.reason.empty()) report.row("why", receipt.reason);
  if (const std::string fits = would_fit(receipt); !fits.empty()) report.row("would fit", fits);
  if (receipt.repeated && !receipt.accepted) {
    report.row("instead", "ask again with another key: this one keeps its answer");
  }
  if (receipt.state && receipt.verb != "charge") report.row("state", to_string(*receipt.state));
  if (!receipt.secret.empty()) report.row("secret", receipt.secret);
  if (!receipt.expires.empty()) report.row("expires", receipt.expires);
  if (!receipt.note.empty()) report.row("note", receipt.note);
  if (receipt.hash.empty()) return;
  report.row("key", receipt.key);
  report.row("time", receipt.time);
  report.row("entry", std::to_string(receipt.entry));
  report.row("hash", receipt.hash);
}

// "epsilon = 7.0772 at delta = 1e-5".
std::string figure(const Cost& cost) {
  if (!cost.exact && !cost.renyi) return cost.unavailable();
  return fmt::format("epsilon = {} at delta = {}", rounded_up(cost.upper()), short_decimal(cost.at));
}

std::string indented(const std::string& name) {
  const auto depth = static_cast<std::size_t>(std::count(name.begin(), name.end(), '/'));
  return depth == 0 ? name : std::string(2 * depth, ' ') + name.substr(name.rfind('/') + 1);
}

// A tree, one line for each number that a budget limits.
std::string tree(const std::vector<api::ShownScope>& scopes) {
  std::vector<std::vector<std::string>> rows{{"scope", "kind", "", "limit", "spent", "left", "charges", "reserved"}};
  bool has_roots = false;
  for (const api::ShownScope& shown : scopes) {
    const ScopeState& state = shown.state;
    bool first = true;
    for (const Balance& balance : state.balances) {
      rows.push_back({first ? indented(state.name) : "",
                      first ? std::string(to_string(state.settings.budget.kind)) : "", balance.name,
                      rounded_down(balance.limit), rounded_up(balance.spent), left_of(balance),
                      first ? std::to_string(state.charges) : "", first ? std::to_string(state.reserved) : ""});
      first = false;
      has_roots = has_roots || is_root(balance);
    }
  }
  return columns(rows) + (has_roots ? note_on_roots : "");
}

void describe_scope(Report& report, const ScopeState& state) {
  const ScopeSettings& settings = state.settings;
  report.row("budget", in_words(settings.budget));
  const bool has_cap = settings.cap && *settings.cap != settings.budget;
  report.row("cap", has_cap ? in_words(*settings.cap) : "the budget: it can only be lowered");
  const std::string_view name = to_string(state.relation.neighbors);
  report.row("neighbors", fmt::format("{}: {}", name, api::difference_in_words(name, state.relation.unit)));
  if (!settings.analysts_may_collude)
    report.row("analysts", "the scopes within share no answers: the largest total counts");
  if (!settings.may_cancel) report.row("cancelling", "not allowed");
  if (settings.blocks) {
    report.row("blocks", settings.blocks->rule);
    report.row("", state.blocks.empty() ? std::string("none yet") : fmt::format("{}", fmt::join(state.blocks, ", ")));
  }
  if (state.blocks_add_up) report.row(settings.blocks ? "" : "blocks", "charges on different blocks add up");
}

}  // namespace
}  // namespace ledger_view_file

std::string shown_location(const std::string& location) {
  const bool is_server = location.starts_with("http://") || location.starts_with("https://");
  return is_server || location.find("://") == std::string::npos ? location : "a PostgreSQL database";
}

std::string receipt_text(const api::LedgerRequest& asked, const Receipt& receipt, const std::vector<ScopeBalances>& now,
                         const std::vector<std::string>& understood, const std::vector<std::string>& warnings) {
  using namespace ledger_view_file;
  Report report(Style::of_standard_output());
  const bool only_asked = asked.verb == api::LedgerVerb::may_run;
  if (receipt.verb == "init" || receipt.verb == "import") {
    report.headline("Ledger", shown_location(asked.location));
    report.row("entry", std::to_string(receipt.entry)).row("hash", receipt.hash);
    if (!asked.options.witness.empty()) report.row("witness", shown_location(asked.options.witness));
    if (receipt.verb == "import") {
      report.blank_line().paragraph(
          fmt::format("Stop using the ledger that this one goes on from, if there still is one: what was charged to it "
                      "after entry {} is not in this one.",
                      receipt.entry - 1));
    }
    if (asked.options.witness.empty()) report.blank_line().paragraph(api::without_witness);
    return report.text();
  }
  report.headline(only_asked         ? (receipt.accepted ? "Yes:" : "No:")
                  : receipt.accepted ? done(receipt.verb)
                                     : "Refused:",
                  headline_of(receipt, only_asked));
  for (const std::string& line : understood) report.row("understood", line);
  if (only_asked) report.row("scope", receipt.scope);
  add_rows(report, receipt);
  if (!receipt.left.empty()) report.blank_line().lines(balance_table(receipt.left));
  if (!now.empty()) report.blank_line().lines(balance_table(now));
  for (const std::string& warning : warnings) report.blank_line().warning(warning);
  return report.text();
}

std::string ticket_text(const api::ShownTicket& shown) {
  Report report(Style::of_standard_output());
  Receipt receipt = shown.receipt;
  receipt.secret.clear();
  report.headline("Ticket", fmt::format("{} of {}", receipt.ticket, receipt.scope));
  ledger_view_file::add_rows(report, receipt);
  if (shown.output) {
    report.row("output", fmt::format("{} bytes", shown.output->bytes.size())).row("its sha256", shown.output->sha256);
  }
  return report.text();
}

std::string scopes_text(const api::LedgerRequest& asked, const api::LedgerShown& shown) {
  using namespace ledger_view_file;
  Report report(Style::of_standard_output());
  report.headline("Ledger", shown_location(asked.location));
  report.row("id", shown.head.ledger);
  report.row("entry", std::to_string(shown.head.entry)).row("hash", shown.head.hash);
  if (shown.scopes.empty()) report.row("scopes", "none yet");
  if (!asked.scope.empty()) {
    report.row("scope", asked.scope);
    describe_scope(report, shown.scopes.front().state);
  }
  if (!shown.scopes.empty()) report.blank_line().lines(tree(shown.scopes));
  if (!asked.scope.empty() && !shown.scopes.front().blocks.empty()) {
    report.blank_line().lines(block_table(shown.scopes.front().blocks));
    report.lines("  the block with the most spent counts\n");
  }
  bool has_notes = false;
  for (const api::ShownScope& scope : shown.scopes) {
    if (scope.guaranteed || !scope.state.note.empty()) {
      if (!std::exchange(has_notes, true)) report.blank_line();
      std::string line =
          scope.guaranteed ? fmt::format("its cap guarantees {}", figure(*scope.guaranteed)) : std::string();
      if (!scope.state.note.empty()) line += (line.empty() ? "" : "; ") + scope.state.note;
      report.paragraph(fmt::format("{}: {}.", scope.state.name, line));
    }
  }
  if (!shown.has_witness) report.blank_line().paragraph(api::without_witness);
  return report.text();
}

std::string scopes_csv(const api::LedgerShown& shown) {
  std::vector<std::vector<Cell>> rows;
  for (const api::ShownScope& scope : shown.scopes) {
    for (const Balance& balance : scope.state.balances) {
      rows.push_back({scope.state.name, to_string(scope.state.settings.budget.kind), balance.name, balance.limit,
                      balance.spent, balance.left, scope.state.charges, scope.state.reserved, scope.state.note});
    }
  }
  return csv({"scope", "kind", "name", "limit", "spent", "left", "charges", "reserved", "note"}, rows);
}

namespace ledger_view_file {
namespace {

// What happened to the budget between two points.
std::string budget_change(const BurnDownPoint* before, const BurnDownPoint& point) {
  if (before == nullptr) return "the budget was set";
  bool is_raised = false, is_lowered = false;
  for (std::size_t i = 0; i < std::min(before->balances.size(), point.balances.size()); ++i) {
    is_raised = is_raised || point.balances[i].limit > before->balances[i].limit;
    is_lowered = is_lowered || point.balances[i].limit < before->balances[i].limit;
  }
  if (is_raised != is_lowered) return is_raised ? "the budget was raised" : "the budget was lowered";
  return "the budget was changed";
}

constexpr std::size_t to_the_second = 19;  // letters of a time

// What an entry says beside its columns.
std::string details_of(const Receipt& receipt) {
  std::vector<std::string> parts;
  if (!receipt.blocks.empty()) parts.push_back(fmt::format("blocks {}", fmt::join(receipt.blocks, ", ")));
  const bool is_made = receipt.key.starts_with("auto-") || receipt.key.starts_with("client-");  // nobody has chosen it
  if (!receipt.key.empty() && !is_made) parts.push_back("key " + receipt.key);
  if (!receipt.expires.empty()) parts.push_back("until " + receipt.expires.substr(0, to_the_second));
  for (const std::string& text : {receipt.reason, receipt.comment}) {
    if (!text.empty()) parts.push_back(text);
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace
}  // namespace ledger_view_file

std::string burn_down_text(const ScopeState& state, const std::vector<BurnDownPoint>& points) {
  using namespace ledger_view_file;
  Report report(Style::of_standard_output());
  report.headline("Burn-down of", state.name);
  std::vector<std::vector<std::string>> rows{{"day", "charges so far", "", "limit", "spent so far", "left", ""}};
  const BurnDownPoint* before = nullptr;
  bool has_roots = false;
  for (const BurnDownPoint& point : points) {
    bool first = true;
    const std::string change = point.budget_changed ? budget_change(before, point) : "";
    before = &point;
    for (const Balance& balance : point.balances) {
      rows.push_back({first ? point.time.substr(0, 10) : "", first ? std::to_string(point.charges) : "", balance.name,
                      rounded_down(balance.limit), rounded_up(balance.spent), left_of(balance), first ? change : ""});
      first = false;
      has_roots = has_roots || is_root(balance);
    }
  }
  report.lines(columns(rows) + (has_roots ? note_on_roots : ""));
  if (!state.note.empty()) report.blank_line().paragraph(fmt::format("{}: {}.", state.name, state.note));
  return report.text();
}

std::string burn_down_csv(const std::vector<BurnDownPoint>& points) {
  std::vector<std::vector<Cell>> rows;
  for (const BurnDownPoint& point : points) {
    for (const Balance& balance : point.balances) {
      rows.push_back(
          {point.time, point.entry, point.charges, balance.name, balance.limit, balance.spent, balance.left});
    }
  }
  return csv({"time", "entry", "charges", "name", "limit", "spent", "left"}, rows);
}

std::string history_text(const std::vector<LedgerEntry>& entries) {
  using ledger_view_file::to_the_second;
  std::vector<std::vector<std::string>> rows{
      {"entry", "time", "verb", "scope", "ticket", "person", "outcome", "details"}};
  for (const LedgerEntry& entry : entries) {
    const Receipt receipt = receipt_of(entry);
    rows.push_back({std::to_string(receipt.entry), receipt.time.substr(0, to_the_second), receipt.verb, receipt.scope,
                    receipt.ticket == 0 ? "" : std::to_string(receipt.ticket), receipt.person,
                    receipt.accepted ? "accepted" : "refused", ledger_view_file::details_of(receipt)});
  }
  return entries.empty() ? std::string("no entries\n") : columns(rows);
}

std::string history_csv(const std::vector<LedgerEntry>& entries) {
  std::vector<std::vector<Cell>> rows;
  for (const LedgerEntry& entry : entries) {
    const Receipt receipt = receipt_of(entry);
    const Cell ticket = receipt.ticket == 0 ? Cell("") : Cell(receipt.ticket);
    rows.push_back({receipt.entry, receipt.time, receipt.verb, receipt.scope, ticket, receipt.person, receipt.key,
                    receipt.accepted ? "accepted" : "refused", receipt.reason, receipt.hash,
                    fmt::format("{}", fmt::join(receipt.blocks, " ")), receipt.comment});
  }
  return csv(
      {"entry", "time", "verb", "scope", "ticket", "person", "key", "outcome", "reason", "hash", "blocks", "comment"},
      rows);
}

std::string verification_text(const api::LedgerRequest& asked, const LedgerVerification& result) {
  const bool was_kept = asked.kept.has_value();
  const bool is_seen = result.witnessed == result.head.entry;
  Report report(Style::of_standard_output());
  report.headline(result.valid ? "Valid:" : "Not valid:", shown_location(asked.location));
  if (!result.valid) {
    if (result.wrong_entry >= 0) report.row("wrong", fmt::format("entry {}", result.wrong_entry));
    report.row("why", result.fault);
  } else {
    report.row("entries", std::to_string(result.entries));
    report.row("id", result.head.ledger);
    report.row("last entry", std::to_string(result.head.entry)).row("hash", result.head.hash);
    if (result.resumed_after) {
      report.row("read", fmt::format("after entry {}, up to which it was verified before", *result.resumed_after));
    }
    if (result.witnessed) report.row("witness", fmt::format("agrees up to entry {}", *result.witnessed));
    if (was_kept) report.row("kept head", "everything up to it is there, unchanged");
  }
  for (const std::string& note : result.notes) report.row("note", note);
  if (result.valid && !was_kept && !is_seen) {
    report.blank_line().paragraph(
        "Without a witness, or a head that was kept elsewhere (--head), nobody can tell whether entries were cut off "
        "at the end, or "
        "the whole log was written anew.");
  }
  return report.text();
}

}  // namespace renyi::cli
