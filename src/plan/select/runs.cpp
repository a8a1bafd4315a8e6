#include "plan/select/runs.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "json/show.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi {

namespace runs_file {
namespace {

// Distributions of the number of runs, as values: the parameters of each, and their ranges.
constexpr double most_runs = 1e15;
constexpr double formula_rounding = 16 * numerics::unit_roundoff;

constexpr Parameter mean_parameter{.name = "mean",
                                   .meaning = "how many runs there are on average",
                                   .lowest = 1,
                                   .highest = most_runs,
                                   .effect = Effect::raises_cost};
constexpr Parameter poisson_mean{.name = "mean",
                                 .meaning = "how many runs there are on average",
                                 .lowest = 1e-15,
                                 .highest = most_runs,
                                 .effect = Effect::raises_cost};
constexpr Parameter gamma_parameter{.name = "gamma",
                                    .meaning = "the smaller, the more runs",
                                    .lowest = 1e-15,
                                    .highest = 1,
                                    .effect = Effect::lowers_cost};
constexpr Parameter eta{.name = "eta",
                        .meaning = "shape of the law: 1 is geometric, 0 logarithmic",
                        .lowest = -1,
                        .highest = 1e6,
                        .lowest_allowed = false,
                        .effect = Effect::raises_cost};

// One distribution: its name, its parameters, and where their values are kept.
struct Row {
  std::string_view name;
  std::array<Parameter, 2> parameters{};
  std::array<double Runs::*, 2> members{};
  std::size_t size = 0;
};

constexpr std::array<Row, all_runs_laws.size()> rows{{
    {"geometric", {mean_parameter}, {&Runs::mean}, 1},
    {"logarithmic", {gamma_parameter}, {&Runs::gamma}, 1},
    {"negative-binomial", {eta, gamma_parameter}, {&Runs::eta, &Runs::gamma}, 2},
    {"poisson", {poisson_mean}, {&Runs::mean}, 1},
}};

const Row& row_of(RunsLaw law) { return rows[static_cast<std::size_t>(law)]; }

// Computes ln((1 - exp(-t))/t) for t of either sign, with a relative error of a few roundings.
double log_fallen(double t) {
  if (t == 0) return 0;
  return std::abs(t) < 1 ? std::log1p(-numerics::exp_remainder(-t) / t) : std::log(std::expm1(-t) / -t);
}

}  // namespace
}  // namespace runs_file

std::string_view to_string(RunsLaw law) noexcept { return runs_file::row_of(law).name; }

std::span<const Parameter> parameters(RunsLaw law) {
  const runs_file::Row& row = runs_file::row_of(law);
  return std::span(row.parameters).first(row.size);
}

std::vector<double> Runs::values() const {
  const runs_file::Row& row = runs_file::row_of(law);
  std::vector<double> result;
  for (std::size_t i = 0; i < row.size; ++i) result.push_back(this->*row.members[i]);
  return result;
}

Runs Runs::with(std::string_view parameter, double value) const {
  const runs_file::Row& row = runs_file::row_of(law);
  for (std::size_t i = 0; i < row.size; ++i) {
    if (row.parameters[i].name != parameter) continue;
    Runs changed = *this;
    changed.*row.members[i] = value;
    return changed;
  }
  throw InvalidArgument(std::string(parameter), fmt::format("{}", value), fmt::format("the numbers of {}", row.name));
}

void Runs::check() const {
  const runs_file::Row& row = runs_file::row_of(law);
  for (std::size_t i = 0; i < row.size; ++i) {
    const double value = this->*row.members[i];
    if (row.parameters[i].allows(value)) continue;
    throw InvalidArgument(std::string(row.parameters[i].name), fmt::format("{}", value), row.parameters[i].allowed());
  }
}

double Runs::expected() const {
  const bool given = law == RunsLaw::geometric || law == RunsLaw::poisson;
  return given ? mean : std::exp(plan::truncated_binomial(*this).log_mean) * (1 + runs_file::formula_rounding);
}

