// {"op":"calibrate","steps":[... one number null ...],"epsilon":3,"delta":1e-5,"by":"exact"}
//   -> {"value","extreme","parameter","path","by","rounded":{"value","epsilon","unspent"},
//       "classical"?:{"value","source"},"renyi":{"epsilon","order","conversion"},"exact":{"lower","upper",...}}
// With "split" there may be several nulls, and the answer has "values" for "value".
#include "api/calibrate.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "api/json/answers.h"
#include "api/json/content.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/show.h"
#include "json/write.h"
#include "plan/plan_reader.h"
#include "renyi/papers/classical_gaussian.h"

namespace renyi::api {

namespace calibrate_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 8> keys{"epsilon",    "delta",     "by",     "orders",
                                               "conversion", "tolerance", "memory", "split"};
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

bool follows_from_sizes(const ResolvedRun& run) {
  return run.unknown == UnknownSize::epochs || run.unknown == UnknownSize::batch_size;
}

CalibrateRequest read(const Request& request, const ResolvedRun* run) {
  const auto [plan, blank] = plan::read_plan_with_blank(request, target_keys);
  CalibrateRequest asked{.plan = plan, .number = {{blank.path, blank.parameter}, blank.key, blank.json_path}};
  if (run != nullptr && follows_from_sizes(*run)) asked.number.unknown = unknown_of(*run, plan);
  asked.target = read_target(request, blank);
  const Wanted wanted = read_want(request);
  asked.options = read_options(request, wanted);
  asked.options.report_excess_width = wanted.tolerance_given;
  return asked;
}

constexpr std::string_view equal_shares = "equal-shares", equal_error = "equal-error";

Split read_split_rule(const Field& split) {
  if (split.value() == equal_error) return {.rule = SplitRule::equal_error};
  if (split.value() == equal_shares) return {};
  if (!split.value().is_array()) {
    split.refuse("an array of shares, such as [60,40], \"equal-shares\" or \"equal-error\"");
  }
  return {.shares = read_numbers(split, "shares above 0", [](double share) { return share > 0; })};
}

SplitRequest read_several(const Request& request) {
  const Field split = request.require("split", "shares");
  if (request.run() != nullptr) split.refuse("nothing beside \"run\", which has one step: \"steps\" instead");
  const auto [plan, blanks] = plan::read_plan_with_blanks(request);
  SplitRequest asked{.plan = plan, .split = read_split_rule(split)};
  for (const plan::Blank& blank : blanks) {
    asked.numbers.push_back({{blank.path, blank.parameter}, blank.key, blank.json_path});
  }
  asked.target = {read_epsilon(request), read_delta(request)};
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
  answer["extreme"] = !found.is_extreme ? "last" : found.effect == Effect::lowers_cost ? "smallest" : "largest";
  answer["parameter"] = calibrated.number.name;
  answer["path"] = calibrated.number.path;
  answer["by"] = std::string(to_string(found.by));
  if (calibrated.number.unknown.sizes) answer["steps"] = found.plan.steps().front().count;
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

Json write_split(const SplitAnswer& solved) {
  const SplitCalibration& found = solved.found;
  Json answer = Json::object();
  answer["split"] = std::string(to_string(solved.rule));
  Json& values = answer["values"] = Json::array();
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const SplitValue& each = found.values[i];
    values.push_back(Json::object({{"parameter", solved.numbers[i].name},
                                   {"path", solved.numbers[i].path},
                                   {"value", json::number(each.value)},
                                   {"rounded", json::number(each.rounded)},
                                   {"stddev", json::number(each.stddev)}}));
  }
  answer["by"] = std::string(to_string(found.by));
  answer["rounded"]["epsilon"] = json::number(*found.rounded_epsilon);
  answer["rounded"]["unspent"] = json::number(solved.target.epsilon - *found.rounded_epsilon);
  answer["renyi"] = write_bound(*solved.cost.renyi, solved.cost.quantity);
  answer["exact"] = write_exact(solved.cost);
  if (!solved.note.empty()) answer["note"] = solved.note;
  return answer;
}

Json evaluate(const Request& request) {
  if (request.find("split")) return write_split(api::answer(read_several(request)));
  return write(api::answer(read(request, request.run())));
}

// Collects the places of numbers of one name in the steps of a request.
class Places {
 public:
  explicit Places(std::string name) : name_(std::move(name)) {}

