#include "ledger/decider.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "ledger/fault_point.h"
#include "ledger/rules/account.h"
#include "ledger/rules/fitting.h"
#include "renyi/error.h"

namespace renyi::ledger {

namespace decider_file {
namespace {

// Each time, another charge was accepted meanwhile.
constexpr int most_attempts = 32;

std::vector<double> costs_alone(const Standing& standing, const Charged& charge, PriceList& prices) {
  const PriceTerms& terms = *standing.terms;
  Account alone(standing.budget, terms.cap, terms.relation, {});
  const auto nothing = [](const CellName&) { return StepCounts(); };
  alone.add({.steps = &charge.steps, .costs = &charge.costs, .count = charge.count}, nothing);
  std::vector<double> costs;
  for (const Balance& balance : balances(alone.standing(nothing), prices)) costs.push_back(balance.spent);
  return costs;
}

// What would fit is asked beside the steps that are in the way.
Fitting fitting_beside(const Situation& at, const Position* refusing) {
  std::vector<Room> rooms;
  for (std::size_t level = 0; level < at.standings.size(); ++level) {
    const Standing& standing = at.standings[level];
    const auto& open = standing.open;
    const bool refuses = refusing != nullptr && refusing >= open.data() && refusing < open.data() + open.size();
    rooms.push_back({standing.budget, standing.terms,
                     refuses        ? refusing->steps
                     : open.empty() ? at.beside[level]
                                    : open.back().steps});
  }
  return fitting(rooms, *at.steps, at.count);
}

}  // namespace
}  // namespace decider_file

std::vector<ScopeBalances> Situation::balances(PriceList& prices) const {
  std::vector<ScopeBalances> list;
  for (std::size_t i = 0; i < scopes.size(); ++i) list.push_back({scopes[i], ledger::balances(standings[i], prices)});
  return list;
}

std::vector<ScopeBalances> Situation::quotes(PriceList& prices) const {
  std::vector<ScopeBalances> list = balances(prices);
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].costs = decider_file::costs_alone(standings[i], charge(i), prices);
  }
  return list;
}

Unpriced Decider::terms_of(const std::string& scope) {
  {
    const std::shared_lock lock(mutex_);
    if (const auto known = terms_.find(scope); known != terms_.end()) return known->second;
  }
  Unpriced found;
  writer_.ask([&](Book& book, View&) { found = book.terms_of(scope); });
  const std::lock_guard lock(mutex_);
  return terms_[scope] = std::move(found);
}

// The error of a call that cannot be priced is told after it is known that it is no repetition.
void Decider::price(Work& work) {
  if (work.request.steps.empty()) return;
  Unpriced own;
  try {
    own = terms_of(work.request.scope);
  } catch (const InvalidArgument&) {
    return;  // the writer says so, unless there is such a scope by then
  }
  if (work.relation && *work.relation != own.terms.front()->relation) return;  // and this as well
  own.charge = work.request.steps;
  work.missing = {std::move(own)};
  price_missing(work);
}

void Decider::price_missing(Work& work) {
  try {
    for (const Unpriced& missing : work.missing) prices_.price(*work.prices, missing);
  } catch (const StoreFailure&) {
    throw;
  } catch (const Error&) {
    work.prices->fail(std::current_exception());
  }
  work.missing.clear();
}

void Decider::perform(std::vector<Work>& works, const Ask& ask) {
  for (Work& work : works) price(work);
  for (int attempt = 1;; ++attempt) {
    writer_.perform(works);
    const auto is_done = [](const Work& work) { return work.is_done; };
    if (std::all_of(works.begin(), works.end(), is_done)) return;
    if (attempt == decider_file::most_attempts) {
      throw StoreFailure(StoreFault::busy,
                         "other charges changed the scope again and again while this one was computed",
                         "repeat the call with its key");
    }
    const bool is_priced =
        std::all_of(works.begin(), works.end(), [](const Work& work) { return work.missing.empty(); });
    for (Work& work : works) {
      if (work.is_done) continue;
      if (is_priced) {
        work.candidate = decision(work, ask).candidate;
        fault_point("ledger.candidate");
      } else {
        price_missing(work);
      }
    }
  }
}

Situation Decider::situation(Work& work, const Ask& ask) {
  price(work);
  while (true) {
    Situation found;
    ask([&](Book& book, View&) {
      if (work.relation) book.check_relation(work.request.scope, *work.relation);
      Prepared prepared = book.prepare(work.request, *work.prices);
      work.missing = std::move(prepared.missing);
      if (!work.missing.empty()) return;
      found.candidate.head = book.as_of();
      found.candidate.outcome.note = prepared.chain.front()->note();
      for (const Scope* scope : prepared.chain) found.scopes.push_back(scope->name);
      found.standings = book.standings(prepared);
      const bool is_open = std::any_of(found.standings.begin(), found.standings.end(),
                                       [](const Standing& standing) { return !standing.open.empty(); });
      if (is_open) found.beside = book.steps_beside(prepared);
      found.steps = std::move(prepared.steps);
      found.costs = std::move(prepared.costs);
      found.count = prepared.count;
    });
    if (work.missing.empty()) return found;
    price_missing(work);
  }
}

Situation Decider::decision(Work& work, const Ask& ask) {
  Situation found = situation(work, ask);
  Outcome& outcome = found.candidate.outcome;
  for (std::size_t level = 0; level < found.scopes.size() && outcome.accepted; ++level) {
    const Position* refusing = nullptr;
    FilterVerdict verdict = ledger::verdict(found.standings[level], found.charge(level), prices_, 0, &refusing);
    if (verdict.runs) continue;
    outcome.accepted = false;
    outcome.refused_by = found.scopes[level];
    outcome.reason = std::move(verdict.reason);
    outcome.left = found.balances(prices_);
    const Fitting fitting = decider_file::fitting_beside(found, refusing);
    outcome.fitting_count = fitting.count;
    outcome.fitting_step = fitting.step;
  }
  return found;
}

}  // namespace renyi::ledger
