#include "ledger/rules/steps.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "json/field.h"
#include "json/parse.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "plan/plan_writer.h"

namespace renyi::ledger {

namespace steps_file {
namespace {

Plan plan_of(const std::string& steps, const Adjacency& relation) {
  json::Json document = json::Json::object();
  document["neighbors"] = std::string(to_string(relation.neighbors));
  document["unit"] = relation.unit;
  document["steps"] = json::parse(steps);
  return plan::read_plan(json::Field(document));
}

}  // namespace
}  // namespace steps_file

std::shared_ptr<const PricedSteps> StepReader::read(const std::string& steps, const Adjacency& relation) {
  const std::string key = fmt::format("{} {} {}", to_string(relation.neighbors), relation.unit, steps);
  if (const auto found = kept_.find(key); found != kept_.end()) return found->second;
  const Plan plan = steps_file::plan_of(steps, relation);
  auto read = std::make_shared<PricedSteps>();
  for (const CountedMechanism& step : plan.merged()) {
    const json::Json text = plan::write_steps(Plan(relation.neighbors, relation.unit).add(step.mechanism));
    read->push_back({json::write(text.at(0)), step.mechanism, step.count});
  }
  if (kept_.size() >= most_kept) kept_.clear();
  return kept_[key] = std::move(read);
}

Mechanism StepReader::read_one(const std::string& step, const Adjacency& relation) {
  return steps_file::plan_of('[' + step + ']', relation).merged().front().mechanism;
}

}  // namespace renyi::ledger
