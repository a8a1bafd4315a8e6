// Filter files, format version 1 (docs/format/filter.md).
#include <array>
#include <nlohmann/json.hpp>

#include "filter/budget_json.h"
#include "filter/checksum.h"
#include "json/field.h"
#include "json/parse.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/error.h"
#include "renyi/filter.h"

namespace renyi {

using json::Field;
using json::Json;

namespace filter_json_file {
namespace {

constexpr std::string_view version_key = "renyi-filter";

void check_header(const Field& document) {
  document.allow_only(
      std::array<std::string_view, 7>{version_key, "neighbors", "unit", "budget", "cap", "steps", "checksum"});
  document.require(version_key, "1, the version of the format").integer(1, 1);
  filter::check_checksum(document);
}

}  // namespace
}  // namespace filter_json_file

// The steps are charged under the cap, which they have kept; the budget may have been lowered since.
Filter read_filter(std::string_view text) {
  const Json document = json::parse(text);
  const Field field(document);
  filter_json_file::check_header(field);
  const Adjacency relation = plan::read_adjacency(field);
  const Budget budget = filter::read_budget(field.require("budget", "a budget"), relation);
  const auto cap_field = field.find("cap");
  const Budget cap = cap_field ? filter::read_budget(*cap_field, relation) : budget;
  Filter filter(cap, relation);
  if (!filter.restore(plan::read_plan(field))) {
    throw InvalidArgument("steps", "steps that cost more than the cap", "steps that a filter has admitted");
  }
  filter.set_budget(budget);
  return filter;
}

std::string write_filter(const Filter& filter) {
  const Json plan = json::parse(write_plan(filter.history()));
  Json document = Json::object();
  document[filter_json_file::version_key] = 1;
  document["neighbors"] = plan.at("neighbors");
  if (plan.contains("unit")) document["unit"] = plan.at("unit");
  document["budget"] = filter::write_budget(filter.budget());
  if (filter.cap() != filter.budget()) document["cap"] = filter::write_budget(filter.cap());
  document["steps"] = plan.at("steps");
  document["checksum"] = filter::checksum(document);
  return json::write(document);
}

}  // namespace renyi
