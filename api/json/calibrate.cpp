// {"op":"calibrate","steps":[... one number null ...],"epsilon":3,"delta":1e-5,"by":"exact"}
//   -> {"value","extreme","parameter","path","by","rounded":{"value","epsilon","unspent"},
//       "classical"?:{"value","source"},"renyi":{"epsilon","order","conversion"},"exact":{"lower","upper",...}}
#include "api/calibrate.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "api/json/answers.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/papers/classical_gaussian.h"

namespace renyi::api {

namespace calibrate_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 7> keys{"epsilon", "delta", "by", "orders", "conversion", "tolerance", "memory"};
// Members that may be null, in addition to the members of a plan.
constexpr std::array<std::string_view, 2> target_keys{"epsilon", "delta"};
constexpr int digits = 3;

CalibrateOptions read_options(const Field& request, const Wanted& wanted) {
  static constexpr std::array accountings{Accounting::renyi, Accounting::exact};
  CalibrateOptions options{.conversion = read_conversion(request), .exact = wanted.options, .digits = digits};
  if (const auto by = request.find("by")) options.by = by->choose<Accounting>(accountings);
  return options;
}

Target read_target(const Field& request, const plan::Blank& blank) {
  Target target;
  if (blank.json_path != "epsilon") target.epsilon = read_epsilon(request);
  if (blank.json_path != "delta") target.delta = read_delta(request);
  return target;
}

CalibrateRequest read(const Request& request) {
  const auto [plan, blank] = plan::read_plan_with_blank(request, target_keys);
  CalibrateRequest asked{.plan = plan, .number = {{blank.path, blank.parameter}, blank.key, blank.json_path}};
  asked.target = read_target(request, blank);
  const Wanted wanted = read_want(request);
  asked.options = read_options(request, wanted);
  asked.options.report_excess_width = wanted.tolerance_given;
  return asked;
}

Json write_value(const Calibration& found, double value, std::int64_t count) {
  return found.is_whole ? Json(count) : json::number(value);
}

Json write_rounded(const Calibration& found, const RoundedValue& rounded, Quantity quantity) {
  Json result = Json::object();
  result["value"] = write_value(found, rounded.value, rounded.count);
  result[std::string(to_string(quantity))] = json::number(rounded.spent);
  result["unspent"] = json::number(rounded.unspent);
  return result;
}

Json write(const CalibrateAnswer& calibrated) {
  const Calibration& found = calibrated.found;
  const Cost& cost = calibrated.cost;
  Json answer = Json::object();
  answer["value"] = write_value(found, found.value, found.count);
  answer["extreme"] = found.effect == Effect::lowers_cost ? "smallest" : "largest";
  answer["parameter"] = calibrated.number.name;
  answer["path"] = calibrated.number.path;
  answer["by"] = std::string(to_string(found.by));
  answer["rounded"] = write_rounded(found, *found.rounded, cost.quantity);
  if (found.classical) {
    answer["classical"]["value"] = json::number(*found.classical);
    answer["classical"]["source"] = std::string(classical_gaussian_source);
  }
  answer["renyi"] = write_bound(*cost.renyi, cost.quantity);
  answer["exact"] = write_exact(cost);
  if (!calibrated.note.empty()) answer["note"] = calibrated.note;
  return answer;
}

}  // namespace
}  // namespace calibrate_file

constinit const Op calibrate_op{"calibrate", calibrate_file::keys, run<calibrate_file::read, calibrate_file::write>};

CalibrateRequest read_calibrate(const Document& request) {
  return calibrate_file::read(checked(calibrate_op, request));
}

std::string write(const Document& request, const CalibrateAnswer& answer) {
  return written(calibrate_op, request, calibrate_file::write(answer));
}

}  // namespace renyi::api
