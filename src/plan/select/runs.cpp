// Laws of the number of runs as values: what each needs to know, and what is allowed.
#include "plan/select/runs.h"

#include <fmt/format.h>

#include <cmath>

#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi {

namespace {

constexpr double most_runs = 1e15;
constexpr double formula_rounding = 16 * numerics::unit_roundoff;

constexpr Parameter mean{.name = "mean",
                         .meaning = "how many runs there are on average",
                         .lowest = 1,
                         .highest = most_runs,
                         .effect = Effect::raises_cost};
constexpr Parameter poisson_mean{.name = "mean",
                                 .meaning = "how many runs there are on average",
                                 .lowest = 1e-15,
                                 .highest = most_runs,
                                 .effect = Effect::raises_cost};
constexpr Parameter gamma{.name = "gamma",
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

// One law: its name, its parameters, and where their values are kept.
struct Row {
  std::string_view name;
  std::array<Parameter, 2> parameters{};
  std::array<double Runs::*, 2> members{};
  std::size_t size = 0;
};

constexpr std::array<Row, all_runs_laws.size()> rows{{
    {"geometric", {mean}, {&Runs::mean}, 1},
    {"logarithmic", {gamma}, {&Runs::gamma}, 1},
    {"negative-binomial", {eta, gamma}, {&Runs::eta, &Runs::gamma}, 2},
    {"poisson", {poisson_mean}, {&Runs::mean}, 1},
}};

const Row& row_of(RunsLaw law) { return rows[static_cast<std::size_t>(law)]; }

// ln((1 - exp(-t))/t), whatever the sign of t.
double log_fallen(double t) { return t == 0 ? 0 : std::log(std::expm1(-t) / -t); }

}  // namespace

std::string_view to_string(RunsLaw law) noexcept { return row_of(law).name; }

std::span<const Parameter> parameters(RunsLaw law) {
  const Row& row = row_of(law);
  return std::span(row.parameters).first(row.size);
}

std::vector<double> Runs::values() const {
  const Row& row = row_of(law);
  std::vector<double> result;
  for (std::size_t i = 0; i < row.size; ++i) result.push_back(this->*row.members[i]);
  return result;
}

Runs Runs::with(std::string_view parameter, double value) const {
  const Row& row = row_of(law);
  for (std::size_t i = 0; i < row.size; ++i) {
    if (row.parameters[i].name != parameter) continue;
    Runs changed = *this;
    changed.*row.members[i] = value;
    return changed;
  }
  throw InvalidArgument(std::string(parameter), fmt::format("{}", value), fmt::format("the numbers of {}", row.name));
}

void Runs::check() const {
  const Row& row = row_of(law);
  for (std::size_t i = 0; i < row.size; ++i) {
    const double value = this->*row.members[i];
    if (row.parameters[i].allows(value)) continue;
    throw InvalidArgument(std::string(row.parameters[i].name), fmt::format("{}", value), row.parameters[i].allowed());
  }
}

double Runs::expected() const {
  const bool given = law == RunsLaw::geometric || law == RunsLaw::poisson;
  return given ? mean : std::exp(plan::truncated_binomial(*this).log_mean) * (1 + formula_rounding);
}

// With x = ln(1/gamma), E[K] = eta (1-gamma) / (gamma (1 - gamma^eta)), so
//     ln E[K] = x + ln((1 - exp(-x))/x) - ln((1 - exp(-eta x))/(eta x)):   Papernot, Steinke 2022, Definition 1.
plan::TruncatedBinomial plan::truncated_binomial(const Runs& runs) {
  if (runs.law == RunsLaw::geometric) {
    const double x = std::log(runs.mean) * (1 + formula_rounding);
    return {.eta = 1, .log_inverse_gamma = x, .log_mean = x};
  }
  const double shape = runs.law == RunsLaw::logarithmic ? 0 : runs.eta, x = -std::log(runs.gamma);
  const double rise = log_fallen(x), fall = log_fallen(shape * x);
  const double rounding = formula_rounding * (x + std::abs(rise) + std::abs(fall));
  return {.eta = shape,
          .log_inverse_gamma = x * (1 + formula_rounding),
          .log_mean = std::max(0.0, x + rise - fall) + rounding};
}

}  // namespace renyi
