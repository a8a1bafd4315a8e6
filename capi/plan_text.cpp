#include "capi/plan_text.h"

#include <cmath>
#include <string>
#include <string_view>
#include <variant>

#include "api/api.h"
#include "capi/guard.h"
#include "renyi/plan_json.h"

namespace renyi::capi {
namespace {

using api::Json;

constexpr std::string_view step_path = "steps[0]";

Json plan_file(const char* neighbors, std::int64_t unit, Json steps) {
  Json file = Json::object();
  file["renyi"] = 1;
  file["neighbors"] = neighbors;
  file["unit"] = unit;
  file["steps"] = std::move(steps);
  return file;
}

// JSON has no word for what is not finite.
double finite(const std::string& name, double value) {
  if (std::isnan(value)) throw InvalidArgument(name, "nan", "a finite number");
  if (std::isinf(value)) throw InvalidArgument(name, value > 0 ? "inf" : "-inf", "a finite number");
  return value;
}

Json step_of(const char* mechanism, const NamedValues& parameters, std::int64_t count) {
  Json step = Json::object();
  step["mechanism"] = mechanism;
  step["count"] = count;
  for (std::size_t i = 0; i < parameters.size; ++i) {
    require(parameters.names[i], "names", "the name of a parameter");
    const std::string name = parameters.names[i];
    if (step.contains(name)) throw InvalidArgument("names", name, "each parameter once, without mechanism and count");
    step[name] = finite(name, parameters.values[i]);
  }
  return step;
}

// C knows of one step: its parameters are named without the way there.
std::string without_step(std::string_view path) {
  if (path.starts_with(step_path)) path.remove_prefix(step_path.size());
  if (path.starts_with('.')) path.remove_prefix(1);
  return std::string(path);
}

Plan read_step(const Json& file) {
  try {
    return read_plan(api::write(file));
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(without_step(error.path()), error.value(), error.allowed());
  } catch (const Unsupported& error) {
    throw Unsupported(without_step(error.path()), error.why(), error.instead());
  }
}

}  // namespace

Plan empty_plan(const char* neighbors) {
  if (neighbors == nullptr) return Plan();
  return read_plan(api::write(plan_file(neighbors, 1, Json::array())));
}

void add_step(Plan& plan, const char* mechanism, const NamedValues& parameters, std::int64_t count) {
  require(mechanism, "mechanism", "the kind of a mechanism");
  if (parameters.size > 0) {
    require(parameters.names, "names", "an array of names");
    require(parameters.values, "values", "an array of values");
  }
  const std::string neighbors(to_string(plan.neighbors()));
  Json steps = Json::array({step_of(mechanism, parameters, count)});
  const Plan read = read_step(plan_file(neighbors.c_str(), plan.unit(), std::move(steps)));
  const Step& step = read.steps().front();
  plan.add(std::get<Mechanism>(step.what), step.count);
}

}  // namespace renyi::capi
