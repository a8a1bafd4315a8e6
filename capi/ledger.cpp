// Ledgers as handles: budgets that outlive the process.
#include "renyi/ledger.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capi/guard.h"
#include "capi/handles.h"
#include "renyi/c.h"

// C programs were compiled with these sizes (docs/versioning.md): a change here requires a new ABI version.
static_assert(sizeof(renyi_charge) == 40 && sizeof(renyi_ledger_call) == 24 && sizeof(renyi_receipt) == 1024);

namespace renyi::capi {
namespace ledger_file {
namespace {

// A receipt that is read by mistake after a failure accepts nothing.
constinit const renyi_receipt nothing{};

Ledger& ledger_of(renyi_ledger* ledger) { return opened(ledger, "ledger", "a ledger"); }
const Ledger& ledger_of(const renyi_ledger* ledger) { return opened(ledger, "ledger", "a ledger"); }

std::string text_of(const char* text) { return text == nullptr ? std::string() : std::string(text); }

std::string required_text(const char* text, const char* name) {
  require(text, name, "a text");
  return text;
}

CallInfo call_of(const renyi_ledger_call* call) {
  if (call == nullptr) return {};
  return {text_of(call->key), text_of(call->person), text_of(call->comment)};
}

ChargeRequest request_of(const renyi_charge* charge) {
  require(charge, "charge", "what is to be charged");
  ChargeRequest request{.scope = required_text(charge->scope, "scope"),
                        .steps = opened(charge->steps, "steps", "a plan"),
                        .count = charge->count};
  if (charge->blocks_size > 0) require(static_cast<const void*>(charge->blocks), "blocks", "the names of blocks");
  for (std::size_t i = 0; i < charge->blocks_size; ++i) {
    request.blocks.push_back(required_text(charge->blocks[i], "blocks"));
  }
  return request;
}

renyi_receipt receipt_of(const Receipt& receipt) {
  renyi_receipt result{};
  result.accepted = receipt.accepted ? 1 : 0;
  result.repeated = receipt.repeated ? 1 : 0;
  result.entry = receipt.entry;
  result.ticket = receipt.ticket;
  copy_text(result.hash, receipt.hash);
  copy_text(result.time, receipt.time);
  copy_text(result.state, receipt.state ? to_string(*receipt.state) : "");
  copy_text(result.secret, receipt.secret);
  copy_text(result.expires, receipt.expires);
  copy_text(result.refused_by, receipt.refused_by);
  copy_text(result.reason, receipt.reason);
  result.fitting_count = receipt.fitting_count.value_or(-1);
  if (const auto& step = receipt.fitting_step) {
    result.fit.found = 1;
    copy_text(result.fit.parameter, step->parameter);
    result.fit.value = step->value;
  }
  return result;
}

Budget budget_in(const char* text, const std::string& name) {
  require(text, name, "the text of a budget");
  try {
    return read_budget(text);
  } catch (const InvalidArgument& error) {
    throw error.within(name + ".");
  }
}

ScopeSettings settings_of(const char* budget, const char* cap, const char* neighbors, std::int64_t unit) {
  ScopeSettings settings{.budget = budget_in(budget, "budget")};
  if (cap != nullptr) settings.cap = budget_in(cap, "cap");
  if (neighbors == nullptr) {
    if (unit != 0) settings.relation = Plan(Neighbors::add_or_remove_one, unit).adjacency();
    return settings;
  }
  for (const Neighbors one : {Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out}) {
    if (to_string(one) == neighbors) settings.relation = Plan(one, unit == 0 ? 1 : unit).adjacency();
  }
  if (settings.relation) return settings;
  throw InvalidArgument("neighbors", neighbors, "one of add-or-remove-one, replace-one, zero-out");
}

renyi_balance balance_in(const Balance& balance) {
  renyi_balance result{};
  copy_text(result.name, balance.name);
  result.order = balance.order.value_or(0);
  result.spent = balance.spent;
  result.limit = balance.limit;
  result.left = balance.left;
  result.within = balance.within ? 1 : 0;
  return result;
}

template <class Work>
renyi_status receive(renyi_receipt* out, renyi_error* error, const Work& work) {
  return answered(out, nothing, error, [&] { return receipt_of(work()); });
}

}  // namespace
}  // namespace ledger_file
}  // namespace renyi::capi

namespace capi = renyi::capi;
namespace ledger_file = renyi::capi::ledger_file;

renyi_ledger* renyi_ledger_create(const char* location, const char* witness, renyi_error* error) {
  return capi::made(error, [&] {
    const renyi::LedgerOptions options{.witness = ledger_file::text_of(witness)};
    return new renyi_ledger{renyi::Ledger::create(ledger_file::required_text(location, "location"), options)};
  });
}

