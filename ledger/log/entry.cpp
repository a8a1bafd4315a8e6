#include "ledger/log/entry.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "digest/sha256.h"
#include "filter/budget_json.h"
#include "json/field.h"
#include "json/parse.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/error.h"

namespace renyi::ledger {

namespace entry_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array verbs{Verb::init,   Verb::import,  Verb::scope, Verb::blocks, Verb::lower,
                           Verb::raise,  Verb::reserve, Verb::open,  Verb::commit, Verb::cancel,
                           Verb::expire, Verb::charge,  Verb::token};
constexpr std::array token_events{TokenEvent::made, TokenEvent::revoked};

// Writes the members of an object in the order in which they are added. Empty texts are left out.
class ObjectText {
 public:
  ObjectText& raw(std::string_view key, std::string_view value) {
    text_ += text_.size() == 1 ? "\"" : ",\"";
    text_ += key;
    text_ += "\":";
    text_ += value;
    return *this;
  }
  ObjectText& text(std::string_view key, const std::string& value) {
    return value.empty() ? *this : raw(key, quoted(value));
  }
  ObjectText& integer(std::string_view key, std::int64_t value) { return raw(key, fmt::to_string(value)); }
  ObjectText& flag(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }
  std::string finish() { return std::move(text_) + "}"; }

 private:
  static std::string quoted(const std::string& value) {
    for (const char c : value) {
      if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f) return json::write(Json(value));
    }
    return '"' + value + '"';
  }

  std::string text_ = "{";
};

std::string list_text(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(text);
  return json::write(list);
}

std::string budget_text(const Budget& budget) { return json::write(filter::write_budget(budget)); }

// ---- Scopes.

std::string rule_text(const BlockRule& rule) {
  return ObjectText()
      .text("rule", rule.rule)
      .flag("unit_in_one_block", rule.unit_in_one_block)
      .flag("block_is_fixed", rule.block_is_fixed)
      .finish();
}

void add_settings(ObjectText& out, const ScopeSettings& settings) {
  out.raw("neighbors", '"' + std::string(to_string(settings.relation->neighbors)) + '"');
  out.integer("unit", settings.relation->unit).raw("budget", budget_text(settings.budget));
  if (settings.cap) out.raw("cap", budget_text(*settings.cap));
  if (!settings.analysts_may_collude) out.flag("analysts_may_collude", false);
  if (!settings.may_cancel) out.flag("may_cancel", false);
  if (settings.blocks) out.raw("block_rule", rule_text(*settings.blocks));
}

bool flag_or(const Field& field, std::string_view key, bool otherwise) {
  const auto found = field.find(key);
  if (!found) return otherwise;
  if (!found->value().is_boolean()) found->refuse("true or false");
  return found->value().get<bool>();
}

std::string text_or_empty(const Field& field, std::string_view key) {
  const auto found = field.find(key);
  return found ? found->text() : std::string();
}

BlockRule read_rule(const Field& field) {
  field.allow_only(std::array<std::string_view, 3>{"rule", "unit_in_one_block", "block_is_fixed"});
  return {.rule = field.require("rule", "a text").text(),
          .unit_in_one_block = flag_or(field, "unit_in_one_block", false),
          .block_is_fixed = flag_or(field, "block_is_fixed", false)};
}

ScopeSettings read_settings(const Field& field) {
  ScopeSettings settings;
  settings.relation = plan::read_adjacency(field);
  settings.budget = filter::read_budget(field.require("budget", "a budget"), *settings.relation);
  if (const auto cap = field.find("cap")) settings.cap = filter::read_budget(*cap, *settings.relation);
  settings.analysts_may_collude = flag_or(field, "analysts_may_collude", true);
  settings.may_cancel = flag_or(field, "may_cancel", true);
  if (const auto rule = field.find("block_rule")) settings.blocks = read_rule(*rule);
  return settings;
}

// ---- Requests.

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::vector<std::string> read_list(const Field& field, std::string_view key) {
  std::vector<std::string> texts;
  if (const auto list = field.find(key)) {
    for (const Field& item : list->items()) texts.push_back(item.text());
  }
  return texts;
}

