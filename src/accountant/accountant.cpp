// The accountant: it merges steps as they are added, and keeps the curves that earlier questions have set up.
#include "renyi/accountant.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "exact/privacy_profile.h"
#include "mechanism/composed_curve.h"
#include "plan/merged_steps.h"

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
  std::int64_t steps() const { return merged_.total(); }

  // Adds all steps or, if it throws, none. No two of them are equal.
  void add(const std::vector<CountedMechanism>& distinct) {
    merged_.add(distinct);
    composed_ = nullptr;
  }

  // Returns the curve of all steps, composed from the curves that are kept; it is composed at most once between two
  // added steps.
  std::shared_ptr<const Curve> curve() const;
  Analysis analysis() const;

 private:
  Plan nothing_;
  ExactOptions options_;
  plan::MergedSteps merged_;

  mutable std::mutex mutex_;                                  // guards the members below
  mutable std::vector<std::shared_ptr<const Curve>> curves_;  // the curves of the first steps in merged_
  mutable std::shared_ptr<const Curve> composed_;             // the curve of all steps, or null
};

Accountant::State::State(const State& other)
    : nothing_(other.nothing_), options_(other.options_), merged_(other.merged_) {
  const std::lock_guard lock(other.mutex_);
  curves_ = other.curves_;
  composed_ = other.composed_;
}

Plan Accountant::State::plan() const {
  Plan result = nothing_;
  for (const CountedMechanism& step : merged_.list()) result.add(step.mechanism, step.count);
  return result;
}

std::shared_ptr<const Curve> Accountant::State::curve() const {
  const std::lock_guard lock(mutex_);
  if (composed_) return composed_;
  for (std::size_t i = curves_.size(); i < merged_.list().size(); ++i) {
    curves_.push_back(Plan(nothing_).add(merged_.list()[i].mechanism).analysed().front().mechanism.curve());
  }
  std::vector<mechanism::CountedCurve> parts;
  parts.reserve(merged_.list().size());
  for (std::size_t i = 0; i < merged_.list().size(); ++i) {
    parts.push_back({curves_[i], merged_.list()[i].count});
  };
  composed_ = std::make_shared<mechanism::ComposedCurve>(std::move(parts));
  return composed_;
}

Analysis Accountant::State::analysis() const {
  const Plan whole = plan();
  return {whole, whole.analysed(), curve()};
}

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
  state_->add(plan::repeated(plan, count));
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
