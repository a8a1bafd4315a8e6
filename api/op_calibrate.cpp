// {"op":"calibrate","steps":[... one number null ...],"epsilon":3,"delta":1e-5,"by":"exact"}
//   -> {"value","parameter","path","by","renyi":{"epsilon","order","conversion"},"exact":{"lower","upper",...}}
#include <array>
#include <string>

#include "api/ops.h"
#include "api/options.h"
#include "api/want.h"
#include "api/write_exact.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/calibrate.h"

namespace renyi::api {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 7> keys{"epsilon", "delta", "by", "orders", "conversion", "tolerance", "memory"};
constexpr std::string_view count_parameter = "count";

CalibrateOptions read_options(const Field& request, const Wanted& wanted) {
  static constexpr std::array accountings{Accounting::renyi, Accounting::exact};
  CalibrateOptions options{.conversion = read_conversion(request), .exact = wanted.options};
  if (const auto by = request.find("by")) options.by = by->choose<Accounting>(accountings);
  return options;
}

// Also where it was not what met the target.
ExactAnswer exact_answer(const Calibration& found, double delta, const Wanted& wanted) {
  return found.exact ? *found.exact : ExactAccountant(found.plan, wanted.options).epsilon(delta);
}

Json write_calibration(const Calibration& found, const plan::Blank& blank, double delta, const Wanted& wanted) {
  Json answer = Json::object();
  answer["value"] = blank.parameter == count_parameter ? Json(found.count) : json::number(found.value);
  answer["parameter"] = blank.key;
  answer["path"] = blank.json_path;
  answer["by"] = std::string(to_string(found.by));
  answer["renyi"] = write_bound(found.renyi);
  answer["exact"] = exact_part(wanted, Figure::epsilon, [&] { return exact_answer(found, delta, wanted); });
  return answer;
}

// Complaints about the unknown get the path of its step.
Calibration solve(const plan::PlanWithBlank& open, const Target& target, const CalibrateOptions& options) {
  const auto& [plan, blank] = open;
  try {
    return calibrate(plan, Unknown{blank.path, blank.parameter}, target, options);
  } catch (const Unsupported& error) {
    if (error.path() != blank.parameter) throw;
    throw error.within(blank.json_path.substr(0, blank.json_path.size() - blank.key.size()));
  }
}

std::string note_on(const Calibration& found, const CalibrateOptions& options) {
  if (!options.by && found.by == Accounting::renyi) {
    return "calibrated by the Renyi bound, as this run has no exact figure";
  }
  if (found.unspent == 0) return "";
  return "private; the width of the exact interval hides how near the boundary is (a smaller tolerance may tell)";
}

Json run(const Request& request) {
  const auto open = plan::read_plan_with_blank(request);
  const Target target{.epsilon = read_epsilon(request), .delta = read_delta(request)};
  const Wanted wanted = read_want(request);
  const CalibrateOptions options = read_options(request, wanted);
  const Calibration found = solve(open, target, options);
  Json answer = write_calibration(found, open.blank, target.delta, wanted);
  if (const std::string note = note_on(found, options); !note.empty()) answer["note"] = note;
  return answer;
}

}  // namespace

constinit const Op calibrate_op{"calibrate", keys, run};

}  // namespace renyi::api