std::string head_text(const LedgerHead& head) {
  return ObjectText().text("ledger", head.ledger).integer("entry", head.entry).text("hash", head.hash).finish();
}

LedgerHead read_head(const Field& field) {
  return {.ledger = field.require("ledger", "the id of a ledger").text(),
          .entry = field.require("entry", "a whole number").integer(0, largest),
          .hash = field.require("hash", "a SHA-256").text()};
}

std::string token_text(const TokenRecord& token) {
  ObjectText out;
  out.text("id", token.id).text("holder", token.holder).text("role", token.role);
  if (!token.scopes.empty()) out.raw("scopes", list_text(token.scopes));
  return out.text("expires", token.expires).text("lineage", token.lineage).finish();
}

TokenRecord read_token(const Field& field) {
  return {.id = field.require("id", "the id of a token").text(),
          .holder = field.require("holder", "the name of a token").text(),
          .role = text_or_empty(field, "role"),
          .scopes = read_list(field, "scopes"),
          .expires = text_or_empty(field, "expires"),
          .lineage = text_or_empty(field, "lineage")};
}

// "made 0123456789ab for ana, analyst of clinic, until 2027-01-01T00:00:00Z"
std::string token_story(const Request& request) {
  const TokenRecord& token = request.token;
  std::string story = fmt::format("{} {} for {}", to_string(request.event), token.id, token.holder);
  if (!token.role.empty()) story += ", " + token.role;
  for (const std::string& scope : token.scopes) story += (&scope == token.scopes.data() ? " of " : " and ") + scope;
  if (!token.expires.empty()) story += ", until " + token.expires;
  return token.lineage.empty() ? story : story + ", in the line of " + token.lineage;
}

void read_steps(Request& request, const Field& field) {
  request.scope = field.require("scope", "the name of a scope").text();
  request.steps = json::write(field.require("steps", "a list of steps").value());
  if (const auto count = field.find("count")) request.count = count->integer(1, largest);
  request.blocks = read_list(field, "blocks");
}

constexpr std::string_view token_key = "token-";

// Returns the lineage of "token-LINEAGE:..."; empty if the key is not one of a token.
std::string_view lineage_in(std::string_view key) {
  if (!key.starts_with(token_key)) return {};
  key.remove_prefix(token_key.size());
  const std::size_t end = key.find(':');
  return end != std::string_view::npos && is_lineage(key.substr(0, end)) ? key.substr(0, end) : std::string_view();
}

// The scope of an entry says where the key of a token begins.
void divide_key(Request& request) {
  const std::string_view lineage = lineage_in(request.key);
  if (lineage.empty()) return;
  const std::string beginning = recorded_key({.lineage = std::string(lineage), .scope = request.scope});
  if (!request.key.starts_with(beginning)) return;
  request.lineage = lineage;
  request.key.erase(0, beginning.size());
}

Request read_request(const Field& field) {
  Request request;
  request.verb = field.require("verb", "a verb").choose(std::span<const Verb>(verbs));
  request.key = text_or_empty(field, "key");
  request.person = text_or_empty(field, "person");
  request.comment = text_or_empty(field, "comment");
  switch (request.verb) {
    case Verb::init:
    case Verb::import:
      field.require("renyi-ledger", "1, the version of the format").integer(1, format_version);
      request.ledger = field.require("ledger", "the id of the ledger").text();
      request.has_witness = flag_or(field, "has_witness", false);
      if (request.verb == Verb::import) request.predecessor = read_head(field.require("predecessor", "a head"));
      break;
    case Verb::scope:
      request.scope = field.require("scope", "the name of a scope").text();
      request.settings = read_settings(field);
      request.blocks = read_list(field, "blocks");
      break;
    case Verb::blocks:
      request.scope = field.require("scope", "the name of a scope").text();
      request.blocks = read_list(field, "blocks");
      break;
    case Verb::raise:
    case Verb::lower:
      request.scope = field.require("scope", "the name of a scope").text();
      request.budget = filter::read_budget(field.require("budget", "a budget"));
      request.reason = text_or_empty(field, "reason");
      break;
    case Verb::reserve:
      read_steps(request, field);
      request.expires_in = field.require("expires_in", "seconds").integer(0, largest);
      break;
    case Verb::charge: read_steps(request, field); break;
    case Verb::commit: request.output_sha256 = text_or_empty(field, "output_sha256"); [[fallthrough]];
    case Verb::open:
    case Verb::cancel:
    case Verb::expire:
      request.scope = field.require("scope", "the name of a scope").text();
      request.ticket = field.require("ticket", "the number of a ticket").integer(0, largest);
      break;
    case Verb::token:
      request.event = field.require("event", "made or revoked").choose(std::span<const TokenEvent>(token_events));
      request.token = read_token(field.require("token", "a token"));
      break;
  }
  divide_key(request);
  return request;
}

