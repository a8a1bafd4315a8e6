// {"op":"rdp","steps":[...],"orders":[2,4.5,"inf"]} -> {"rdp":[...],"obstacles"?:[{"order","why"}],"note"?,"sampling"?}
// {"op":"rdp","steps":[...],"compare":"closed-form"}
//   -> {"orders":[...],"rdp":[...],"closed_form":[...],"ratio_estimate":[...],"conditions_end":[...]}
#include "api/rdp.h"

#include <array>
#include <nlohmann/json.hpp>

#include "api/json/answers.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/write.h"
#include "renyi/papers/sampled_gaussian.h"

namespace renyi::api {

namespace rdp_file {
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

// The theorem states the larger direction, and the exact curve is compared with it.
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

RdpRequest read(const Request& request) {
  RdpRequest asked{.plan = request.plan()};
  if (const auto compare = request.find("compare")) {
    asked.closed_form = true;
    asked.orders = read_compare(request, *compare);
    return asked;
  }
  asked.orders = read_orders(request.require("orders", "an array of orders, or \"traditional\""));
  asked.options = read_options(request);
  return asked;
}

Json write(const RdpAnswer& found) {
  if (found.comparison) return write_comparison(*found.comparison);
  Json answer = Json::object();
  Json& values = answer["rdp"] = Json::array();
  for (const double upper : found.upper) values.push_back(json::number(upper));
  for (const auto& [order, why] : found.obstacles) {
    answer["obstacles"].push_back({{"order", json::number(order)}, {"why", why}});
  }
  if (!found.note.empty()) answer["note"] = found.note;
  write_overflows(answer, found.overflows);
  return answer;
}

}  // namespace
}  // namespace rdp_file

constinit const Op rdp_op{"rdp", rdp_file::keys, run<rdp_file::read, rdp_file::write>};

RdpRequest read_rdp(const Document& request) { return rdp_file::read(checked(rdp_op, request)); }

std::string write(const Document& request, const RdpAnswer& answer) {
  return written(rdp_op, request, rdp_file::write(answer));
}

}  // namespace renyi::api
