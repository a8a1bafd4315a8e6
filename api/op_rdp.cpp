// {"op":"rdp","steps":[...],"orders":[2,4.5,"inf"]} -> {"rdp":[...],"note"?,"sampling"?}
// {"op":"rdp","steps":[...],"compare":"closed-form"}
//   -> {"orders":[...],"rdp":[...],"closed_form":[...],"ratio_estimate":[...],"conditions_end":[...]}
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "api/answers.h"
#include "api/ops.h"
#include "api/options.h"
#include "json/write.h"
#include "renyi/closed_form.h"

namespace renyi::api {

namespace op_rdp_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 4> keys{"orders", "direction", "method", "compare"};

RdpOptions read_options(const Field& request) {
  RdpOptions options;
  if (const auto field = request.find("direction")) options.direction = read_direction(*field);
  if (const auto field = request.find("method")) options.method = read_method(*field);
  return options;
}

// The theorem is about the larger direction, and about the exact curve beside it.
std::vector<double> read_compare(const Field& request, const Field& compare) {
  if (compare.value() != "closed-form") compare.refuse("only closed-form");
  for (const std::string_view key : {"direction", "method"}) {
    if (const auto field = request.find(key)) field->refuse("nothing together with \"compare\"");
  }
  const auto orders = request.find("orders");
  return orders ? read_orders(*orders) : std::vector<double>{};
}

Json write_closed_form(const ClosedFormRow& row) {
  if (row.closed_form) return json::number(row.closed_form->upper());
  Json missing = Json::object();
  missing["unavailable"] = row.obstacle;
  return missing;
}

Json write_end(const ClosedFormStep& step) {
  Json end = Json::object();
  end["sampling_rate"] = step.step.sampling_rate;
  end["noise_multiplier"] = step.step.noise_multiplier;
  end["order"] = json::number(step.end.order);
  end["condition"] = step.end.condition;
  return end;
}

Json write_comparison(const ClosedFormComparison& comparison) {
  Json answer = Json::object();
  for (const char* key : {"orders", "rdp", "closed_form", "ratio_estimate", "conditions_end"}) {
    answer[key] = Json::array();
  }
  for (const ClosedFormRow& row : comparison.rows) {
    answer["orders"].push_back(json::number(row.order));
    answer["rdp"].push_back(json::number(row.exact.upper()));
    answer["closed_form"].push_back(write_closed_form(row));
    answer["ratio_estimate"].push_back(row.ratio_estimate ? json::number(*row.ratio_estimate) : Json(nullptr));
  }
  for (const ClosedFormStep& step : comparison.steps) answer["conditions_end"].push_back(write_end(step));
  return answer;
}

// Why no order is finite.
void note_infinite_loss(Json& answer, const Plan& plan) {
  const auto curve = compose(plan);
  const double remove = curve->infinite_mass(Direction::remove).upper();
  const double most = std::min(1.0, std::max(remove, curve->infinite_mass(Direction::add).upper()));
  if (most == 0) return;
  answer["note"] = fmt::format(
      "the loss is infinite with probability {:.6g}, so that no order is finite where that is; epsilon and delta pay "
      "for it apart",
      most);
}

Json run(const Request& request) {
  const Plan plan = request.plan();
  if (const auto compare = request.find("compare")) {
    return write_comparison(compare_closed_form(plan, read_compare(request, *compare)));
  }
  const auto orders = read_orders(request.require("orders", "an array of orders, or \"traditional\""));
  const RdpOptions options = read_options(request);
  Json answer = Json::object();
  Json& values = answer["rdp"] = Json::array();
  for (const Bounded& value : rdp(plan, orders, options)) values.push_back(json::number(value.upper()));
  note_infinite_loss(answer, plan);
  note_overflow(answer, plan);
  return answer;
}

}  // namespace
}  // namespace op_rdp_file

constinit const Op rdp_op{"rdp", op_rdp_file::keys, op_rdp_file::run};

}  // namespace renyi::api
