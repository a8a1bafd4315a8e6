// Privacy filters: the history of charged steps, and verdicts about the next ones.
#include "renyi/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <unordered_map>

#include "filter/largest_count.h"
#include "filter/tally.h"
#include "plan/merged_steps.h"
#include "renyi/error.h"

namespace renyi {

class Filter::State {
 public:
  State(Budget budget, const Adjacency& relation, Budget cap)
      : budget_(std::move(budget)), cap_(std::move(cap)), nothing_(relation.neighbors, relation.unit), tally_(budget_) {
    check_within_cap(budget_);
  }
  State(const State& other)
      : budget_(other.budget_),
        cap_(other.cap_),
        nothing_(other.nothing_),
        merged_(other.merged_),
        tally_(other.tally_) {}
  State& operator=(const State&) = delete;

  const Budget& budget() const noexcept { return budget_; }
  const Budget& cap() const noexcept { return cap_; }
  const Plan& empty_plan() const noexcept { return nothing_; }
  const plan::MergedSteps& merged() const noexcept { return merged_; }
  const filter::Tally& tally() const noexcept { return tally_; }

  void set_budget(Budget budget) {
    check(budget);
    check_within_cap(budget);
    tally_.set_budget(budget);
    asked_.clear();  // whether a step has a cost depends on the infinite mass
    budget_ = std::move(budget);
  }

  std::vector<filter::Charge> charges(const std::vector<CountedMechanism>& distinct) const;
  FilterVerdict verdict(const std::vector<CountedMechanism>& distinct) const {
    merged_.check_total(distinct);
    return tally_.verdict(charges(distinct));
  }
  // Charges the steps whether or not they keep the budget. If it throws, nothing changes.
  void add(const std::vector<CountedMechanism>& distinct);

 private:
  void check_within_cap(const Budget& budget) const {
    if (budget.is_within(cap_)) return;
    throw InvalidArgument("budget", "more than the cap, or another kind or other orders",
                          "a budget of the cap's kind and orders, with no number above that of the cap");
  }
  std::shared_ptr<const filter::StepCost> cost(const Mechanism& step) const;

  Budget budget_;
  Budget cap_;
  Plan nothing_;  // copies share the analysed steps
  plan::MergedSteps merged_;
  filter::Tally tally_;

  // Costs of steps that were asked about and not charged.
  static constexpr std::size_t most_kept = 256;
  mutable std::mutex mutex_;
  mutable std::unordered_map<Mechanism, std::shared_ptr<const filter::StepCost>, plan::MechanismHash> asked_;
};

std::shared_ptr<const filter::StepCost> Filter::State::cost(const Mechanism& step) const {
  if (const auto index = merged_.find(step)) return tally_.entries()[*index].cost;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = asked_.find(step); found != asked_.end()) return found->second;
  }
  // A custom mechanism may take long, or ask this filter itself: nothing is locked meanwhile.
  const Mechanism analysed = Plan(nothing_).add(step).analysed().front().mechanism;
  auto cost = std::make_shared<const filter::StepCost>(filter::cost_of(analysed, budget_));
  const std::lock_guard lock(mutex_);
  if (asked_.size() >= most_kept) asked_.clear();
  asked_.emplace(step, cost);
  return cost;
}

std::vector<filter::Charge> Filter::State::charges(const std::vector<CountedMechanism>& distinct) const {
  std::vector<filter::Charge> charges;
  charges.reserve(distinct.size());
  for (const CountedMechanism& step : distinct) charges.push_back({cost(step.mechanism), step.count});
  return charges;
}

void Filter::State::add(const std::vector<CountedMechanism>& distinct) {
  const auto all = charges(distinct);
  // Everything that may throw comes first; looking up a mechanism may.
  std::vector<std::size_t> entries;
  entries.reserve(distinct.size());
  std::size_t size = merged_.list().size();
  for (const CountedMechanism& step : distinct) {
    const auto known = merged_.find(step.mechanism);
    entries.push_back(known ? *known : size++);
  }
  tally_.reserve(distinct.size());
  merged_.add(distinct);
  for (std::size_t i = 0; i < distinct.size(); ++i) tally_.add(entries[i], all[i]);
}

