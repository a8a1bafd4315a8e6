// Reads what a server has written: the answers of a ledger, and errors. They are checked as any other input.

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "api/json/hexadecimal.h"
#include "api/ledger.h"
#include "filter/budget_json.h"
#include "json/field.h"
#include "json/parse.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/error.h"

namespace renyi::api {

namespace ledger_reader_file {
namespace {

using json::Field;
using json::Json;

std::string text_in(const Field& field, std::string_view key) {
  const auto found = field.find(key);
  return found ? found->text() : std::string();
}

bool flag_in(const Field& field, std::string_view key, bool otherwise) {
  const auto found = field.find(key);
  if (!found) return otherwise;
  if (!found->value().is_boolean()) found->refuse("true or false");
  return found->value().get<bool>();
}

std::int64_t integer_in(const Field& field, std::string_view key, std::int64_t otherwise = 0) {
  const auto found = field.find(key);
  return found ? found->integer(-1, std::numeric_limits<std::int64_t>::max()) : otherwise;
}

std::vector<Field> items_in(const Field& field, std::string_view key) {
  const auto found = field.find(key);
  return found ? found->items() : std::vector<Field>();
}

std::vector<std::string> texts_in(const Field& field, std::string_view key) {
  std::vector<std::string> texts;
  for (const Field& item : items_in(field, key)) texts.push_back(item.text());
  return texts;
}

std::vector<Balance> balances_in(const Field& field) {
  std::vector<Balance> balances;
  for (const Field& row : items_in(field, "balances")) {
    Balance balance{.name = text_in(row, "name"),
                    .spent = row.require("spent", "a number").number_or_infinity(),
                    .limit = row.require("limit", "a number").number_or_infinity(),
                    .left = row.require("left", "a number").number_or_infinity(),
                    .within = flag_in(row, "within", true)};
    if (const auto order = row.find("order")) balance.order = order->number_or_infinity();
    balances.push_back(std::move(balance));
  }
  return balances;
}

Receipt receipt_in(const Field& field) {
  constexpr std::array states{TicketState::reserved, TicketState::opened, TicketState::committed,
                              TicketState::cancelled, TicketState::expired};
  Receipt receipt{.entry = integer_in(field, "entry"),
                  .hash = text_in(field, "hash"),
                  .time = text_in(field, "time"),
                  .verb = field.require("verb", "a verb").text(),
                  .scope = text_in(field, "scope"),
                  .key = text_in(field, "key"),
                  .person = text_in(field, "person"),
                  .accepted = flag_in(field, "accepted", false),
                  .repeated = flag_in(field, "repeated", false),
                  .ticket = integer_in(field, "ticket"),
                  .secret = text_in(field, "secret"),
                  .expires = text_in(field, "expires"),
                  .note = text_in(field, "note"),
                  .reason = text_in(field, "reason"),
                  .refused_by = text_in(field, "refused_by")};
  if (const auto state = field.find("state")) receipt.state = state->choose(std::span<const TicketState>(states));
  for (const Field& row : items_in(field, "left")) {
    ScopeBalances left{.scope = text_in(row, "scope"), .balances = balances_in(row)};
    for (const Field& cost : items_in(row, "costs")) left.costs.push_back(cost.number_or_infinity());
    receipt.left.push_back(std::move(left));
  }
  if (field.find("fitting_count")) receipt.fitting_count = integer_in(field, "fitting_count");
  if (const auto step = field.find("fitting_step")) {
    receipt.fitting_step = FittingStep{.parameter = text_in(*step, "parameter"),
                                       .value = step->require("value", "a number").number_or_infinity(),
                                       .is_closest = flag_in(*step, "is_closest", true)};
  }
  return receipt;
}

std::vector<BurnDownPoint> burn_down_in(const Field& list) {
  std::vector<BurnDownPoint> points;
  for (const Field& row : list.items()) {
    points.push_back({.time = text_in(row, "time"),
                      .entry = integer_in(row, "entry"),
                      .charges = integer_in(row, "charges"),
                      .budget_changed = flag_in(row, "budget_changed", false),
                      .balances = balances_in(row)});
  }
  return points;
}

ShownScope scope_in(const Field& field) {
  ShownScope shown;
  ScopeState& state = shown.state;
  ScopeSettings& settings = state.settings;
  state.name = field.require("scope", "the name of a scope").text();
  state.relation = plan::read_adjacency(field);
  settings.budget = filter::read_budget(field.require("budget", "a budget"), state.relation);
  if (const auto cap = field.find("cap")) settings.cap = filter::read_budget(*cap, state.relation);
  settings.analysts_may_collude = flag_in(field, "analysts_may_collude", true);
  settings.may_cancel = flag_in(field, "may_cancel", true);
  if (const auto rule = field.find("block_rule")) {
    settings.blocks = BlockRule{.rule = text_in(*rule, "rule"),
                                .unit_in_one_block = flag_in(*rule, "unit_in_one_block", false),
                                .block_is_fixed = flag_in(*rule, "block_is_fixed", false)};
  }
  state.blocks = texts_in(field, "blocks");
  state.balances = balances_in(field);
  state.blocks_add_up = flag_in(field, "blocks_add_up", false);
  for (const Field& row : items_in(field, "block_balances")) {
    shown.blocks.push_back({.block = text_in(row, "block"), .balances = balances_in(row)});
  }
  state.charges = integer_in(field, "charges");
  state.reserved = integer_in(field, "reserved");
  state.note = text_in(field, "note");
  if (const auto points = field.find("burn_down")) shown.burn_down = burn_down_in(*points);
  return shown;
}

LedgerHead head_in(const Field& field) {
  return {.ledger = field.require("ledger", "the id of the ledger").text(),
          .entry = integer_in(field, "entry"),
          .hash = field.require("hash", "a SHA-256").text()};
}

LedgerShown shown_in(const Field& field) {
  LedgerShown shown{.head = head_in(field), .has_witness = flag_in(field, "witness", false)};
  for (const Field& scope : items_in(field, "scopes")) shown.scopes.push_back(scope_in(scope));
  return shown;
}

ShownTicket ticket_in(const Field& field) {
  ShownTicket shown{.receipt = receipt_in(field)};
  const std::string text = text_in(field, "output");
  if (const auto digits = field.find("output_hex")) {
    const auto bytes = bytes_of(digits->text());
    if (!bytes) digits->refuse("hexadecimal digits");
    shown.output = Output{*bytes, text_in(field, "output_sha256")};
  } else if (field.find("output")) {
    shown.output = Output{text, text_in(field, "output_sha256")};
  }
  return shown;
}

// The canonical text of an entry is its members in their order, without its hash.
std::vector<LedgerEntry> entries_in(const Field& field) {
  std::vector<LedgerEntry> entries;
  for (const Field& row : items_in(field, "entries")) {
    Json members = row.value();
    members.erase("hash");
    entries.push_back({integer_in(row, "entry"), text_in(row, "hash"), json::write(members)});
  }
  return entries;
}

LedgerVerification verification_in(const Field& field) {
  LedgerVerification found{.valid = flag_in(field, "valid", false),
                           .entries = integer_in(field, "entries"),
                           .wrong_entry = integer_in(field, "wrong_entry", -1),
                           .fault = text_in(field, "fault"),
                           .notes = texts_in(field, "notes")};
  if (field.find("witnessed")) found.witnessed = integer_in(field, "witnessed");
  if (field.find("resumed_after")) found.resumed_after = integer_in(field, "resumed_after");
  if (const auto head = field.find("head")) found.head = head_in(*head);
  return found;
}

LedgerAnswer answer_in(LedgerVerb verb, const Field& field) {
  switch (verb) {
    case LedgerVerb::show: return shown_in(field);
    case LedgerVerb::ticket: return ticket_in(field);
    case LedgerVerb::history: return entries_in(field);
    case LedgerVerb::verify: return verification_in(field);
    case LedgerVerb::head: return ShownHead{head_in(field), text_in(field, "signature")};
    case LedgerVerb::export_log: return LedgerLines{text_in(field, "lines")};
    default: break;
  }
  if (!field.find("receipts")) return receipt_in(field);
  std::vector<Receipt> receipts;
  for (const Field& one : items_in(field, "receipts")) receipts.push_back(receipt_in(one));
  return receipts;
}

StoreFault fault_in(const std::string& name) {
  for (const StoreFault fault :
       {StoreFault::busy, StoreFault::full, StoreFault::read_only, StoreFault::unsuitable, StoreFault::corrupt,
        StoreFault::newer, StoreFault::unreachable, StoreFault::unknown, StoreFault::rolled_back, StoreFault::copied}) {
    if (name == to_string(fault)) return fault;
  }
  return StoreFault::unreachable;
}

// "FIELD: got VALUE, allowed: ALLOWED" and "WHY; INSTEAD" are taken apart, so that they are said again as they were.
[[noreturn]] void throw_error(const Field& error) {
  const std::string kind = text_in(error, "kind"), path = text_in(error, "path");
  std::string message = text_in(error, "message");
  if (!path.empty() && message.starts_with(path + ": ")) message.erase(0, path.size() + 2);
  const auto parts = [&](std::string_view between) -> std::pair<std::string, std::string> {
    const auto found = message.find(between);
    if (found == std::string::npos) return {message, ""};
    return {message.substr(0, found), message.substr(found + between.size())};
  };
  if (kind == "unauthorized" || kind == "forbidden") {
    throw InvalidArgument("token", message, "a token of this server that is valid and has the role and the scopes");
  }
  const auto [why, instead] = parts("; ");
  if (kind == "store_failure") {
    throw StoreFailure(fault_in(text_in(error, "fault")), why,
                       instead.empty() ? "ask whoever runs the server" : instead);
  }
  if (kind == "unsupported") throw Unsupported(path, why, instead.empty() ? "see docs/limitations.md" : instead);
  if (kind == "limit_reached") throw LimitReached(Limit::time, why, instead.empty() ? "ask for less" : instead);
  if (kind == "not_converged") throw NotConverged(message);
  if (kind == "internal") throw StoreFailure(StoreFault::unknown, "the server failed: " + message, "see its log");
  if (kind == "conflict") throw InvalidArgument("key", "another request than before", message);
  const auto [value, allowed] = parts(", allowed: ");
  constexpr std::string_view got = "got ";
  throw InvalidArgument(path.empty() ? "request" : path, value.starts_with(got) ? value.substr(got.size()) : value,
                        allowed.empty() ? "what the server takes" : allowed);
}

}  // namespace
}  // namespace ledger_reader_file

LedgerAnswer read_ledger_answer(LedgerVerb verb, std::string_view text) {
  const json::Parsed parsed = json::try_parse(text);
  const json::Field field(parsed.value);
  const bool is_object = !parsed.error && parsed.value.is_object();
  if (is_object && field.find("error")) ledger_reader_file::throw_error(*field.find("error"));
  try {
    if (parsed.error) throw *parsed.error;
    return ledger_reader_file::answer_in(verb, field);
  } catch (const InvalidArgument& error) {
    throw StoreFailure(StoreFault::corrupt,
                       std::string("the server gave another answer than a ledger: ") + error.what(),
                       "is it a renyi server, of this version?");
  }
}

}  // namespace renyi::api
