// Writes and reads plan files, format version 1 (docs/format/plan.md).
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "json/field.h"
#include "json/parse.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "plan/plan_writer.h"
#include "plan/select/runs.h"
#include "renyi/error.h"
#include "renyi/plan.h"

namespace renyi {

using json::Json;

namespace plan_json_file {
namespace {

// Returns true if the parameter has its default value.
bool is_default(const Mechanism& mechanism, std::string_view name) {
  const auto parameters = mechanism.parameters();
  const auto values = mechanism.values();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == name) return parameters[i].fallback == values[i];
  }
  return false;
}

// An alias is written for its parameter if the parameters that it excludes have their defaults anyway.
std::string_view key_for(const Mechanism& mechanism, const Parameter& parameter) {
  for (const Alias& alias : mechanism.aliases()) {
    if (alias.parameter == parameter.name && is_default(mechanism, alias.excluded)) return alias.name;
  }
  return parameter.name;
}

// Counts of records are written as integers.
Json write_sampling(const Sampling& sampling) {
  Json result = Json::object();
  result["scheme"] = std::string(to_string(sampling.scheme));
  const auto table = parameters(sampling.scheme);
  const auto values = sampling.values();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].fallback == values[i]) continue;
    Json& value = result[std::string(table[i].name)];
    if (table[i].whole)
      value = static_cast<std::int64_t>(values[i]);
    else
      value = values[i];
  }
  if (sampling.padded) result["padded"] = true;
  return result;
}

Json write_number(double value) { return std::isinf(value) ? Json("inf") : Json(value); }

Json write_rows(const Rows& rows, const TableParameter& table) {
  const bool plain = table.columns.size() == 1 && !table.any_width;
  Json result = Json::array();
  for (const auto& row : rows) {
    Json numbers = Json::array();
    for (const double value : row) numbers.push_back(write_number(value));
    result.push_back(plain ? numbers.front() : numbers);
  }
  return result;
}

Json write_mechanism(const Mechanism& mechanism) {
  Json step = Json::object();
  step["mechanism"] = std::string(mechanism.kind());
  const auto parameters = mechanism.parameters();
  const auto values = mechanism.values();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].fallback == values[i]) continue;
    step[std::string(key_for(mechanism, parameters[i]))] = values[i];
  }
  const auto tables = mechanism.tables();
  const auto rows = mechanism.rows();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!rows[i].empty()) step[std::string(tables[i].name)] = write_rows(rows[i], tables[i]);
  }
  if (mechanism.sampling() != nullptr) step["sampling"] = write_sampling(*mechanism.sampling());
  return step;
}

Json write_steps(const Steps& steps);

Json write_parallel(const Parallel& parallel) {
  Json parts = Json::array();
  for (const Steps& steps : parallel.parts()) parts.push_back(write_steps(steps));
  Json step = Json::object();
  step["parallel"] = std::move(parts);
  return step;
}

Json write_select(const Select& select) {
  Json step = Json::object();
  step["select"] = write_steps(select.steps());
  step["runs"] = plan::write_runs(select.runs());
  return step;
}

Json write_one(const Mechanism& mechanism) {
  if (const auto* parallel = mechanism.get_if<Parallel>()) return write_parallel(*parallel);
  if (const auto* select = mechanism.get_if<Select>()) return write_select(*select);
  return write_mechanism(mechanism);
}

Json write_step(const Step& step) {
  Json result = Json::object();
  if (const auto* mechanism = std::get_if<Mechanism>(&step.what)) {
    result = write_one(*mechanism);
  } else {
    result["plan"] = write_steps(std::get<Steps>(step.what));
  }
  if (step.count != 1) result["count"] = step.count;
  if (!step.name.empty()) result["name"] = step.name;
  if (!step.comment.empty()) result["comment"] = step.comment;
  return result;
}

Json write_steps(const Steps& steps) {
  Json result = Json::array();
  for (const Step& step : steps) result.push_back(write_step(step));
  return result;
}

bool is_in_table(const Mechanism& mechanism) {
  const Mechanism* known = find_mechanism(mechanism.kind());
  return known != nullptr && known->is_same_type(mechanism);
}

// A function, or a pair of distributions, has no name that a reader of the file could look up.
void refuse_own(const Steps& steps, const std::string& path) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string here = fmt::format("{}[{}]", path, i);
    const auto* mechanism = std::get_if<Mechanism>(&steps[i].what);
    if (mechanism == nullptr) {
      refuse_own(std::get<Steps>(steps[i].what), here + ".plan");
    } else if (const auto* parallel = mechanism->get_if<Parallel>()) {
      for (std::size_t k = 0; k < parallel->parts().size(); ++k) {
        refuse_own(parallel->parts()[k], fmt::format("{}.parallel[{}]", here, k));
      }
    } else if (const auto* select = mechanism->get_if<Select>()) {
      refuse_own(select->steps(), here + ".select");
    } else if (!is_in_table(*mechanism)) {
      const auto why = fmt::format("'{}' is a custom mechanism, which has no JSON form", mechanism->summary());
      throw Unsupported(here, why, "keep such plans in the program that made them");
    }
  }
}

}  // namespace
}  // namespace plan_json_file

Plan read_plan(std::string_view text) {
  const Json document = json::parse(text);
  const json::Field field(document);
  plan::check_header(field);
  return plan::read_plan(field);
}

json::Json plan::write_steps(const Steps& steps) {
  plan_json_file::refuse_own(steps, "steps");
  return plan_json_file::write_steps(steps);
}

// The neighbouring relation is written even if it is the default, because a plan's cost has no meaning without it.
std::string write_plan(const Plan& plan) {
  Json document = Json::object();
  document["renyi"] = 1;
  document["neighbors"] = std::string(to_string(plan.neighbors()));
  if (plan.unit() != 1) document["unit"] = plan.unit();
  document["steps"] = plan::write_steps(plan.steps());
  return json::write(document);
}

}  // namespace renyi