renyi_ledger* renyi_ledger_open(const char* location, const char* witness, renyi_error* error) {
  return capi::made(error, [&] {
    const renyi::LedgerOptions options{.witness = ledger_file::text_of(witness)};
    return new renyi_ledger{renyi::Ledger(ledger_file::required_text(location, "location"), options)};
  });
}

void renyi_ledger_free(renyi_ledger* ledger) { delete ledger; }

renyi_status renyi_ledger_add_scope(renyi_ledger* ledger, const char* name, const char* budget, const char* cap,
                                    const char* neighbors, int64_t unit, const renyi_ledger_call* call,
                                    renyi_receipt* out, renyi_error* error) {
  return ledger_file::receive(out, error, [&] {
    return ledger_file::ledger_of(ledger).add_scope(ledger_file::required_text(name, "name"),
                                                    ledger_file::settings_of(budget, cap, neighbors, unit),
                                                    ledger_file::call_of(call));
  });
}

renyi_status renyi_ledger_may_run(const renyi_ledger* ledger, const renyi_charge* charge, renyi_receipt* out,
                                  renyi_error* error) {
  return ledger_file::receive(out, error,
                              [&] { return ledger_file::ledger_of(ledger).may_run(ledger_file::request_of(charge)); });
}

renyi_status renyi_ledger_charge(renyi_ledger* ledger, const renyi_charge* charge, const renyi_ledger_call* call,
                                 renyi_receipt* out, renyi_error* error) {
  return ledger_file::receive(out, error, [&] {
    return ledger_file::ledger_of(ledger).charge(ledger_file::request_of(charge), ledger_file::call_of(call));
  });
}

renyi_status renyi_ledger_reserve(renyi_ledger* ledger, const renyi_charge* charge, int64_t expires_in,
                                  const renyi_ledger_call* call, renyi_receipt* out, renyi_error* error) {
  return ledger_file::receive(out, error, [&] {
    return ledger_file::ledger_of(ledger).reserve(ledger_file::request_of(charge), std::chrono::seconds(expires_in),
                                                  ledger_file::call_of(call));
  });
}

renyi_status renyi_ledger_open_ticket(renyi_ledger* ledger, int64_t ticket, const char* secret,
                                      const renyi_ledger_call* call, renyi_receipt* out, renyi_error* error) {
  return ledger_file::receive(out, error, [&] {
    return ledger_file::ledger_of(ledger).open(ticket, ledger_file::required_text(secret, "secret"),
                                               ledger_file::call_of(call));
  });
}

renyi_status renyi_ledger_commit(renyi_ledger* ledger, int64_t ticket, const void* output, size_t size,
                                 const renyi_ledger_call* call, renyi_receipt* out, renyi_error* error) {
  return ledger_file::receive(out, error, [&] {
    if (size > 0) capi::require(output, "output", "what is published");
    renyi::Output published;
    if (size > 0) published.bytes.assign(static_cast<const char*>(output), size);
    return ledger_file::ledger_of(ledger).commit(ticket, published, ledger_file::call_of(call));
  });
}

renyi_status renyi_ledger_cancel(renyi_ledger* ledger, int64_t ticket, const renyi_ledger_call* call,
                                 renyi_receipt* out, renyi_error* error) {
  return ledger_file::receive(
      out, error, [&] { return ledger_file::ledger_of(ledger).cancel(ticket, ledger_file::call_of(call)); });
}

char* renyi_ledger_output(const renyi_ledger* ledger, int64_t ticket, size_t* size, renyi_error* error) {
  if (size != nullptr) *size = 0;
  return capi::made(error, [&]() -> char* {
    capi::require(size, "size", "a place for the number of bytes");
    const auto found = ledger_file::ledger_of(ledger).output(ticket);
    if (!found) return nullptr;
    char* bytes = capi::c_text(found->bytes);
    *size = found->bytes.size();
    return bytes;
  });
}

renyi_status renyi_ledger_remaining(const renyi_ledger* ledger, const char* scope, renyi_balance* out, size_t size,
                                    size_t* quantities, renyi_error* error) {
  if (out != nullptr) std::fill_n(out, size, renyi_balance{});
  return capi::answered(quantities, std::size_t{0}, error, [&] {
    if (size > 0) capi::require(out, "out", "a place for the balances");
    const auto found = ledger_file::ledger_of(ledger).scope(ledger_file::required_text(scope, "scope")).balances;
    std::transform(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(std::min(size, found.size())), out,
                   ledger_file::balance_in);
    return found.size();
  });
}
