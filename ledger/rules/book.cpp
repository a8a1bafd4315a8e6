#include "ledger/rules/book.h"

#include <fmt/format.h>

#include <algorithm>

#include "digest/secret.h"
#include "renyi/error.h"

namespace renyi::ledger {

namespace book_file {
namespace {

// What another processor or another C library may have rounded differently when the entry was made.
constexpr double replay_slack = 1e-9;

// The rule is public and puts each unit of privacy into one block, which a replaced unit does not leave.
bool composes_in_parallel(const BlockRule& rule, const Adjacency& relation) {
  return rule.unit_in_one_block && relation.unit == 1 &&
         (relation.neighbors != Neighbors::replace_one || rule.block_is_fixed);
}

}  // namespace
}  // namespace book_file

std::string child_within(const std::string& name, const std::string& ancestor) {
  if (name.size() <= ancestor.size()) return {};
  const std::string rest = name.substr(ancestor.size() + 1);
  return rest.substr(0, rest.find('/'));
}

Division division_of(const Scope& scope) {
  const Scope* divided = scope.divided_by();
  return {.by_child = !scope.settings.analysts_may_collude,
          .by_block = divided != nullptr &&
                      book_file::composes_in_parallel(*divided->settings.blocks, *scope.settings.relation)};
}

const Scope* Scope::divided_by() const {
  const Scope* found = this;
  while (found != nullptr && !found->settings.blocks) found = found->parent;
  return found;
}

std::string Scope::note() const {
  for (const Scope* at = this; at != nullptr; at = at->parent) {
    if (!at->settings.analysts_may_collude) return "per analyst; void if answers are shared";
  }
  return {};
}

// ---- What is stored.

void Book::enter(View& view) {
  view_ = &view;
  const LogEnd end = view.end();
  const bool is_same = end.entry == end_.entry && end.hash == end_.hash;
  end_ = end;
  tickets_.clear();
  if (is_same && scopes_as_of_ >= -1) return;
  if (const std::int64_t changed = view.scopes_changed(); changed != scopes_as_of_) {
    load_scopes();
    scopes_as_of_ = changed;
    return;
  }
  for (auto& [name, scope] : scopes_) {
    scope->account->forget();
    scope->is_loaded = false;
  }
}

void Book::invalidate() noexcept {
  view_ = nullptr;
  end_ = {};
  scopes_as_of_ = -2;
  scopes_.clear();
  tickets_.clear();
  changed_scopes_.clear();
  changed_tickets_.clear();
}

// Rows are sorted by name, so that parents come first.
void Book::load_scopes() {
  scopes_.clear();
  for (const ScopeRow& row : view_->scopes()) make_scope(read_stored_request(row.text), row.entry);
}

Scope& Book::make_scope(const Request& request, std::int64_t entry) {
  auto made = std::make_unique<Scope>();
  made->name = request.scope;
  made->settings = request.settings;
  made->settings.cap = request.settings.cap.value_or(request.settings.budget);
  made->blocks = request.blocks;
  made->entry = entry;
  const auto parent = scopes_.find(parent_name(request.scope));
  made->parent = parent == scopes_.end() ? nullptr : parent->second.get();
  const Adjacency& relation = *made->settings.relation;
  made->account = std::make_unique<Account>(made->settings.budget, *made->settings.cap, relation, division_of(*made));
  made->is_loaded = view_ == nullptr;
  return *(scopes_[request.scope] = std::move(made));
}

Account& Book::account(Scope& scope) {
  if (!scope.is_loaded) {
    for (const CellRow& row : view_->cells(scope.name)) {
      scope.account->load(CellName::read(row.cell), read_sums(row.sums, scope.account->quantities()));
    }
    scope.is_loaded = true;
  }
  return *scope.account;
}

Account::StepsOf Book::stored_steps(const Scope& scope) const {
  return [this, name = scope.name](const CellName& cell) {
    std::vector<std::pair<std::string, std::int64_t>> steps;
    if (view_ == nullptr) return steps;
    for (StepRow& row : view_->steps(name, cell.text())) steps.emplace_back(std::move(row.step), row.count);
    return steps;
  };
}

// ---- Decisions.

Share Book::share_of(const Prepared& prepared, std::size_t level) const {
  return {.child = child_within(prepared.chain.front()->name, prepared.chain[level]->name),
          .blocks = prepared.blocks,
          .steps = prepared.steps.get(),
          .count = prepared.count};
}

// Returns which scope the charge does not fit, and why; nothing if it fits all.
std::optional<Book::Refusal> Book::refusal_of(const Prepared& prepared, double slack) {
  for (std::size_t level = 0; level < prepared.chain.size(); ++level) {
    Scope& at = *prepared.chain[level];
    FilterVerdict verdict = account(at).verdict(share_of(prepared, level), stored_steps(at), slack);
    if (!verdict.runs) return Refusal{at.name, std::move(verdict.reason)};
  }
  return {};
}

Outcome Book::decide_charge(const Prepared& prepared) {
  Outcome outcome;
  outcome.note = prepared.chain.front()->note();
  if (auto refusal = refusal_of(prepared, 0)) {
    outcome.accepted = false;
    outcome.refused_by = std::move(refusal->scope);
    outcome.reason = std::move(refusal->reason);
    outcome.left = balances(prepared);
  }
  return outcome;
}

Outcome Book::decide_ticket(const Request& request, const Prepared& prepared, const std::string& time,
                            const std::string& secret) {
  const TicketRow& ticket = *prepared.ticket;
  const auto refuse = [](std::string reason) { return Outcome{.accepted = false, .reason = std::move(reason)}; };
  const auto is = [&] {
    return fmt::format("ticket {} was {} by entry {}", ticket.ticket, to_string(ticket.state), ticket.entry);
  };
  if (request.verb == Verb::commit) {
    if (ticket.state == TicketState::opened) return {};
    return refuse(is() + (ticket.state == TicketState::reserved ? ": open it first, before data is touched" : ""));
  }
  if (ticket.state != TicketState::reserved) {
    return refuse(is() + (request.verb == Verb::cancel && ticket.state == TicketState::opened
                              ? ": what was opened stays spent"
                              : ""));
  }
  const bool is_over = time >= ticket.expires;
  if (request.verb == Verb::expire) return is_over ? Outcome{} : refuse("it does not expire before " + ticket.expires);
  if (request.verb == Verb::open) {
    if (is_over) return refuse(fmt::format("ticket {} expired at {}", ticket.ticket, ticket.expires));
    if (secret.empty() || !digest::is_same_secret(secret, ticket.secret))
      return refuse("the secret is not that of the ticket");
    return {};
  }
  for (const Scope* scope : prepared.chain) {
    if (!scope->settings.may_cancel) {
      return refuse(fmt::format("the scope \"{}\" does not allow reservations to be cancelled", scope->name));
    }
  }
  return {};
}

Outcome Book::decide(const Request& request, const Prepared& prepared, const std::string& time,
                     const std::string& secret) {
  switch (request.verb) {
    case Verb::charge:
    case Verb::reserve: return decide_charge(prepared);
    case Verb::open:
    case Verb::commit:
    case Verb::cancel:
    case Verb::expire: return decide_ticket(request, prepared, time, secret);
    default: return {};
  }
}

// ---- Changes.

void Book::set_ticket(TicketRow row) {
  changed_tickets_.push_back(row.ticket);
  tickets_[row.ticket] = std::move(row);
}

void Book::apply(const Entry& entry, const Prepared& prepared, const std::string& hash, const std::string& secret) {
  end_ = {entry.number, hash, entry.time};
  if (!entry.outcome.accepted) return;
  const Request& request = entry.request;
  const auto changed = [&](Scope& scope) {
    scope.entry = entry.number;
    changed_scopes_.push_back(scope.name);
    scopes_as_of_ = entry.number;
  };
  const auto move_ticket = [&](TicketState state) {
    TicketRow row = *prepared.ticket;
    const bool goes_back = state == TicketState::cancelled || state == TicketState::expired;
    for (std::size_t level = 0; goes_back && level < prepared.chain.size(); ++level) {
      Scope& at = *prepared.chain[level];
      account(at).subtract(share_of(prepared, level), stored_steps(at));
    }
    row.state = state;
    row.entry = entry.number;
    row.secret.clear();
    reservations_.erase(row.ticket);
    secret_digests_.erase(row.ticket);
    set_ticket(std::move(row));
  };
  switch (request.verb) {
    case Verb::init:
    case Verb::import: ledger_ = request.ledger; break;
    case Verb::scope: changed(make_scope(request, entry.number)); break;
    case Verb::blocks: {
      Scope& at = scope(request.scope);
      at.blocks.insert(at.blocks.end(), request.blocks.begin(), request.blocks.end());
      changed(at);
      break;
    }
    case Verb::lower:
    case Verb::raise: {
      Scope& at = scope(request.scope);
      at.settings.budget = request.budget;
      at.account->set_budget(request.budget);
      changed(at);
      break;
    }
    case Verb::reserve:
      set_ticket({.ticket = entry.number,
                  .entry = entry.number,
                  .scope = request.scope,
                  .expires = entry.outcome.expires,
                  .secret = secret});
      if (view_ == nullptr) {
        reservations_[entry.number] = request;
        secret_digests_[entry.number] = entry.outcome.secret_sha256;
      }
      [[fallthrough]];
    case Verb::charge:
      for (std::size_t level = 0; level < prepared.chain.size(); ++level) {
        account(*prepared.chain[level]).add(share_of(prepared, level));
      }
      break;
    case Verb::open: move_ticket(TicketState::opened); break;
    case Verb::commit: move_ticket(TicketState::committed); break;
    case Verb::cancel: move_ticket(TicketState::cancelled); break;
    case Verb::expire: move_ticket(TicketState::expired); break;
    case Verb::token: break;  // it changes no budget
  }
}

void Book::replay(const Entry& entry, const std::string& hash) {
  const Request& request = entry.request;
  const bool may_be_first = request.verb == Verb::init;
  if ((entry.number == 0) != may_be_first) {
    throw InvalidArgument("verb", std::string(to_string(request.verb)), "init in the first entry, and only there");
  }
  const Prepared prepared = prepare(request);
  if (entry.outcome.accepted) {
    std::string fault;
    if (request.verb == Verb::charge || request.verb == Verb::reserve) {
      if (const auto refusal = refusal_of(prepared, book_file::replay_slack)) {
        fault = fmt::format("the budget of \"{}\" does not allow it: {}", refusal->scope, refusal->reason);
      }
    } else if (prepared.ticket) {
      // The secret is not in the log: whoever opened the ticket knew it.
      fault = decide(request, prepared, entry.time, prepared.ticket->secret).reason;
    }
    if (request.verb == Verb::import &&
        (request.predecessor.ledger != ledger_ || request.predecessor.hash != end_.hash ||
         request.predecessor.entry != end_.entry)) {
      fault = "the predecessor is not the ledger before it";
    }
    if (!fault.empty())
      throw InvalidArgument("entry", "an accepted " + std::string(to_string(request.verb)), "nothing here: " + fault);
  }
  apply(entry, prepared, hash, "not known");
}

namespace book_file {
namespace {

template <typename Name>
std::vector<Name> distinct(std::vector<Name> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace
}  // namespace book_file

Changes Book::changes() const {
  Changes changes;
  for (const std::string& name : book_file::distinct(changed_scopes_)) {
    const Scope& at = *scopes_.at(name);
    const Request row{.verb = Verb::scope, .scope = name, .settings = at.settings, .blocks = at.blocks};
    changes.scopes.push_back({name, at.entry, text_of(row)});
  }
  for (const auto& [name, scope] : scopes_) {
    for (const Account::Change& change : scope->account->changes()) {
      const std::string cell = change.cell.text();
      changes.cells.push_back({name, cell, write_sums(*change.sums)});
      for (const auto& [step, count] : change.steps) {
        if (count != 0) changes.steps.push_back({name, cell, step, count});
      }
    }
  }
  for (const std::int64_t number : book_file::distinct(changed_tickets_))
    changes.tickets.push_back(tickets_.at(number));
  return changes;
}

Changes Book::take_changes() {
  Changes taken = changes();
  for (const auto& [name, scope] : scopes_) scope->account->forget_changes();
  changed_scopes_.clear();
  changed_tickets_.clear();
  return taken;
}

// ---- Questions.

std::vector<const Scope*> Book::scopes() const {
  std::vector<const Scope*> list;
  for (const auto& [name, scope] : scopes_) list.push_back(scope.get());
  return list;
}

ScopeState Book::state_of(Scope& scope) {
  return {.name = scope.name,
          .settings = scope.settings,
          .relation = *scope.settings.relation,
          .blocks = scope.blocks,
          .balances = account(scope).balances(stored_steps(scope)),
          .blocks_add_up = scope.divided_by() != nullptr && !division_of(scope).by_block,
          .charges = scope.account->charges(),
          .note = scope.note()};
}

std::vector<ScopeBalances> Book::balances(const Prepared& prepared) {
  std::vector<ScopeBalances> list;
  for (std::size_t level = 0; level < prepared.chain.size(); ++level) {
    Scope& at = *prepared.chain[level];
    const Share share = share_of(prepared, level);
    list.push_back({at.name, account(at).balances(stored_steps(at), &share)});
  }
  return list;
}

std::vector<ScopeBalances> Book::quotes(const Prepared& prepared) {
  std::vector<ScopeBalances> list = balances(prepared);
  for (std::size_t level = 0; level < prepared.chain.size(); ++level) {
    const Scope& at = *prepared.chain[level];
    Account alone(at.settings.budget, *at.settings.cap, *at.settings.relation, division_of(at));
    alone.price(*prepared.steps);
    const Share share = share_of(prepared, level);
    alone.add(share);
    const auto nothing = [](const CellName&) { return std::vector<std::pair<std::string, std::int64_t>>(); };
    for (const Balance& balance : alone.balances(nothing, &share)) list[level].costs.push_back(balance.spent);
  }
  return list;
}

std::vector<BlockBalances> Book::block_balances(Scope& scope) {
  std::vector<BlockBalances> list;
  if (!division_of(scope).by_block) return list;
  for (const std::string& block : scope.divided_by()->blocks) {
    const Share share{.blocks = {block}};
    list.push_back({block, account(scope).balances(stored_steps(scope), &share)});
  }
  return list;
}

std::vector<Room> Book::rooms(const Prepared& prepared) {
  std::vector<Room> rooms;
  for (std::size_t level = 0; level < prepared.chain.size(); ++level) {
    Scope& at = *prepared.chain[level];
    const Adjacency& relation = *at.settings.relation;
    Room room{at.settings.budget, *at.settings.cap, relation, Plan(relation.neighbors, relation.unit)};
    for (const auto& [step, count] : account(at).steps_beside(share_of(prepared, level), stored_steps(at))) {
      room.history.add(StepReader::read_one(step, relation), count);
    }
    rooms.push_back(std::move(room));
  }
  return rooms;
}

}  // namespace renyi::ledger