Filter::Filter(Budget budget, const Adjacency& relation, std::optional<Budget> cap) {
  check(budget);
  Budget most = cap ? *std::move(cap) : budget;
  check(most);
  state_ = std::make_unique<State>(std::move(budget), relation, std::move(most));
}

Filter::Filter(const Filter& other) : state_(std::make_unique<State>(*other.state_)) {}
Filter& Filter::operator=(const Filter& other) {
  if (this != &other) state_ = std::make_unique<State>(*other.state_);
  return *this;
}
Filter::Filter(Filter&& other) noexcept = default;
Filter& Filter::operator=(Filter&& other) noexcept = default;
Filter::~Filter() = default;

namespace filter_file {
namespace {

std::vector<CountedMechanism> distinct_steps(const Plan& nothing, const Mechanism& step, std::int64_t count) {
  return Plan(nothing).add(step, count).merged();
}

std::vector<CountedMechanism> distinct_steps(const Plan& nothing, const Plan& steps, std::int64_t count) {
  [[maybe_unused]] const Plan checked = Plan(nothing).add(steps);  // throws unless the relations are the same
  return plan::repeated(steps, count);
}

}  // namespace
}  // namespace filter_file

FilterVerdict Filter::may_run(const Mechanism& step, std::int64_t count) const {
  return state_->verdict(filter_file::distinct_steps(state_->empty_plan(), step, count));
}

FilterVerdict Filter::may_run(const Plan& steps, std::int64_t count) const {
  return state_->verdict(filter_file::distinct_steps(state_->empty_plan(), steps, count));
}

FilterVerdict Filter::charge(const Mechanism& step, std::int64_t count) {
  const auto distinct = filter_file::distinct_steps(state_->empty_plan(), step, count);
  FilterVerdict verdict = state_->verdict(distinct);
  if (verdict.runs) state_->add(distinct);
  return verdict;
}

FilterVerdict Filter::charge(const Plan& steps, std::int64_t count) {
  const auto distinct = filter_file::distinct_steps(state_->empty_plan(), steps, count);
  FilterVerdict verdict = state_->verdict(distinct);
  if (verdict.runs) state_->add(distinct);
  return verdict;
}

bool Filter::restore(const Plan& steps) {
  // Shares may be so small that no order admits anything, not even nothing.
  if (steps.steps().empty()) return true;
  state_->add(filter_file::distinct_steps(state_->empty_plan(), steps, 1));
  constexpr double rounding = 1e-9;  // the sums were rounded in another order when the steps were admitted
  return filter::keep(remaining(), budget(), rounding);
}

std::int64_t Filter::headroom(const Mechanism& step) const { return headroom(Plan(state_->empty_plan()).add(step)); }

std::int64_t Filter::headroom(const Plan& steps) const {
  const auto distinct = filter_file::distinct_steps(state_->empty_plan(), steps, 1);
  std::int64_t each = 0;
  for (const CountedMechanism& step : distinct) {
    if (__builtin_add_overflow(each, step.count, &each)) return 0;
  }
  const std::int64_t left = std::numeric_limits<std::int64_t>::max() - state_->merged().total();
  if (each == 0) return left;
  auto charges = state_->charges(distinct);
  return filter::largest_count(left / each, [&](std::int64_t count) {
    for (std::size_t i = 0; i < charges.size(); ++i) charges[i].count = count * distinct[i].count;
    return state_->tally().verdict(charges).runs;
  });
}

std::vector<Balance> Filter::remaining() const { return state_->tally().balances({}); }

const Budget& Filter::budget() const noexcept { return state_->budget(); }
const Budget& Filter::cap() const noexcept { return state_->cap(); }
void Filter::set_budget(Budget budget) { state_->set_budget(std::move(budget)); }
const Adjacency& Filter::adjacency() const noexcept { return state_->empty_plan().adjacency(); }

Plan Filter::history() const {
  Plan plan = state_->empty_plan();
  for (const CountedMechanism& step : state_->merged().list()) plan.add(step.mechanism, step.count);
  return plan;
}

Plan Filter::guarantee() const { return renyi::guarantee(cap(), adjacency().neighbors); }

Cost Filter::cost_if_fixed_in_advance(double delta, const CostOptions& options) const {
  return renyi::epsilon(history(), delta, options);
}

}  // namespace renyi
