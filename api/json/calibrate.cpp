// {"op":"calibrate","steps":[... one number null ...],"epsilon":3,"delta":1e-5,"by":"exact"}
//   -> {"value","extreme","parameter","path","by","rounded":{"value","epsilon","unspent"},
//       "classical"?:{"value","source"},"renyi":{"epsilon","order","conversion"},"exact":{"lower","upper",...}}
#include "renyi/calibrate.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "api/json/answers.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/write.h"
#include "plan/plan_reader.h"

namespace renyi::api {

namespace calibrate_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 7> keys{"epsilon", "delta", "by", "orders", "conversion", "tolerance", "memory"};
// Members that may be the one null, beside those of a plan.
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

// What the calibration is about: epsilon at the target's delta, or a solved delta at its epsilon.
struct Asked {
  Target target;
  Figure figure = Figure::epsilon;
};

// Also where it was not what met the target.
ExactAnswer exact_answer(const Calibration& found, const Asked& asked, const Wanted& wanted) {
  if (found.exact) return *found.exact;
  const ExactAccountant accountant(found.plan, wanted.options);
  return asked.figure == Figure::delta ? accountant.delta(asked.target.epsilon)
                                       : accountant.epsilon(asked.target.delta);
}

Json write_value(const Calibration& found, double value, std::int64_t count) {
  return found.is_whole ? Json(count) : json::number(value);
}

Json write_rounded(const Calibration& found, const RoundedValue& rounded, Figure figure) {
  Json result = Json::object();
  result["value"] = write_value(found, rounded.value, rounded.count);
  result[figure == Figure::delta ? "delta" : "epsilon"] = json::number(rounded.spent);
  result["unspent"] = json::number(rounded.unspent);
  return result;
}

Json write_calibration(const Calibration& found, const plan::Blank& blank, const Asked& asked, const Wanted& wanted) {
  Json answer = Json::object();
  answer["value"] = write_value(found, found.value, found.count);
  answer["extreme"] = found.effect == Effect::lowers_cost ? "smallest" : "largest";
  answer["parameter"] = blank.key;
  answer["path"] = blank.json_path;
  answer["by"] = std::string(to_string(found.by));
  answer["rounded"] = write_rounded(found, *found.rounded, asked.figure);
  if (found.classical) {
    answer["classical"]["value"] = json::number(*found.classical);
    answer["classical"]["source"] = "Dwork, Roth 2014, Theorem A.1";
  }
  answer["renyi"] = found.renyi_delta ? write_bound(*found.renyi_delta) : write_bound(found.renyi);
  answer["exact"] = exact_part(wanted, asked.figure, [&] { return exact_answer(found, asked, wanted); });
  return answer;
}

// Complaints about the unknown get the path of its step.
Calibration solve(const plan::PlanWithBlank& open, const Target& target, const CalibrateOptions& options) {
  const auto& [plan, blank] = open;
  try {
    return calibrate(plan, Unknown{blank.path, blank.parameter}, target, options);
  } catch (const Unsupported& error) {
    // Targets out of reach are said of the target's epsilon, also where a step has one.
    if (error.path() != blank.parameter || blank.parameter == "epsilon") throw;
    throw error.within(blank.json_path.substr(0, blank.json_path.size() - blank.key.size()));
  }
}

std::string note_on(const Calibration& found, const CalibrateOptions& options) {
  if (!found.beyond.empty()) return "the next values are not analysed: " + found.beyond;
  if (!options.by && found.by == Accounting::renyi) {
    return "calibrated by the Renyi bound, as this run has no exact figure";
  }
  if (found.unspent == 0) return "";
  return "private; the width of the exact interval hides how near the boundary is (a smaller tolerance may tell)";
}

Json run(const Request& request) {
  const auto open = plan::read_plan_with_blank(request, target_keys);
  const bool for_delta = open.blank.json_path == "delta";
  const Asked asked{read_target(request, open.blank), for_delta ? Figure::delta : Figure::epsilon};
  const Wanted wanted = read_want(request);
  const CalibrateOptions options = read_options(request, wanted);
  const Calibration found = solve(open, asked.target, options);
  Json answer = write_calibration(found, open.blank, asked, wanted);
  if (const std::string note = note_on(found, options); !note.empty()) answer["note"] = note;
  return answer;
}

}  // namespace
}  // namespace calibrate_file

constinit const Op calibrate_op{"calibrate", calibrate_file::keys, calibrate_file::run};

}  // namespace renyi::api
