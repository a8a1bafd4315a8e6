// {"op":"compare","steps":[...],"delta":1e-5,"epsilon":1} -> {"theorems":[...],"best":"..."}
#include "api/compare.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/write.h"

namespace renyi::api {

namespace compare_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 3> keys{"delta", "epsilon", "event"};

double read_event(const Field& field) {
  constexpr std::string_view allowed = "a number in (0, 1]";
  if (!field.value().is_number() || !(field.number() > 0 && field.number() <= 1)) field.refuse(allowed);
  return field.number();
}

CompareOptions read_options(const Field& request) {
  CompareOptions options;
  if (request.find("epsilon")) options.epsilon = read_epsilon(request);
  if (const auto field = request.find("event")) options.event = read_event(*field);
  return options;
}

Json write_count(const LargestCount& count) {
  if (count.unlimited) return "unlimited";
  if (!count.at_least) return count.count;
  Json bounded = Json::object();
  bounded["at_least"] = count.count;
  return bounded;
}

Json write_split(const DeltaSplit& split) {
  Json written = Json::object();
  Json& steps = written["steps"] = Json::array();
  for (const StepGuarantee& step : split.steps) {
    Json row = Json::object();
    row["epsilon"] = json::number(step.epsilon);
    row["delta"] = step.delta;
    row["count"] = step.count;
    steps.push_back(std::move(row));
  }
  written["slack"] = split.slack;
  return written;
}

Json write_theorem(const TheoremAnswer& theorem, double event) {
  Json row = Json::object();
  row["name"] = std::string(theorem.name);
  if (!theorem.obstacle.empty()) row["unavailable"] = theorem.obstacle;
  if (theorem.epsilon) row["epsilon"] = json::number(*theorem.epsilon);
  if (theorem.epsilon_estimate) row["epsilon_estimate"] = json::number(*theorem.epsilon_estimate);
  if (theorem.event_probability) {
    row["event"] = event;
    row["probability"] = json::number(*theorem.event_probability);
  }
  if (theorem.largest_count) row["largest_count"] = write_count(*theorem.largest_count);
  if (theorem.split) row["split"] = write_split(*theorem.split);
  if (!theorem.note.empty()) row["note"] = theorem.note;
  row["source"] = std::string(theorem.source);
  return row;
}

CompareRequest read(const Request& request) {
  CompareRequest asked{.plan = request.plan()};
  asked.delta = read_delta(request);
  asked.options = read_options(request);
  return asked;
}

Json write(const Comparison& comparison) {
  Json answer = Json::object();
  Json& rows = answer["theorems"] = Json::array();
  for (const TheoremAnswer& theorem : comparison.theorems) rows.push_back(write_theorem(theorem, comparison.event));
  if (comparison.best) answer["best"] = std::string(comparison.theorems[*comparison.best].name);
  if (comparison.best_for_count) {
    answer["best_for_count"] = std::string(comparison.theorems[*comparison.best_for_count].name);
  }
  return answer;
}

}  // namespace
}  // namespace compare_file

constinit const Op compare_op{"compare", compare_file::keys, run<compare_file::read, compare_file::write>};

CompareRequest read_compare(const Document& request) { return compare_file::read(checked(compare_op, request)); }

std::string write(const Document& request, const Comparison& answer) {
  return written(compare_op, request, compare_file::write(answer));
}

}  // namespace renyi::api
