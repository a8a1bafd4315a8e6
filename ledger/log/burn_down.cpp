#include "ledger/log/burn_down.h"

#include <utility>

namespace renyi::ledger {

namespace burn_down_file {
namespace {

// The digits of a time that one point covers: "2026-11-17" or "2026-11-17T12".
std::size_t shared_digits(BurnDownBy by) {
  switch (by) {
    case BurnDownBy::entry: return 0;
    case BurnDownBy::hour: return 13;
    case BurnDownBy::day: return 10;
  }
  return 0;
}

}  // namespace
}  // namespace burn_down_file

// The cap, the relation and the rules of a scope never change; its budget is set by its first entry.
BurnDown::BurnDown(const Scope& scope, BurnDownBy by)
    : name_(scope.name),
      relation_(*scope.settings.relation),
      digits_(burn_down_file::shared_digits(by)),
      account_(scope.settings.budget, *scope.settings.cap, relation_, division_of(scope)) {}

namespace burn_down_file {
namespace {

// All steps are in the account itself.
StepCounts nothing_stored(const CellName& /*cell*/) { return {}; }

}  // namespace
}  // namespace burn_down_file

void BurnDown::begin_point(const std::string& time) {
  const bool is_same = digits_ != 0 && point_ && point_->time.compare(0, digits_, time, 0, digits_) == 0;
  if (is_same) return;
  end_point();
  point_ = BurnDownPoint{};
}

void BurnDown::end_point() {
  if (!point_) return;
  point_->charges = account_.charges();
  point_->balances = balances(account_.standing(burn_down_file::nothing_stored), prices_);
  points_.push_back(std::move(*point_));
  point_.reset();
}

void BurnDown::charge(const Request& request, std::int64_t number) {
  Reserved what{
      child_within(request.scope, name_), request.blocks, prices_.steps(request.steps, relation_), {}, request.count};
  for (const ChargedStep& step : *what.steps) what.costs.push_back(prices_.cost(*account_.terms(), step.text));
  account_.add(what.share(), burn_down_file::nothing_stored);
  if (request.verb == Verb::reserve) reserved_[number] = std::move(what);
}

void BurnDown::give_back(std::int64_t ticket) {
  const auto found = reserved_.find(ticket);
  if (found == reserved_.end()) return;
  const Share share = found->second.share();
  account_.prepare_to_subtract(share, burn_down_file::nothing_stored,
                               [&](const std::string& step) { return prices_.cost(*account_.terms(), step); });
  account_.subtract(share);
  account_.settle();
  reserved_.erase(found);
}

void BurnDown::take(const Entry& entry) {
  const Request& request = entry.request;
  const bool sets_budget = request.verb == Verb::scope || request.verb == Verb::lower || request.verb == Verb::raise;
  if (!entry.outcome.accepted || request.verb == Verb::blocks || (sets_budget && request.scope != name_)) return;
  if (request.verb == Verb::open || request.verb == Verb::commit) {
    reserved_.erase(request.ticket);
    return;
  }
  begin_point(entry.time);
  point_->time = entry.time;
  point_->entry = entry.number;
  if (sets_budget) {
    account_.set_budget(request.verb == Verb::scope ? request.settings.budget : request.budget);
    point_->budget_changed = true;
  } else if (request.verb == Verb::reserve || request.verb == Verb::charge) {
    charge(request, entry.number);
  } else {
    give_back(request.ticket);
  }
}

std::vector<BurnDownPoint> BurnDown::finish() {
  end_point();
  return std::move(points_);
}

}  // namespace renyi::ledger
