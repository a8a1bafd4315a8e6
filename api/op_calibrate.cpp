// {"op":"calibrate","steps":[... one number null ...],"epsilon":3,"delta":1e-5}
//   -> {"value","parameter","path","renyi":{"epsilon","order","conversion"}}
#include <array>
#include <string>

#include "api/ops.h"
#include "api/options.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/calibrate.h"

namespace renyi::api {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 5> keys{"epsilon", "delta", "by", "orders", "conversion"};
constexpr std::string_view count_parameter = "count";

void check_by(const Field& request) {
  const auto by = request.find("by");
  if (!by || by->value() == "renyi") return;
  if (by->value() != "exact") by->refuse("one of renyi, exact");
  throw Unsupported(by->path(), "this version calibrates by the Renyi bound only", "use \"renyi\"");
}

Json write_calibration(const Calibration& found, const plan::Blank& blank) {
  Json answer = Json::object();
  answer["value"] = blank.parameter == count_parameter ? Json(found.count) : json::number(found.value);
  answer["parameter"] = blank.key;
  answer["path"] = blank.json_path;
  answer["renyi"] = write_bound(found.achieved);
  return answer;
}

// Complaints about the unknown get the path of its step.
Calibration solve(const plan::PlanWithBlank& open, const Target& target, const ConversionOptions& options) {
  const auto& [plan, blank] = open;
  try {
    return calibrate(plan, Unknown{blank.path, blank.parameter}, target, options);
  } catch (const Unsupported& error) {
    if (error.path() != blank.parameter) throw;
    throw error.within(blank.json_path.substr(0, blank.json_path.size() - blank.key.size()));
  }
}

Json run(const Field& request) {
  check_by(request);
  const auto open = plan::read_plan_with_blank(request);
  const Target target{.epsilon = read_epsilon(request), .delta = read_delta(request)};
  return write_calibration(solve(open, target, read_conversion(request)), open.blank);
}

}  // namespace

constinit const Op calibrate_op{"calibrate", keys, run};

}  // namespace renyi::api
