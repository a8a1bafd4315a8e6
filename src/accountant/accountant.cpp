#include "renyi/accountant.h"

#include <fmt/format.h>

#include "accountant/ledger.h"
#include "renyi/error.h"

namespace renyi {

namespace {

// Every count of the plan, `count` times.
std::vector<CountedMechanism> repeated(const Plan& plan, std::int64_t count) {
  Plan outer(plan.neighbors(), plan.unit());
  for (CountedMechanism& step : plan.merged()) outer.add(Steps{Step{std::move(step.mechanism), step.count}}, count);
  return outer.merged();
}

}  // namespace

Accountant::Accountant(const Adjacency& relation, const ExactOptions& exact)
    : ledger_(std::make_unique<Ledger>(relation, exact)) {
  const ExactAccountant checks_the_options(Plan(relation.neighbors, relation.unit), exact);
}

Accountant::Accountant(const Plan& plan, const ExactOptions& exact) : Accountant(plan.adjacency(), exact) {
  ledger_->add(plan.merged());
}

Accountant::Accountant(const Accountant& other) : ledger_(std::make_unique<Ledger>(*other.ledger_)) {}

Accountant& Accountant::operator=(const Accountant& other) {
  if (this != &other) ledger_ = std::make_unique<Ledger>(*other.ledger_);
  return *this;
}

Accountant::~Accountant() = default;

void Accountant::step(const Mechanism& mechanism, std::int64_t count) {
  Plan checked = ledger_->empty_plan();
  ledger_->add(checked.add(mechanism, count).merged());
}

void Accountant::step(const Plan& plan, std::int64_t count) {
  ledger_->empty_plan().add(plan);  // throws unless the relations are the same
  if (count < 1) throw InvalidArgument("count", fmt::format("{}", count), "an integer from 1 to 2^63-1");
  ledger_->add(repeated(plan, count));
}

std::int64_t Accountant::steps() const noexcept { return ledger_->steps(); }

const Adjacency& Accountant::adjacency() const noexcept { return ledger_->adjacency(); }

Plan Accountant::plan() const {
  Plan result = ledger_->empty_plan();
  for (const CountedMechanism& step : ledger_->merged()) result.add(step.mechanism, step.count);
  return result;
}

EpsilonBound Accountant::renyi_epsilon(double delta, const ConversionOptions& options) const {
  return renyi::renyi_epsilon(*ledger_->curve(), delta, options);
}

DeltaBound Accountant::renyi_delta(double epsilon, const ConversionOptions& options) const {
  return renyi::renyi_delta(*ledger_->curve(), epsilon, options);
}

// A new one for each question: what it remembers of one would tell in the last digits of the next, and an
// account that was saved and resumed has forgotten it.
ExactAnswer Accountant::exact_epsilon(double delta) const {
  return ExactAccountant(ledger_->analysed(), ledger_->curve(), ledger_->options()).epsilon(delta);
}

ExactAnswer Accountant::exact_delta(double epsilon) const {
  return ExactAccountant(ledger_->analysed(), ledger_->curve(), ledger_->options()).delta(epsilon);
}

}  // namespace renyi
