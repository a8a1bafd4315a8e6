#include "ledger/rules/prices.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "json/field.h"
#include "json/parse.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "plan/plan_writer.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::ledger {

namespace prices_file {
namespace {

Plan plan_of(const std::string& steps, const Adjacency& relation) {
  json::Json document = json::Json::object();
  document["neighbors"] = std::string(to_string(relation.neighbors));
  document["unit"] = relation.unit;
  document["steps"] = json::parse(steps);
  return plan::read_plan(json::Field(document));
}

std::string relation_key(const Adjacency& relation) {
  return fmt::format("{} {} ", to_string(relation.neighbors), relation.unit);
}

std::string terms_key(const Adjacency& relation, const Budget& cap) {
  std::string key = relation_key(relation) + fmt::format("{} {}", to_string(cap.kind), cap.infinite_mass > 0);
  if (cap.kind == BudgetKind::tcdp) key += fmt::format(" {}", cap.omega);
  for (const OrderLimit& limit : cap.limits) key += fmt::format(" {}", limit.order);
  for (const OrderShare& share : cap.order_shares) key += fmt::format(" {}", share.order);
  return key + ' ';
}

std::size_t bytes_of(const ChargedSteps& steps) {
  std::size_t bytes = sizeof(ChargedSteps);
  for (const ChargedStep& step : steps) bytes += sizeof(ChargedStep) + step.text.capacity() + 1;
  return bytes;
}

std::size_t bytes_of(const filter::StepCost& cost) {
  return sizeof(filter::StepCost) + cost.quantities.capacity() * sizeof(filter::Directed);
}

// A curve grows while it is asked, so that the memory that it takes is not known.
filter::StepCost without_curves(filter::StepCost cost) {
  cost.whole = nullptr;
  cost.curve = nullptr;
  return cost;
}

filter::StepCost cost_of(const Mechanism& analysed, const PriceTerms& terms) {
  stop_if_asked();
  return without_curves(filter::cost_of(analysed, terms.cap));
}

filter::StepCost cost_in(const std::string& scope, const Mechanism& analysed, const PriceTerms& terms) {
  try {
    return cost_of(analysed, terms);
  } catch (const Unsupported& error) {
    throw Unsupported("steps", fmt::format("the scope \"{}\" cannot price them: {}", scope, error.why()),
                      error.instead() + "; the kind of a scope stays, so make another scope for them");
  }
}

ChargedSteps distinct_steps(const Plan& plan) {
  ChargedSteps steps;
  for (const CountedMechanism& step : plan.merged()) {
    stop_if_asked();
    steps.push_back({json::write(plan::write_steps({Step{step.mechanism, 1}}).at(0)), step.count});
  }
  return steps;
}

}  // namespace
}  // namespace prices_file

PriceTerms::PriceTerms(const Adjacency& own_relation, const Budget& own_cap)
    : relation(own_relation), cap(own_cap), key(prices_file::terms_key(own_relation, own_cap)) {}

Cost Prices::find(const PriceTerms& terms, const std::string& step) const {
  const auto found = costs_.find(terms.key + step);
  return found == costs_.end() ? nullptr : found->second;
}

std::shared_ptr<const ChargedSteps> Prices::find_steps(const std::string& steps, const Adjacency& relation) const {
  const auto found = steps_.find(prices_file::relation_key(relation) + steps);
  return found == steps_.end() ? nullptr : found->second;
}

void Prices::add(const PriceTerms& terms, const std::string& step, Cost cost) {
  costs_[terms.key + step] = std::move(cost);
}

void Prices::add_steps(const std::string& steps, const Adjacency& relation, std::shared_ptr<const ChargedSteps> read) {
  steps_[prices_file::relation_key(relation) + steps] = std::move(read);
}

std::shared_ptr<const ChargedSteps> PriceList::known_steps(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto* found = steps_.find(key);
  return found == nullptr ? nullptr : *found;
}

Cost PriceList::known_cost(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto* found = costs_.find(key);
  return found == nullptr ? nullptr : *found;
}

Cost PriceList::keep(const std::string& key, filter::StepCost cost) {
  const std::size_t bytes = prices_file::bytes_of(cost);
  auto made = std::make_shared<const filter::StepCost>(std::move(cost));
  const std::lock_guard lock(mutex_);
  costs_.keep(key, made, bytes);
  return made;
}

void PriceList::price(Prices& prices, const Unpriced& missing) {
  if (!missing.charge.empty()) price_charge(prices, missing);
  for (const auto& terms : missing.terms) {
    for (const std::string& kind : missing.kinds) prices.add(*terms, kind, cost(*terms, kind));
  }
}

std::shared_ptr<const ChargedSteps> PriceList::keep_steps(const std::string& key, const Plan& plan) {
  auto read = std::make_shared<const ChargedSteps>(prices_file::distinct_steps(plan));
  const std::lock_guard lock(mutex_);
  steps_.keep(key, read, prices_file::bytes_of(*read));
  return read;
}

std::shared_ptr<const ChargedSteps> PriceList::steps(const std::string& charge, const Adjacency& relation) {
  const std::string key = prices_file::relation_key(relation) + charge;
  if (auto known = known_steps(key)) return known;
  return keep_steps(key, prices_file::plan_of(charge, relation));
}

void PriceList::price_charge(Prices& prices, const Unpriced& missing) {
  const Adjacency& relation = missing.terms.front()->relation;
  const std::string key = prices_file::relation_key(relation) + missing.charge;
  std::optional<Plan> plan;
  auto read = known_steps(key);
  if (!read) {
    plan = prices_file::plan_of(missing.charge, relation);
    read = keep_steps(key, *plan);
  }
  prices.add_steps(missing.charge, relation, read);
  std::vector<CountedMechanism> analysed;
  for (std::size_t i = 0; i < missing.terms.size(); ++i) {
    const PriceTerms& terms = *missing.terms[i];
    for (std::size_t k = 0; k < read->size(); ++k) {
      const std::string& text = (*read)[k].text;
      if (prices.find(terms, text)) continue;
      Cost cost = known_cost(terms.key + text);
      if (!cost) {
        if (!plan) plan = prices_file::plan_of(missing.charge, relation);
        if (analysed.empty()) analysed = plan->analysed();
        cost = keep(terms.key + text, prices_file::cost_in(missing.scopes[i], analysed[k].mechanism, terms));
      }
      prices.add(terms, text, std::move(cost));
    }
  }
}

Cost PriceList::cost(const PriceTerms& terms, const std::string& step) {
  if (Cost known = known_cost(terms.key + step)) return known;
  const Mechanism mechanism = read_step(step, terms.relation);
  return keep(terms.key + step, prices_file::cost_of(analysed(mechanism, terms.relation), terms));
}

std::size_t PriceList::bytes() const {
  const std::lock_guard lock(mutex_);
  return steps_.bytes() + costs_.bytes();
}

Mechanism read_step(const std::string& step, const Adjacency& relation) {
  return prices_file::plan_of('[' + step + ']', relation).merged().front().mechanism;
}

std::string without_blanks(const std::string& step) {
  return step.substr(std::min(step.find_first_not_of(' '), step.size()));
}

}  // namespace renyi::ledger
