#include "api/json/ledger_answers.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>

#include "api/json/answers.h"
#include "api/json/balances.h"
#include "api/json/hexadecimal.h"
#include "filter/budget_json.h"
#include "json/parse.h"
#include "json/write.h"

namespace renyi::api {

namespace ledger_answers_file {
namespace {

using json::Json;

void add_text(Json& to, const char* key, const std::string& text) {
  if (!text.empty()) to[key] = text;
}

Json write_answer(const Receipt& receipt) {
  Json out = Json::object();
  out["verb"] = receipt.verb;
  add_text(out, "scope", receipt.scope);
  out["accepted"] = receipt.accepted;
  if (receipt.repeated) out["repeated"] = true;
  if (!receipt.hash.empty()) {
    out["entry"] = receipt.entry;
    out["hash"] = receipt.hash;
    out["time"] = receipt.time;
  }
  add_text(out, "key", receipt.key);
  add_text(out, "person", receipt.person);
  if (receipt.ticket != 0) out["ticket"] = receipt.ticket;
  if (receipt.state) out["state"] = std::string(to_string(*receipt.state));
  add_text(out, "secret", receipt.secret);
  add_text(out, "expires", receipt.expires);
  add_text(out, "note", receipt.note);
  add_text(out, "refused_by", receipt.refused_by);
  add_text(out, "reason", receipt.reason);
  if (!receipt.left.empty()) {
    Json& left = out["left"] = Json::array();
    for (const ScopeBalances& scope : receipt.left) {
      Json row = Json::object();
      row["scope"] = scope.scope;
      row["balances"] = write_balances(scope.balances);
      if (!scope.costs.empty()) row["costs"] = scope.costs;
      left.push_back(std::move(row));
    }
  }
  if (receipt.fitting_count) out["fitting_count"] = *receipt.fitting_count;
  if (receipt.fitting_step) out["fitting_step"] = write_fitting(receipt.fitting_step);
  return out;
}

Json write_answer(const std::vector<Receipt>& receipts) {
  Json out = Json::object();
  Json& list = out["receipts"] = Json::array();
  for (const Receipt& receipt : receipts) list.push_back(write_answer(receipt));
  return out;
}

Json write_burn_down(const std::vector<BurnDownPoint>& points) {
  Json rows = Json::array();
  for (const BurnDownPoint& point : points) {
    Json row = Json::object();
    row["time"] = point.time;
    row["entry"] = point.entry;
    row["charges"] = point.charges;
    if (point.budget_changed) row["budget_changed"] = true;
    row["balances"] = write_balances(point.balances);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json write_scope(const ShownScope& shown) {
  const ScopeState& state = shown.state;
  const ScopeSettings& settings = state.settings;
  Json out = Json::object();
  out["scope"] = state.name;
  out["budget"] = filter::write_budget(settings.budget);
  if (settings.cap) out["cap"] = filter::write_budget(*settings.cap);
  out["neighbors"] = std::string(to_string(state.relation.neighbors));
  out["unit"] = state.relation.unit;
  out["analysts_may_collude"] = settings.analysts_may_collude;
  out["may_cancel"] = settings.may_cancel;
  if (settings.blocks) {
    Json& rule = out["block_rule"] = Json::object();
    rule["rule"] = settings.blocks->rule;
    rule["unit_in_one_block"] = settings.blocks->unit_in_one_block;
    rule["block_is_fixed"] = settings.blocks->block_is_fixed;
    out["blocks"] = state.blocks;
  }
  out["balances"] = write_balances(state.balances);
  if (state.blocks_add_up) out["blocks_add_up"] = true;
  for (const BlockBalances& block : shown.blocks) {
    Json row = Json::object();
    row["block"] = block.block;
    row["balances"] = write_balances(block.balances);
    out["block_balances"].push_back(std::move(row));
  }
  out["charges"] = state.charges;
  out["reserved"] = state.reserved;
  add_text(out, "note", state.note);
  if (shown.guaranteed) out["guarantee"] = write_cost(*shown.guaranteed);
  if (shown.burn_down) out["burn_down"] = write_burn_down(*shown.burn_down);
  return out;
}

Json head_members(const LedgerHead& head) {
  Json out = Json::object();
  out["ledger"] = head.ledger;
  out["entry"] = head.entry;
  out["hash"] = head.hash;
  return out;
}

Json write_answer(const LedgerShown& shown) {
  Json out = head_members(shown.head);
  out["witness"] = shown.has_witness;
  if (!shown.has_witness) out["note"] = std::string(without_witness);
  Json& scopes = out["scopes"] = Json::array();
  for (const ShownScope& scope : shown.scopes) scopes.push_back(write_scope(scope));
  return out;
}

// The secret is told to whoever reserved, and to nobody else. Bytes that are no text are told as hexadecimal digits.
Json write_answer(const ShownTicket& shown) {
  Receipt receipt = shown.receipt;
  receipt.secret.clear();
  Json out = write_answer(receipt);
  if (!shown.output) return out;
  const Json text = shown.output->bytes;
  if (json::try_parse(json::write(text)).value == text) {
    out["output"] = text;
  } else {
    out["output_hex"] = digits_of(shown.output->bytes);
  }
  out["output_sha256"] = shown.output->sha256;
  return out;
}

Json write_answer(const std::vector<LedgerEntry>& entries) {
  Json out = Json::object();
  Json& list = out["entries"] = Json::array();
  for (const LedgerEntry& entry : entries) {
    Json row = json::parse(entry.text);
    row["hash"] = entry.hash;
    list.push_back(std::move(row));
  }
  return out;
}

Json write_answer(const LedgerVerification& result) {
  Json out = Json::object();
  out["valid"] = result.valid;
  out["entries"] = result.entries;
  if (!result.valid) {
    if (result.wrong_entry >= 0) out["wrong_entry"] = result.wrong_entry;
    out["fault"] = result.fault;
  }
  if (!result.notes.empty()) out["notes"] = result.notes;
  if (result.witnessed) out["witnessed"] = *result.witnessed;
  if (result.resumed_after) out["resumed_after"] = *result.resumed_after;
  if (result.valid) out["head"] = head_members(result.head);
  return out;
}

Json write_answer(const ShownHead& shown) {
  Json out = head_members(shown.head);
  add_text(out, "signature", shown.signature);
  return out;
}

Json write_answer(const LedgerLines& log) {
  Json out = Json::object();
  out["lines"] = log.lines;
  return out;
}

}  // namespace
}  // namespace ledger_answers_file

json::Json write_ledger(const LedgerAnswer& answer) {
  return std::visit([](const auto& one) { return ledger_answers_file::write_answer(one); }, answer);
}

}  // namespace renyi::api
