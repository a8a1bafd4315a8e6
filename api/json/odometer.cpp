// {"op":"odometer","kind":"renyi","delta":1e-5,"orders"?:[...],"infinite_mass"?:0,"steps"?:[...]}
//   -> {"kind","epsilon","delta","order"?}
#include "api/odometer.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/write.h"
#include "plan/plan_reader.h"

namespace renyi::api {

namespace json_odometer_file {
namespace {

using json::Json;

constexpr std::array<std::string_view, 4> keys{"kind", "delta", "orders", "infinite_mass"};

Odometer odometer_of(const Request& request, const Adjacency& relation) {
  const auto kind =
      request.require("kind", "a kind of odometer").choose(std::span<const OdometerKind>(all_odometer_kinds));
  const double delta = request.require("delta", "a number in (0, 1)").number();
  const auto mass_field = request.find("infinite_mass");
  const double mass = mass_field ? mass_field->number() : 0;
  const auto orders = request.find("orders");
  if (orders && kind != OdometerKind::renyi) orders->refuse("no orders: they follow from delta");
  switch (kind) {
    case OdometerKind::zcdp: return Odometer::zcdp(delta, relation, mass);
    case OdometerKind::gdp: return Odometer::gdp(delta, relation, mass);
    case OdometerKind::renyi: break;
  }
  return Odometer::renyi(delta, relation, orders ? read_orders(*orders) : std::vector<double>{}, mass);
}

OdometerRequest read(const Request& request) {
  const bool has_steps = request.has_plan() || request.find("steps");
  const Adjacency relation = plan::read_adjacency(request);
  const Plan steps = has_steps ? request.plan() : Plan(relation.neighbors, relation.unit);
  OdometerRequest asked{odometer_of(request, steps.adjacency())};
  if (has_steps) asked.odometer.charge(steps);
  return asked;
}

Json write_answer(const OdometerAnswer& found) {
  Json answer = Json::object();
  answer["kind"] = std::string(to_string(found.kind));
  answer["epsilon"] = json::number(found.reading.epsilon);
  answer["delta"] = json::number(found.reading.delta);
  if (found.reading.order) answer["order"] = json::number(*found.reading.order);
  return answer;
}

}  // namespace
}  // namespace json_odometer_file

constinit const Op odometer_op{"odometer", json_odometer_file::keys,
                               run<json_odometer_file::read, json_odometer_file::write_answer>};

OdometerRequest read_odometer_request(const Document& request) {
  return json_odometer_file::read(checked(odometer_op, request));
}

std::string write(const Document& request, const OdometerAnswer& answer) {
  return written(odometer_op, request, json_odometer_file::write_answer(answer));
}

}  // namespace renyi::api
