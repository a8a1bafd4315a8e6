#include "ledger/rules/book.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "digest/secret.h"
#include "renyi/error.h"

namespace renyi::ledger {

namespace book_file {
namespace {

// What another processor or another C library may have rounded differently when the entry was made.
constexpr double replay_slack = 1e-9;

constexpr std::int64_t most_entries_of_others = 256;

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
  tickets_.clear();
  if (is_same && scopes_as_of_ >= -1) return;
  const LogEnd before = std::exchange(end_, end);
  if (const std::int64_t changed = view.scopes_changed(); changed != scopes_as_of_) {
    load_scopes();
    scopes_as_of_ = changed;
    return;
  }
  take_entries_of_others(view, before);
}

// Others have written: the accounts that they have changed are read again. A log in which the last known entry is
// another one, or is too far back, changes all.
void Book::take_entries_of_others(View& view, const LogEnd& before) {
  const auto known = view.entry(before.entry);
  if (!known || known->hash != before.hash || end_.entry - before.entry > book_file::most_entries_of_others) {
    for (const auto& [name, scope] : scopes_) forget_account(name, end_.entry, true);
    return;
  }
  view.entries(before.entry + 1, [&](const EntryRow& row) {
    const std::string_view verb = verb_in(row.text);
    const bool goes_back = verb == to_string(Verb::cancel) || verb == to_string(Verb::expire);
    const bool counts = goes_back || verb == to_string(Verb::charge) || verb == to_string(Verb::reserve);
    if (!counts || !is_accepted(row.text)) return true;
    for (std::string name = row.scope; !name.empty(); name = parent_name(name)) {
      forget_account(name, row.entry, goes_back);
    }
    return true;
  });
}

void Book::forget_account(const std::string& name, std::int64_t entry, bool is_easing) {
  const auto found = scopes_.find(name);
  if (found == scopes_.end()) return;
  Scope& at = *found->second;
  at.account->forget();
  at.is_loaded = false;
  at.changed = entry;
  if (is_easing) at.eased = entry;
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
  made->changed = made->eased = end_.entry;
  return *(scopes_[request.scope] = std::move(made));
}

Account& Book::loaded(Scope& scope) {
  if (!scope.is_loaded) {
    for (const CellRow& row : view_->cells(scope.name)) {
      scope.account->load(CellName::read(row.cell), read_sums(row.sums, scope.account->quantities()));
    }
    scope.is_loaded = true;
  }
  return *scope.account;
}

Account& Book::account(Scope& scope) {
  loaded(scope).settle();
  return *scope.account;
}

Account::StepsOf Book::stored_steps(const Scope& scope) const {
  return [this, name = scope.name](const CellName& cell) {
    StepCounts steps;
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
          .costs = &prepared.costs[level],
          .count = prepared.count};
}

// Returns which scope the charge does not fit, and why; nothing if it fits all.
std::optional<Book::Refusal> Book::refusal_of(const Prepared& prepared, double slack) {
  for (std::size_t level = 0; level < prepared.chain.size(); ++level) {
    Scope& at = *prepared.chain[level];
    const Share share = share_of(prepared, level);
    if (account(at).fits(share)) continue;
    const Charged charge{*prepared.steps, prepared.costs[level], prepared.count};
    FilterVerdict found = verdict(account(at).standing(stored_steps(at), &share), charge, *prices_, slack);
    if (!found.runs) return Refusal{at.name, std::move(found.reason)};
  }
  return {};
}

// What was accepted holds while nothing changes; what was refused, while nothing is given back.
bool Book::holds(const Candidate& candidate, const Prepared& prepared) const {
  const auto row = view_->entry(candidate.head.entry);
  if (!row || row->hash != candidate.head.hash) return false;
  return std::all_of(prepared.chain.begin(), prepared.chain.end(), [&](const Scope* scope) {
    return (candidate.outcome.accepted ? scope->changed : scope->eased) <= candidate.head.entry;
  });
}

std::optional<Outcome> Book::decide_charge(const Prepared& prepared, const std::optional<Candidate>& candidate) {
  bool fits = true;
  for (std::size_t level = 0; fits && level < prepared.chain.size(); ++level) {
    fits = account(*prepared.chain[level]).fits(share_of(prepared, level));
  }
  if (fits) return Outcome{.note = prepared.chain.front()->note()};
  if (candidate && holds(*candidate, prepared)) return candidate->outcome;
  return {};
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

std::optional<Outcome> Book::decide(const Request& request, const Prepared& prepared, const std::string& time,
                                    const std::string& secret, const std::optional<Candidate>& candidate) {
  switch (request.verb) {
    case Verb::charge:
    case Verb::reserve: return decide_charge(prepared, candidate);
    case Verb::open:
    case Verb::commit:
    case Verb::cancel:
    case Verb::expire: return decide_ticket(request, prepared, time, secret);
    default: return Outcome{};
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
      at.account->subtract(share_of(prepared, level));
      if (view_ == nullptr) at.account->settle();
      at.changed = at.eased = entry.number;
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
      at.changed = entry.number;
      if (request.verb == Verb::raise) at.eased = entry.number;
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
        Scope& at = *prepared.chain[level];
        account(at).add(share_of(prepared, level), stored_steps(at));
        at.changed = entry.number;
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
  const Prepared prepared = prepare(request, {});
  if (entry.outcome.accepted) {
    std::string fault;
    if (request.verb == Verb::charge || request.verb == Verb::reserve) {
      if (const auto refusal = refusal_of(prepared, book_file::replay_slack)) {
        fault = fmt::format("the budget of \"{}\" does not allow it: {}", refusal->scope, refusal->reason);
      }
    } else if (prepared.ticket) {
      // The secret is not in the log: whoever opened the ticket knew it.
      fault = decide(request, prepared, entry.time, prepared.ticket->secret)->reason;
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
  for (const auto& [name, scope] : scopes_) scope->account->settle();
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

Unpriced Book::terms_of(const std::string& name) {
  Unpriced found;
  for (const Scope* at : chain_of(name)) {
    found.scopes.push_back(at->name);
    found.terms.push_back(at->account->terms());
  }
  return found;
}

ScopeState Book::state_of(Scope& scope) {
  return {.name = scope.name,
          .settings = scope.settings,
          .relation = *scope.settings.relation,
          .blocks = scope.blocks,
          .blocks_add_up = scope.divided_by() != nullptr && !division_of(scope).by_block,
          .charges = account(scope).charges(),
          .note = scope.note()};
}

Standing Book::standing(Scope& scope) { return account(scope).standing(stored_steps(scope)); }

std::vector<Standing> Book::standings(const Prepared& prepared) {
  std::vector<Standing> list;
  for (std::size_t level = 0; level < prepared.chain.size(); ++level) {
    Scope& at = *prepared.chain[level];
    const Share share = share_of(prepared, level);
    list.push_back(account(at).standing(stored_steps(at), &share));
  }
  return list;
}

std::vector<StepCounts> Book::steps_beside(const Prepared& prepared) {
  std::vector<StepCounts> list;
  for (std::size_t level = 0; level < prepared.chain.size(); ++level) {
    Scope& at = *prepared.chain[level];
    list.push_back(account(at).beside(share_of(prepared, level), stored_steps(at)));
  }
  return list;
}

std::vector<std::pair<std::string, Standing>> Book::block_standings(Scope& scope) {
  std::vector<std::pair<std::string, Standing>> list;
  if (!division_of(scope).by_block) return list;
  for (const std::string& block : scope.divided_by()->blocks) {
    const Share share{.blocks = {block}};
    list.emplace_back(block, account(scope).standing(stored_steps(scope), &share));
  }
  return list;
}

}  // namespace renyi::ledger
