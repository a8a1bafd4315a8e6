#include "plan/select/runs_json.h"

#include <cmath>

#include "json/show.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::plan {

namespace {

using json::Field;

constexpr std::string_view law_key = "law";
constexpr std::string_view gamma_key = "gamma";

double checked(const Field& value, const Parameter& parameter) {
  if (!value.value().is_number() || !parameter.allows(value.number())) value.refuse(parameter.allowed());
  return value.number();
}

// A geometric law may be given by gamma: its mean is 1/gamma, rounded up.
double mean_of(const Field& runs, const Field& gamma) {
  if (const auto mean = runs.find("mean")) {
    throw InvalidArgument(mean->path(), json::show(mean->value()), "either mean or gamma, not both");
  }
  if (gamma.is_null()) gamma.refuse("a number: geometric laws are solved for by their mean");
  const double value = checked(gamma, parameters(RunsLaw::logarithmic)[0]), mean = 1 / value;
  return std::fma(mean, value, -1) < 0 ? numerics::next_up(mean) : mean;
}

}  // namespace

Runs read_runs(const Field& runs, const StandIn& stand_in) {
  Runs result{.law = runs.require(law_key, "the law of the number of runs").choose<RunsLaw>(all_runs_laws)};
  const auto table = parameters(result.law);
  std::vector<std::string_view> keys{law_key};
  for (const Parameter& parameter : table) keys.push_back(parameter.name);
  if (result.law == RunsLaw::geometric) keys.push_back(gamma_key);
  runs.allow_only(keys);
  if (const auto gamma = runs.find(gamma_key); gamma && result.law == RunsLaw::geometric) {
    return Runs::geometric(mean_of(runs, *gamma));
  }
  for (const Parameter& parameter : table) {
    const Field value = runs.require(parameter.name, parameter.allowed());
    const auto open = stand_in(value, parameter);
    result = result.with(parameter.name, open ? *open : checked(value, parameter));
  }
  return result;
}

json::Json write_runs(const Runs& runs) {
  json::Json result = json::Json::object();
  result[std::string(law_key)] = std::string(to_string(runs.law));
  const auto table = parameters(runs.law);
  const auto values = runs.values();
  for (std::size_t i = 0; i < table.size(); ++i) result[std::string(table[i].name)] = values[i];
  return result;
}

}  // namespace renyi::plan
