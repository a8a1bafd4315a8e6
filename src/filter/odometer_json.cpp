// Odometer files, format version 1 (docs/format/filter.md).
#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "filter/checksum.h"
#include "json/field.h"
#include "json/parse.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/error.h"
#include "renyi/odometer.h"

namespace renyi {

using json::Field;
using json::Json;

namespace odometer_json_file {
namespace {

constexpr std::string_view version_key = "renyi-odometer";

OdometerKind read_kind(const Field& document) {
  const auto kind =
      document.require("kind", "a kind of odometer").choose(std::span<const OdometerKind>(all_odometer_kinds));
  std::vector<std::string_view> keys{version_key, "neighbors",     "unit",  "kind",
                                     "delta",     "infinite_mass", "steps", "checksum"};
  if (kind == OdometerKind::renyi) keys.emplace_back("orders");
  document.allow_only(keys);
  return kind;
}

Odometer read_empty(const Field& document) {
  const OdometerKind kind = read_kind(document);
  const Adjacency relation = plan::read_adjacency(document);
  const double delta = document.require("delta", "a number in (0, 1)").number();
  const auto mass = document.find("infinite_mass");
  const double infinite_mass = mass ? mass->number() : 0;
  if (kind == OdometerKind::zcdp) return Odometer::zcdp(delta, relation, infinite_mass);
  if (kind == OdometerKind::gdp) return Odometer::gdp(delta, relation, infinite_mass);
  const Field list = document.require("orders", "a list of orders above 1");
  std::vector<double> orders;
  for (const Field& order : list.items()) orders.push_back(order.number());
  if (orders.empty()) list.refuse("at least one order");
  return Odometer::renyi(delta, relation, std::move(orders), infinite_mass);
}

}  // namespace
}  // namespace odometer_json_file

Odometer read_odometer(std::string_view text) {
  const Json document = json::parse(text);
  const Field field(document);
  field.require(odometer_json_file::version_key, "1, the version of the format").integer(1, 1);
  filter::check_checksum(field);
  Odometer odometer = odometer_json_file::read_empty(field);
  odometer.charge(plan::read_plan(field));
  return odometer;
}

std::string write_odometer(const Odometer& odometer) {
  const Json plan = json::parse(write_plan(odometer.history()));
  Json document = Json::object();
  document[odometer_json_file::version_key] = 1;
  document["neighbors"] = plan.at("neighbors");
  if (plan.contains("unit")) document["unit"] = plan.at("unit");
  document["kind"] = std::string(to_string(odometer.kind()));
  document["delta"] = odometer.delta();
  if (odometer.infinite_mass() > 0) document["infinite_mass"] = odometer.infinite_mass();
  if (odometer.kind() == OdometerKind::renyi) document["orders"] = odometer.orders();
  document["steps"] = plan.at("steps");
  document["checksum"] = filter::checksum(document);
  return json::write(document);
}

}  // namespace renyi