  void enter(const Json& steps, const std::string& path) {
    if (!steps.is_array()) return;
    for (std::size_t i = 0; i < steps.size(); ++i) visit(steps[i], json::element_path(path, i));
  }
  std::vector<std::string> found() && { return std::move(found_); }

 private:
  void visit(const Json& step, const std::string& path) {
    if (step.is_array()) return enter(step, path);  // a part of a parallel step
    if (!step.is_object()) return;
    if (name_ == "count" || name_ == "steps") return found_.push_back(json::member_path(path, "count"));
    for (const char* inner : {"plan", "parallel", "select"}) {
      if (step.contains(inner)) enter(step.at(inner), json::member_path(path, inner));
    }
    for (const char* part : {"sampling", "runs"}) {
      if (step.contains(part)) visit_part(step.at(part), json::member_path(path, part));
    }
    const auto kind = step.find("mechanism");
    if (kind == step.end() || !kind->is_string()) return;
    if (const Mechanism* known = find_mechanism(kind->get<std::string>())) visit_mechanism(step, *known, path);
  }

  // The rate of a sampling is the sampling rate.
  void visit_part(const Json& part, const std::string& path) {
    if (!part.is_object()) return;
    const std::string key = name_ == "sampling_rate" ? "rate" : name_;
    if (part.contains(key)) found_.push_back(json::member_path(path, key));
  }

  // A step may spell the parameter by its name or by an alias.
  void visit_mechanism(const Json& step, const Mechanism& known, const std::string& path) {
    std::vector<std::string> spellings;
    for (const Parameter& parameter : known.parameters()) {
      if (parameter.name == name_) spellings.push_back(name_);
    }
    for (const Alias& alias : known.aliases()) {
      if (alias.name == name_ && !step.contains(alias.excluded)) {
        spellings.insert(spellings.end(), {name_, std::string(alias.parameter)});
      }
      if (alias.parameter == name_) spellings.emplace_back(alias.name);
    }
    if (spellings.empty()) return;
    const auto given =
        std::find_if(spellings.begin(), spellings.end(), [&](const std::string& key) { return step.contains(key); });
    found_.push_back(json::member_path(path, given == spellings.end() ? spellings.front() : *given));
  }

  std::string name_;
  std::vector<std::string> found_{};
};

}  // namespace
}  // namespace calibrate_file

constinit const Op calibrate_op{"calibrate", calibrate_file::keys, calibrate_file::evaluate};

CalibrateRequest read_calibrate(const Document& request, const ResolvedRun& run) {
  CalibrateRequest asked = calibrate_file::read(checked(calibrate_op, request), &run);
  if (calibrate_file::follows_from_sizes(run)) {
    asked.number.name = to_string(*run.unknown);
    asked.number.path = "run." + asked.number.name;
  }
  return asked;
}

SplitRequest read_split(const Document& request) {
  return calibrate_file::read_several(checked(calibrate_op, request));
}

std::vector<std::string> places_named(const Document& request, const std::string& name) {
  calibrate_file::Places places(name);
  const Json& members = opened(request);
  if (members.contains("steps")) places.enter(members.at("steps"), "steps");
  return std::move(places).found();
}

std::string write(const Document& request, const SplitAnswer& answer) {
  return written(calibrate_op, request, calibrate_file::write_split(answer));
}

std::string write(const Document& request, const CalibrateAnswer& answer) {
  return written(calibrate_op, request, calibrate_file::write(answer));
}

}  // namespace renyi::api
