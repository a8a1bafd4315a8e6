// {"op":"filter","budget":{...},"cap"?:{...},"steps"?:[...],"step"?:{...},"count"?:1,"delta"?:1e-5}
//   ->
//   {"budget":{...},"cap":{...},"neighbors","unit","steps":[...],"runs"?,"reason"?,"after"?:[...],"headroom"?,
//       "would_fit"?:{"parameter","value"}|null,
//       "remaining":[{"name","order"?,"spent","limit","left","within"},...],
//       "guarantee":{"neighbors","unit","steps",...},"cost_if_fixed_in_advance"?:{...}}
#include "api/filter.h"

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "api/json/answers.h"
#include "api/json/balances.h"
#include "api/json/content.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "filter/budget_json.h"
#include "json/parse.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/error.h"

namespace renyi::api {

namespace json_filter_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 5> keys{"budget", "cap", "step", "count", "delta"};

// The place of a step in the plan that is made of it.
constexpr std::string_view in_plan = "steps[0]";

std::string place_of(const std::string& path) {
  return path.starts_with(in_plan) ? "step" + path.substr(in_plan.size()) : path;
}

Plan read_step(const Field& step, const Adjacency& relation) {
  Json document = Json::object();
  document["neighbors"] = std::string(to_string(relation.neighbors));
  document["unit"] = relation.unit;
  document["steps"] = Json::array({step.value()});
  try {
    return plan::read_plan(Field(document));
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(place_of(error.path()), error.value(), error.allowed());
  } catch (const Unsupported& error) {
    throw Unsupported(place_of(error.path()), error.why(), error.instead());
  }
}

// The steps so far; a request without them is about a filter that has admitted none.
Plan history_of(const Request& request) {
  if (request.has_plan() || request.find("steps")) return request.plan();
  const Adjacency relation = plan::read_adjacency(request);
  return Plan(relation.neighbors, relation.unit);
}

// The steps so far kept the cap; the budget may have been lowered since.
Filter filter_of(const Request& request) {
  const Plan history = history_of(request);
  const Adjacency& relation = history.adjacency();
  const Budget budget = filter::read_budget(request.require("budget", "a budget"), relation);
  const auto cap_field = request.find("cap");
  Filter filter(cap_field ? filter::read_budget(*cap_field, relation) : budget, relation);
  // Shares may be so small that no order admits anything. No steps cost nothing all the same.
  const FilterVerdict verdict = history.merged().empty() ? FilterVerdict{.runs = true} : filter.charge(history);
  if (!verdict.runs) {
    throw InvalidArgument("steps", "a history that costs more than the " + std::string(cap_field ? "cap" : "budget"),
                          "steps that a filter has admitted (" + verdict.reason + ")");
  }
  filter.set_budget(budget);
  return filter;
}

FilterRequest read(const Request& request) {
  FilterRequest asked{.filter = filter_of(request)};
  if (const auto step = request.find("step")) asked.step = read_step(*step, asked.filter.adjacency());
  if (const auto count = request.find("count")) {
    if (!asked.step) count->refuse("nothing without a \"step\", which it is the count of");
    asked.count = count->integer(1, std::numeric_limits<std::int64_t>::max());
  }
  if (request.find("delta")) asked.delta = read_delta(request);
  return asked;
}

// Adds the relation and the steps of a plan. The unit is stated also where it is 1: it belongs to the meaning.
void add_plan(Json& to, const Plan& plan) {
  to["neighbors"] = std::string(to_string(plan.adjacency().neighbors));
  to["unit"] = plan.adjacency().unit;
  to["steps"] = json::parse(write_plan(plan)).at("steps");
}

Json write_answer(const FilterAnswer& found) {
  Json answer = Json::object();
  answer["budget"] = filter::write_budget(found.budget);
  answer["cap"] = filter::write_budget(found.cap);
  add_plan(answer, found.history);
  if (found.verdict) {
    answer["runs"] = found.verdict->runs;
    if (!found.verdict->runs) answer["reason"] = found.verdict->reason;
    if (found.charged) answer["charged"] = *found.charged;
    answer["after"] = write_balances(found.verdict->after);
    answer["headroom"] = found.headroom;
    if (!found.verdict->runs) answer["would_fit"] = write_fitting(found.would_fit);
  }
  answer["remaining"] = write_balances(found.remaining);
  Json& guarantee = answer["guarantee"] = Json::object();
  add_plan(guarantee, found.guarantee);
  if (found.guaranteed) guarantee.update(write_cost(*found.guaranteed));
  if (found.cost_if_fixed_in_advance) {
    answer["cost_if_fixed_in_advance"] = write_cost(*found.cost_if_fixed_in_advance);
  }
  return answer;
}

}  // namespace
}  // namespace json_filter_file

json::Json write_balances(const std::vector<Balance>& balances) {
  json::Json rows = json::Json::array();
  for (const Balance& balance : balances) {
    json::Json row = json::Json::object();
    row["name"] = balance.name;
    if (balance.order) row["order"] = json::number(*balance.order);
    row["spent"] = json::number(balance.spent);
    row["limit"] = json::number(balance.limit);
    row["left"] = json::number(balance.left);
    row["within"] = balance.within;
    rows.push_back(std::move(row));
  }
  return rows;
}

json::Json write_fitting(const std::optional<FittingStep>& fitting) {
  if (!fitting) return nullptr;
  json::Json row = json::Json::object();
  row["parameter"] = fitting->parameter;
  row["value"] = json::number(fitting->value);
  if (!fitting->is_closest) row["is_closest"] = false;
  return row;
}

constinit const Op filter_op{"filter", json_filter_file::keys,
                             run<json_filter_file::read, json_filter_file::write_answer>};

FilterRequest read_filter_request(const Document& request) {
  return json_filter_file::read(checked(filter_op, request));
}

std::string write(const Document& request, const FilterAnswer& answer) {
  return written(filter_op, request, json_filter_file::write_answer(answer));
}

std::string text_of(const FilterAnswer& answer) { return json::write(json_filter_file::write_answer(answer)); }

Budget budget_of(const Document& budget, const Adjacency& relation) {
  return filter::read_budget(json::Field(opened(budget)), relation);
}

std::string text_of(const Budget& budget) { return json::write(filter::write_budget(budget)); }

Plan steps_of(const Document& request, const Adjacency& relation) {
  json::Json document = json::Json::object();
  const json::Json& members = opened(request);
  document["neighbors"] = members.value("neighbors", json::Json(std::string(to_string(relation.neighbors))));
  document["unit"] = members.value("unit", json::Json(relation.unit));
  document["steps"] = members.at("steps");
  return plan::read_plan(json::Field(document));
}

}  // namespace renyi::api