// ---- Outcomes.

std::string balances_text(const ScopeBalances& scope) {
  Json rows = Json::array();
  for (const Balance& balance : scope.balances) {
    Json row = Json::object();
    row["name"] = balance.name;
    if (balance.order) row["order"] = json::number(*balance.order);
    row["spent"] = json::number(balance.spent);
    row["limit"] = json::number(balance.limit);
    row["left"] = json::number(balance.left);
    rows.push_back(std::move(row));
  }
  return ObjectText().text("scope", scope.scope).raw("balances", json::write(rows)).finish();
}

ScopeBalances read_balances(const Field& field) {
  ScopeBalances scope{.scope = field.require("scope", "the name of a scope").text()};
  for (const Field& row : field.require("balances", "a list").items()) {
    Balance balance{.name = row.require("name", "a text").text()};
    if (const auto order = row.find("order")) balance.order = order->number_or_infinity();
    balance.spent = row.require("spent", "a number").number_or_infinity();
    balance.limit = row.require("limit", "a number").number_or_infinity();
    balance.left = row.require("left", "a number").number_or_infinity();
    balance.within = balance.spent <= balance.limit;
    scope.balances.push_back(std::move(balance));
  }
  return scope;
}

std::string fitting_text(const FittingStep& step) {
  ObjectText out;
  out.text("parameter", step.parameter).raw("value", json::write(json::number(step.value)));
  if (!step.is_closest) out.flag("is_closest", false);
  return out.finish();
}

std::string outcome_text(const Outcome& outcome) {
  ObjectText out;
  out.flag("accepted", outcome.accepted).text("secret_sha256", outcome.secret_sha256).text("expires", outcome.expires);
  out.text("note", outcome.note);
  if (outcome.output_bytes > 0) out.integer("output_bytes", outcome.output_bytes);
  out.text("refused_by", outcome.refused_by).text("reason", outcome.reason);
  if (!outcome.left.empty()) {
    std::string rows = "[";
    for (const ScopeBalances& scope : outcome.left) rows += (rows.size() == 1 ? "" : ",") + balances_text(scope);
    out.raw("left", rows + "]");
  }
  if (outcome.fitting_count) out.integer("fitting_count", *outcome.fitting_count);
  if (outcome.fitting_step) out.raw("fitting_step", fitting_text(*outcome.fitting_step));
  return out.finish();
}

Outcome read_outcome(const Field& field) {
  Outcome outcome{.accepted = flag_or(field, "accepted", false),
                  .secret_sha256 = text_or_empty(field, "secret_sha256"),
                  .expires = text_or_empty(field, "expires"),
                  .note = text_or_empty(field, "note"),
                  .refused_by = text_or_empty(field, "refused_by"),
                  .reason = text_or_empty(field, "reason")};
  if (const auto bytes = field.find("output_bytes")) outcome.output_bytes = bytes->integer(1, largest);
  if (const auto left = field.find("left")) {
    for (const Field& scope : left->items()) outcome.left.push_back(read_balances(scope));
  }
  if (const auto count = field.find("fitting_count")) outcome.fitting_count = count->integer(0, largest);
  if (const auto step = field.find("fitting_step")) {
    outcome.fitting_step = FittingStep{.parameter = step->require("parameter", "a text").text(),
                                       .value = step->require("value", "a number").number_or_infinity(),
                                       .is_closest = flag_or(*step, "is_closest", true)};
  }
  return outcome;
}

