// {"op":"rdp","steps":[...],"orders":[2,4.5,"inf"]} -> {"rdp":[...]}
#include <array>

#include "api/ops.h"
#include "api/options.h"
#include "json/write.h"
#include "plan/plan_reader.h"

namespace renyi::api {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 3> keys{"orders", "direction", "method"};

std::string_view to_string(Direction direction) { return direction == Direction::remove ? "remove" : "add"; }

Direction read_direction(const Field& field) {
  for (const Direction direction : {Direction::remove, Direction::add}) {
    if (field.value() == to_string(direction)) return direction;
  }
  field.refuse("one of remove, add");
}

RdpOptions read_options(const Field& request) {
  using enum SampledGaussianMethod;
  static constexpr std::array methods{quadrature, integer, series, closed_form};
  RdpOptions options;
  if (const auto field = request.find("direction")) options.direction = read_direction(*field);
  if (const auto field = request.find("method")) options.method = field->choose<SampledGaussianMethod>(methods);
  return options;
}

Json run(const Field& request) {
  const Plan plan = plan::read_plan(request);
  const auto orders = read_orders(request.require("orders", "an array of orders, or \"traditional\""));
  const RdpOptions options = read_options(request);
  Json answer = Json::object();
  Json& values = answer["rdp"] = Json::array();
  for (const Bounded& value : rdp(plan, orders, options)) values.push_back(json::number(value.upper()));
  return answer;
}

}  // namespace

constinit const Op rdp_op{"rdp", keys, run};

}  // namespace renyi::api