// With x = ln(1/gamma), E[K] = eta (1-gamma) / (gamma (1 - gamma^eta)), so
//     ln E[K] = x + ln((1 - exp(-x))/x) - ln((1 - exp(-eta x))/(eta x)):   Papernot, Steinke 2022, Definition 1.
plan::TruncatedBinomial plan::truncated_binomial(const Runs& runs) {
  if (runs.law == RunsLaw::geometric) {
    const double x = std::log(runs.mean) * (1 + runs_file::formula_rounding);
    return {.eta = 1, .log_inverse_gamma = x, .log_mean = x};
  }
  const double shape = runs.law == RunsLaw::logarithmic ? 0 : runs.eta, x = -std::log(runs.gamma);
  const double rise = runs_file::log_fallen(x), fall = runs_file::log_fallen(shape * x);
  const double rounding = runs_file::formula_rounding * (x + std::abs(rise) + std::abs(fall));
  return {.eta = shape,
          .log_inverse_gamma = x * (1 + runs_file::formula_rounding),
          .log_mean = std::max(0.0, x + rise - fall) + rounding};
}

// ln E[K] increases with ln(1/gamma). Returns the largest gamma for which it is at least the requested value after all
// roundings.
double plan::gamma_of_mean(double eta, double mean) {
  const Parameter& range = runs_file::gamma_parameter;
  const auto reaches = [&](double gamma) {
    const double x = -std::log(gamma), rise = runs_file::log_fallen(x), fall = runs_file::log_fallen(eta * x);
    const double rounding = 2 * runs_file::formula_rounding * (x + std::abs(rise) + std::abs(fall));
    return x + rise - fall - rounding >= std::log(mean);
  };
  if (mean == 1) return range.highest;
  double low = range.lowest, high = range.highest;
  if (!reaches(low)) return 0;
  while (high > low * (1 + 4 * numerics::unit_roundoff)) {
    const double middle = std::sqrt(low) * std::sqrt(high);
    if (!(middle > low && middle < high)) break;
    (reaches(middle) ? low : high) = middle;
  }
  return low;
}

namespace plan {

using json::Field;

namespace runs_file {
namespace {

constexpr std::string_view law_key = "law";
constexpr std::string_view gamma_key = "gamma";

double checked(const Field& value, const Parameter& parameter) {
  if (!value.value().is_number() || !parameter.allows(value.number())) value.refuse(parameter.allowed());
  return value.number();
}

// A geometric distribution may be given by gamma: its mean is 1/gamma, rounded up.
double mean_of(const Field& runs, const Field& gamma) {
  if (const auto mean = runs.find("mean")) {
    throw InvalidArgument(mean->path(), json::show(mean->value()), "either mean or gamma, not both");
  }
  if (gamma.is_null()) gamma.refuse("a number: geometric laws are solved for by their mean");
  const double value = checked(gamma, parameters(RunsLaw::logarithmic)[0]), mean = 1 / value;
  return std::fma(mean, value, -1) < 0 ? numerics::next_up(mean) : mean;
}

}  // namespace
}  // namespace runs_file

Runs read_runs(const Field& runs, const StandIn& stand_in) {
  Runs result{.law = runs.require(runs_file::law_key, "the law of the number of runs").choose<RunsLaw>(all_runs_laws)};
  const auto table = parameters(result.law);
  std::vector<std::string_view> keys{runs_file::law_key};
  for (const Parameter& parameter : table) keys.push_back(parameter.name);
  if (result.law == RunsLaw::geometric) keys.push_back(runs_file::gamma_key);
  runs.allow_only(keys);
  if (const auto gamma = runs.find(runs_file::gamma_key); gamma && result.law == RunsLaw::geometric) {
    return Runs::geometric(runs_file::mean_of(runs, *gamma));
  }
  for (const Parameter& parameter : table) {
    const Field value = runs.require(parameter.name, parameter.allowed());
    const auto open = stand_in(value, parameter);
    result = result.with(parameter.name, open ? *open : runs_file::checked(value, parameter));
  }
  return result;
}

json::Json write_runs(const Runs& runs) {
  json::Json result = json::Json::object();
  result[std::string(runs_file::law_key)] = std::string(to_string(runs.law));
  const auto table = parameters(runs.law);
  const auto values = runs.values();
  for (std::size_t i = 0; i < table.size(); ++i) result[std::string(table[i].name)] = values[i];
  return result;
}

}  // namespace plan

}  // namespace renyi