constexpr std::string_view request_begins = ",\"request\":";
constexpr std::string_view outcome_begins = ",\"outcome\":{\"accepted\":";

}  // namespace
}  // namespace entry_file

std::string_view to_string(Verb verb) noexcept {
  switch (verb) {
    case Verb::init: return "init";
    case Verb::import: return "import";
    case Verb::scope: return "scope";
    case Verb::blocks: return "blocks";
    case Verb::lower: return "lower";
    case Verb::raise: return "raise";
    case Verb::reserve: return "reserve";
    case Verb::open: return "open";
    case Verb::commit: return "commit";
    case Verb::cancel: return "cancel";
    case Verb::expire: return "expire";
    case Verb::charge: return "charge";
    case Verb::token: return "token";
  }
  return "";
}

bool is_lineage(std::string_view text) {
  return text.size() >= 8 && text.size() <= 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_token_key(std::string_view key) { return !entry_file::lineage_in(key).empty(); }

std::string recorded_key(const Request& request) {
  if (request.lineage.empty()) return request.key;
  return fmt::format("{}{}:{}:{}", entry_file::token_key, request.lineage, request.scope, request.key);
}

std::string text_of(const Request& request) {
  entry_file::ObjectText out;
  out.raw("verb", '"' + std::string(to_string(request.verb)) + '"');
  out.text("key", recorded_key(request)).text("person", request.person).text("comment", request.comment);
  out.text("scope", request.scope);
  switch (request.verb) {
    case Verb::init:
    case Verb::import:
      out.integer("renyi-ledger", format_version).text("ledger", request.ledger);
      if (request.has_witness) out.flag("has_witness", true);
      if (request.verb == Verb::import) out.raw("predecessor", entry_file::head_text(request.predecessor));
      break;
    case Verb::scope:
      entry_file::add_settings(out, request.settings);
      if (!request.blocks.empty()) out.raw("blocks", entry_file::list_text(request.blocks));
      break;
    case Verb::blocks: out.raw("blocks", entry_file::list_text(request.blocks)); break;
    case Verb::lower:
    case Verb::raise: out.raw("budget", entry_file::budget_text(request.budget)).text("reason", request.reason); break;
    case Verb::reserve:
    case Verb::charge:
      out.raw("steps", request.steps);
      if (request.count != 1) out.integer("count", request.count);
      if (!request.blocks.empty()) out.raw("blocks", entry_file::list_text(request.blocks));
      if (request.verb == Verb::reserve) out.integer("expires_in", request.expires_in);
      break;
    case Verb::open:
    case Verb::cancel:
    case Verb::expire: out.integer("ticket", request.ticket); break;
    case Verb::commit: out.integer("ticket", request.ticket).text("output_sha256", request.output_sha256); break;
    case Verb::token:
      out.text("event", std::string(to_string(request.event))).raw("token", entry_file::token_text(request.token));
      break;
  }
  return out.finish();
}

Request read_request(std::string_view text) {
  const json::Json document = json::parse(text);
  return entry_file::read_request(json::Field(document));
}

std::string text_of(const Entry& entry, std::string_view request) {
  return fmt::format(R"({{"entry":{},"previous":"{}","time":"{}"{}{},"outcome":{}}})", entry.number, entry.previous,
                     entry.time, entry_file::request_begins, request, entry_file::outcome_text(entry.outcome));
}

Entry read_entry(std::string_view text) {
  const json::Json document = json::parse(text);
  const json::Field field(document);
  field.allow_only(std::array<std::string_view, 5>{"entry", "previous", "time", "request", "outcome"});
  Entry entry{.number = field.require("entry", "a whole number").integer(0, entry_file::largest),
              .previous = field.require("previous", "a SHA-256").text(),
              .time = field.require("time", "a time").text(),
              .request = entry_file::read_request(field.require("request", "a request")),
              .outcome = entry_file::read_outcome(field.require("outcome", "an outcome"))};
  if (text_of(entry, text_of(entry.request)) != text) {
    throw InvalidArgument("entry", "a text that is not canonical", "exactly the text that a ledger writes");
  }
  return entry;
}

namespace entry_file {
namespace {

[[noreturn]] void throw_damaged(const char* what) {
  throw StoreFailure(StoreFault::corrupt, fmt::format("{} is damaged", what),
                     "run `renyi ledger verify`, and restore the ledger from an export");
}

}  // namespace
}  // namespace entry_file

Request read_stored_request(std::string_view text) {
  try {
    return read_request(text);
  } catch (const InvalidArgument&) {
    entry_file::throw_damaged("a stored scope");
  }
}

Entry read_stored_entry(std::string_view text) {
  try {
    return read_entry(text);
  } catch (const InvalidArgument&) {
    entry_file::throw_damaged("a stored entry");
  }
}

// The outcome follows the request, and neither a key nor a text that a user wrote can contain an unescaped quote.
std::string_view request_in(std::string_view text) {
  const std::size_t begin = text.find(entry_file::request_begins), end = text.rfind(entry_file::outcome_begins);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
  const std::size_t from = begin + entry_file::request_begins.size();
  return text.substr(from, end - from);
}

std::string_view verb_in(std::string_view text) {
  constexpr std::string_view verb_begins = "{\"verb\":\"";
  const std::string_view request = request_in(text);
  if (!request.starts_with(verb_begins)) return {};
  return request.substr(verb_begins.size(), request.find('"', verb_begins.size()) - verb_begins.size());
}

bool is_accepted(std::string_view text) {
  const std::size_t outcome = text.rfind(entry_file::outcome_begins);
  return outcome != std::string_view::npos &&
         text.substr(outcome + entry_file::outcome_begins.size()).starts_with("true");
}

Receipt receipt_of(const Entry& entry, const std::string& hash) {
  const Request& request = entry.request;
  const Outcome& outcome = entry.outcome;
  Receipt receipt{
      .entry = entry.number, .hash = hash, .time = entry.time, .verb = std::string(to_string(request.verb))};
  receipt.scope = request.scope;
  receipt.key = request.key;
  receipt.person = request.person;
  receipt.accepted = outcome.accepted;
  receipt.expires = outcome.expires;
  receipt.note = outcome.note;
  receipt.refused_by = outcome.refused_by;
  receipt.comment = request.comment;
  receipt.blocks = request.blocks;
  receipt.reason = outcome.reason.empty() ? request.reason : outcome.reason;
  if (request.verb == Verb::token) receipt.reason = entry_file::token_story(request);
  receipt.left = outcome.left;
  receipt.fitting_count = outcome.fitting_count;
  receipt.fitting_step = outcome.fitting_step;
  receipt.ticket = request.ticket;
  if (!outcome.accepted) return receipt;
  switch (request.verb) {
    case Verb::charge:
      receipt.state = TicketState::committed;
      receipt.ticket = entry.number;
      break;
    case Verb::reserve:
      receipt.state = TicketState::reserved;
      receipt.ticket = entry.number;
      break;
    case Verb::open: receipt.state = TicketState::opened; break;
    case Verb::commit: receipt.state = TicketState::committed; break;
    case Verb::cancel: receipt.state = TicketState::cancelled; break;
    case Verb::expire: receipt.state = TicketState::expired; break;
    default: break;
  }
  return receipt;
}

}  // namespace renyi::ledger

namespace renyi {

Receipt receipt_of(const LedgerEntry& entry) { return ledger::receipt_of(ledger::read_entry(entry.text), entry.hash); }

std::string_view to_string(TokenEvent event) noexcept { return event == TokenEvent::made ? "made" : "revoked"; }

std::string_view to_string(TicketState state) noexcept {
  switch (state) {
    case TicketState::reserved: return "reserved";
    case TicketState::opened: return "opened";
    case TicketState::committed: return "committed";
    case TicketState::cancelled: return "cancelled";
    case TicketState::expired: return "expired";
  }
  return "";
}

}  // namespace renyi
