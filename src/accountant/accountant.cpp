// The accountant: it merges steps as they are added, and keeps the curves that earlier questions have set up.
#include "renyi/accountant.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exact/privacy_profile.h"
#include "plan/composed_curve.h"
#include "renyi/error.h"

namespace renyi {

class Accountant::State {
 public:
  State(const Adjacency& relation, const ExactOptions& options)
      : nothing_(relation.neighbors, relation.unit), options_(options) {}
  State(const State& other);
  State& operator=(const State&) = delete;

  const Adjacency& adjacency() const { return nothing_.adjacency(); }
  // Copies of this plan share the analysed steps: a step is analysed when it is first checked, and not again.
  const Plan& empty_plan() const { return nothing_; }
  Plan plan() const;
  CostOptions with_own_exactness(CostOptions options) const {
    options.exactness = options_;
    return options;
  }
  std::int64_t steps() const { return steps_; }

  // Adds all steps or, if it throws, none. No two of them are equal.
  void add(const std::vector<CountedMechanism>& distinct);

  // Returns the curve of all steps, composed from the curves that are kept; it is composed at most once between two
  // added steps.
  std::shared_ptr<const Curve> curve() const;
  Analysis analysis() const;

 private:
  struct Hash {
    std::size_t operator()(const Mechanism& mechanism) const;
  };

  Plan nothing_;
  ExactOptions options_;
  std::vector<CountedMechanism> merged_;
  std::unordered_map<Mechanism, std::size_t, Hash> where_;  // the index in merged_
  std::int64_t steps_ = 0;

  mutable std::mutex mutex_;                                  // guards the members below
  mutable std::vector<std::shared_ptr<const Curve>> curves_;  // the curves of the first steps in merged_
  mutable std::shared_ptr<const Curve> composed_;             // the curve of all steps, or null
};

namespace accountant_file {
namespace {

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  throw InvalidArgument("count", "a total of all steps above 2^63-1", "totals from 1 to 2^63-1");
}

void mix(std::size_t& seed, std::size_t value) { seed ^= value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2); }

}  // namespace
}  // namespace accountant_file

std::size_t Accountant::State::Hash::operator()(const Mechanism& mechanism) const {
  std::size_t seed = std::hash<std::string_view>{}(mechanism.kind());
  accountant_file::mix(seed, std::hash<const void*>{}(mechanism.identity()));
  for (const double value : mechanism.key()) accountant_file::mix(seed, std::hash<double>{}(value));
  return seed;
}

Accountant::State::State(const State& other)
    : nothing_(other.nothing_),
      options_(other.options_),
      merged_(other.merged_),
      where_(other.where_),
      steps_(other.steps_) {
  const std::lock_guard lock(other.mutex_);
  curves_ = other.curves_;
  composed_ = other.composed_;
}

// The total number of steps is checked, which bounds the count of equal steps.
void Accountant::State::add(const std::vector<CountedMechanism>& distinct) {
  std::int64_t total = steps_;
  for (const CountedMechanism& step : distinct) total = accountant_file::sum(total, step.count);
  // Everything that may throw comes first; looking up a mechanism may.
  struct Again {
    std::size_t index;
    std::int64_t count;
  };
  std::vector<Again> again;
  std::unordered_map<Mechanism, std::size_t, Hash> fresh;
  std::vector<CountedMechanism> added;
  for (const CountedMechanism& step : distinct) {
    if (const auto found = where_.find(step.mechanism); found != where_.end()) {
      again.push_back({found->second, step.count});
    } else {
      fresh.emplace(step.mechanism, merged_.size() + added.size());
      added.push_back(step);
    }
  }
  const std::size_t size = merged_.size() + added.size();
  if (static_cast<double>(size) > static_cast<double>(where_.bucket_count()) * where_.max_load_factor()) {
    where_.reserve(2 * size);
  }
  if (size > merged_.capacity()) merged_.reserve(2 * size);
  for (const Again& step : again) merged_[step.index].count += step.count;
  for (CountedMechanism& step : added) merged_.push_back(std::move(step));
  where_.merge(fresh);
  steps_ = total;
  composed_ = nullptr;
}

Plan Accountant::State::plan() const {
  Plan result = nothing_;
  for (const CountedMechanism& step : merged_) result.add(step.mechanism, step.count);
  return result;
}

std::shared_ptr<const Curve> Accountant::State::curve() const {
  const std::lock_guard lock(mutex_);
  if (composed_) return composed_;
  for (std::size_t i = curves_.size(); i < merged_.size(); ++i) {
    curves_.push_back(Plan(nothing_).add(merged_[i].mechanism).analysed().front().mechanism.curve());
  }
  std::vector<plan::CountedCurve> parts;
  parts.reserve(merged_.size());
  for (std::size_t i = 0; i < merged_.size(); ++i) parts.push_back({curves_[i], merged_[i].count});
  composed_ = std::make_shared<plan::ComposedCurve>(std::move(parts));
  return composed_;
}

Analysis Accountant::State::analysis() const {
  const Plan whole = plan();
  return {whole, whole.analysed(), curve()};
}

namespace accountant_file {
namespace {

// Returns the steps of the plan with every count multiplied by `count`.
std::vector<CountedMechanism> repeated(const Plan& plan, std::int64_t count) {
  Plan outer(plan.neighbors(), plan.unit());
  for (CountedMechanism& step : plan.merged()) outer.add(Steps{Step{std::move(step.mechanism), step.count}}, count);
  return outer.merged();
}

}  // namespace
}  // namespace accountant_file

Accountant::Accountant(const Adjacency& relation, const ExactOptions& exact)
    : state_(std::make_unique<State>(relation, exact)) {
  const PrivacyProfile checked_options(Plan(relation.neighbors, relation.unit), exact);
}

Accountant::Accountant(const Plan& plan, const ExactOptions& exact) : Accountant(plan.adjacency(), exact) {
  state_->add(plan.merged());
}

Accountant::Accountant(const Accountant& other) : state_(std::make_unique<State>(*other.state_)) {}

Accountant& Accountant::operator=(const Accountant& other) {
  if (this != &other) state_ = std::make_unique<State>(*other.state_);
  return *this;
}

Accountant::~Accountant() = default;

void Accountant::step(const Mechanism& mechanism, std::int64_t count) {
  Plan checked = state_->empty_plan();
  state_->add(checked.add(mechanism, count).merged());
}

void Accountant::step(const Plan& plan, std::int64_t count) {
  Plan(state_->empty_plan()).add(plan);  // throws unless the neighbouring relations are the same
  if (count < 1) throw InvalidArgument("count", fmt::format("{}", count), "an integer from 1 to 2^63-1");
  state_->add(accountant_file::repeated(plan, count));
}

std::int64_t Accountant::steps() const noexcept { return state_->steps(); }

const Adjacency& Accountant::adjacency() const noexcept { return state_->adjacency(); }

Plan Accountant::plan() const { return state_->plan(); }

// Each question is set up anew: results kept from an earlier question would change the last digits, and an accountant
// that was saved and resumed has lost them.
Cost Accountant::epsilon(double delta, const CostOptions& options) const {
  return renyi::epsilon(state_->analysis(), delta, state_->with_own_exactness(options));
}

Cost Accountant::delta(double epsilon, const CostOptions& options) const {
  return renyi::delta(state_->analysis(), epsilon, state_->with_own_exactness(options));
}

}  // namespace renyi
