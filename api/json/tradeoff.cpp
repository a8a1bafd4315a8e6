// {"op":"tradeoff","steps":[...],"type_1_errors":[0.01,0.1]}
//   -> {"points":[{"type_1_error","type_2_error":{"lower","upper"},"power":{...},"direction","remove","add"},...],
//       "advantage":{"lower","upper"},"note"?}
#include "renyi/tradeoff.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "api/json/answers.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/write.h"
#include "renyi/error.h"

namespace renyi::api {

namespace tradeoff_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 3> keys{"type_1_errors", "tolerance", "memory"};
constexpr std::array<double, 7> usual_errors{1e-6, 1e-4, 0.001, 0.01, 0.05, 0.1, 0.5};

std::vector<double> read_errors(const Field& request) {
  const auto field = request.find("type_1_errors");
  if (!field) return {usual_errors.begin(), usual_errors.end()};
  return read_numbers(*field, "numbers in [0, 1]", [](double a) { return a >= 0 && a <= 1; });
}

Json write(const ErrorRange& range) {
  Json json = Json::object();
  json["lower"] = json::number(range.lower);
  json["upper"] = json::number(range.upper);
  return json;
}

void write(Json& json, const LeastError& least) {
  json["type_2_error"] = write(least.type_two);
  json["power"] = write(least.power);
}

Json write(const LeastError& least) {
  Json json = Json::object();
  write(json, least);
  return json;
}

Json write(const TradeoffPoint& point) {
  Json row = Json::object();
  row["type_1_error"] = json::number(point.type_one);
  write(row, point.worst);
  row["direction"] = std::string(to_string(point.direction));
  row["remove"] = write(point.remove);
  row["add"] = write(point.add);
  return row;
}

// Wider than anyone would take for exact.
bool is_wide(const ErrorRange& range) {
  constexpr double widest = 1e-3;
  return !(range.upper - range.lower <= widest);
}

bool is_wide(const LeastError& least) { return is_wide(least.type_two) || is_wide(least.power); }

bool is_wide(const TradeoffPoint& point) { return is_wide(point.worst) || is_wide(point.remove) || is_wide(point.add); }

Json answer_for(const Plan& plan, const std::vector<double>& errors, const ExactOptions& options) {
  const auto points = tradeoff(plan, errors, options);
  const ErrorRange most = advantage(plan, options);
  Json answer = Json::object();
  answer["points"] = Json::array();
  for (const TradeoffPoint& point : points) answer["points"].push_back(write(point));
  answer["advantage"] = write(most);
  const bool wide = std::any_of(points.begin(), points.end(), [](const auto& point) { return is_wide(point); });
  if (wide || is_wide(most)) answer["note"] = "some intervals are wide: no engine is narrow there";
  return answer;
}

Json run(const Request& request) {
  const Plan plan = request.plan();
  const auto errors = read_errors(request);
  const ExactOptions options = read_want(request).options;
  try {
    return answer_for(plan, errors, options);
  } catch (const Unsupported& error) {
    throw Unsupported(error.path(), error.why(), "give the mechanism itself");
  }
}

}  // namespace
}  // namespace tradeoff_file

constinit const Op tradeoff_op{"tradeoff", tradeoff_file::keys, tradeoff_file::run};

}  // namespace renyi::api
