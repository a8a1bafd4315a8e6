#include "calibrate/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

#include "renyi/error.h"

namespace renyi::calibrate_detail {

namespace split_file {
namespace {

// What a share is a share of: rho, which falls with the square of the noise, or epsilon, which falls with the noise.
enum class Budget { rho, epsilon };

double same(double x) { return x; }
double square(double x) { return x * x; }
double root(double x) { return std::sqrt(x); }

double laplace_stddev(double scale) { return std::numbers::sqrt2 * scale; }
double laplace_scale(double stddev) { return stddev / std::numbers::sqrt2; }
constexpr double logistic_ratio = std::numbers::pi / std::numbers::sqrt3;
double logistic_stddev(double scale) { return logistic_ratio * scale; }
double logistic_scale(double stddev) { return stddev / logistic_ratio; }

// With r = exp(-1/scale), the variance is 2 r / (1 - r)^2.
double discrete_laplace_stddev(double scale) {
  const double r = std::exp(-1 / scale);
  return std::sqrt(2 * r) / -std::expm1(-1 / scale);
}
// The inverse: 1 - r is the positive root x of v x^2 + 2 x - 2 = 0, for the variance v.
double discrete_laplace_scale(double stddev) {
  const double x = 2 / (1 + std::sqrt(1 + 2 * stddev * stddev));
  return -1 / std::log1p(-x);
}

// A parameter that is the size of noise.
struct NoiseParameter {
  std::string_view kind;
  std::string_view parameter;
  std::string_view sensitivity;  // the name of the parameter; empty: the noise is in units of the sensitivity
  Budget budget;
  double (*stddev_of)(double);  // the standard deviation of the noise, given the parameter
  double (*of_stddev)(double);
  // Shares compare the noise in units of the sensitivity: the size, which is the parameter itself but for a variance.
  double (*size_of)(double) = same;
  double (*of_size)(double) = same;
};
constexpr std::array<NoiseParameter, 7> noise_parameters{{
    {"gaussian", "stddev", "l2_sensitivity", Budget::rho, same, same},
    {"discrete-gaussian", "stddev", "sensitivity", Budget::rho, same, same},
    {"skellam", "variance", "sensitivity", Budget::rho, root, square, root, square},
    {"laplace", "scale", "l1_sensitivity", Budget::epsilon, laplace_stddev, laplace_scale},
    {"discrete-laplace", "scale", "sensitivity", Budget::epsilon, discrete_laplace_stddev, discrete_laplace_scale},
    {"logistic", "scale", "sensitivity", Budget::epsilon, logistic_stddev, logistic_scale},
    {"sampled-gaussian", "noise_multiplier", "", Budget::rho, same, same},
}};

std::string place(std::size_t i) { return fmt::format("unknowns[{}]", i); }

const NoiseParameter& noise_parameter(const Step& step, const Unknown& unknown, std::size_t i) {
  if (const auto* mechanism = std::get_if<Mechanism>(&step.what)) {
    for (const NoiseParameter& each : noise_parameters) {
      if (each.kind == mechanism->kind() && each.parameter == unknown.parameter) return each;
    }
  }
  std::string all;
  for (const NoiseParameter& each : noise_parameters) {
    all += fmt::format("{}{} of {}", all.empty() ? "" : ", ", each.parameter, each.kind);
  }
  throw Unsupported(place(i),
                    fmt::format("{} is not the size of a noise that a budget can be split over", unknown.parameter),
                    "solve for " + all + "; or for one number alone");
}

double value_of(const Mechanism& mechanism, std::string_view name) {
  const auto table = mechanism.parameters();
  const auto values = mechanism.values();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) return values[i];
  }
  return 1;
}

// Returns how often the step at the path runs: the product of its count and those of the groups around it.
double runs_of(const Plan& plan, const Unknown& unknown, std::size_t i) {
  double runs = 1;
  const Steps* steps = &plan.steps();
  for (const std::size_t index : unknown.path) {
    if (steps == nullptr) {
      throw Unsupported(place(i), "a step inside a parallel step or a selection has no share of its own",
                        "split by equal error");
    }
    const Step& step = (*steps)[index];
    runs *= static_cast<double>(step.count);
    steps = std::get_if<Steps>(&step.what);
  }
  return runs;
}

void check_shares(const Split& split, std::size_t unknowns) {
  if (split.rule == SplitRule::equal_error && !split.shares.empty()) {
    throw InvalidArgument("split", fmt::format("{} shares and equal error", split.shares.size()), "one of the two");
  }
  if (!split.shares.empty() && split.shares.size() != unknowns) {
    throw InvalidArgument("split", fmt::format("{} shares", split.shares.size()),
                          fmt::format("one share for each of the {} unknowns, in their order", unknowns));
  }
  for (std::size_t i = 0; i < split.shares.size(); ++i) {
    constexpr double least = 1e-9, most = 1e9;
    if (split.shares[i] >= least && split.shares[i] <= most) continue;
    throw InvalidArgument(fmt::format("split[{}]", i), fmt::format("{}", split.shares[i]),
                          "a share from 1e-9 to 1e9; only ratios matter");
  }
}

}  // namespace
}  // namespace split_file

// The parameter is of_stddev(t) for equal error, and of_size(weight * t) for shares.
struct SplitNoise::Noise {
  Unknown unknown;
  const split_file::NoiseParameter* parameter = nullptr;
  Parameter number;
  double weight = 0;  // 0 for equal error

  double value_at(double t) const { return weight > 0 ? parameter->of_size(weight * t) : parameter->of_stddev(t); }
  double t_of(double value) const {
    return weight > 0 ? parameter->size_of(value) / weight : parameter->stddev_of(value);
  }
};

namespace split_file {
namespace {

// Gaussian noise of standard deviation s in n runs costs rho = n (sensitivity / s)^2 / 2, and Laplace noise of scale s
// costs epsilon = n sensitivity / s. With s = weight t, rho = share / (2 t^2) and epsilon = share / t.
double weight_of(const NoiseParameter& noise, double sensitivity, double runs, double share) {
  return sensitivity * (noise.budget == Budget::rho ? std::sqrt(runs / share) : runs / share);
}

void check_unsampled(const Mechanism& mechanism, std::size_t i) {
  if (mechanism.sampling() == nullptr && mechanism.kind() != "sampled-gaussian") return;
  throw Unsupported(place(i), "a step on a sample of the records has no share of its own", "split by equal error");
}

}  // namespace
}  // namespace split_file

SplitNoise::SplitNoise(const Plan& plan, const std::vector<Unknown>& unknowns, const Split& split) : plan_(plan) {
  if (unknowns.empty()) throw InvalidArgument("unknowns", "none", "one noise parameter or more");
  split_file::check_shares(split, unknowns.size());
  double sum = 0;
  for (const double share : split.shares) sum += share;
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    Noise noise{.unknown = without_alias(plan, unknowns[i]), .parameter = nullptr, .number = {}, .weight = 0};
    const bool is_repeated = std::any_of(noises_.begin(), noises_.end(),
                                         [&](const Noise& other) { return other.unknown.path == noise.unknown.path; });
    if (is_repeated) throw InvalidArgument(split_file::place(i), noise.unknown.parameter, "one number of each step");
    const Step step = step_at(plan, noise.unknown.path);
    noise.parameter = &split_file::noise_parameter(step, noise.unknown, i);
    noise.number = number_of(step, noise.unknown.parameter);
    if (split.rule == SplitRule::shares) {
      const auto& mechanism = std::get<Mechanism>(step.what);
      split_file::check_unsampled(mechanism, i);
      const double share = split.shares.empty() ? 1 / static_cast<double>(unknowns.size()) : split.shares[i] / sum;
      noise.weight =
          split_file::weight_of(*noise.parameter, split_file::value_of(mechanism, noise.parameter->sensitivity),
                                split_file::runs_of(plan, noise.unknown, i), share);
    }
    noises_.push_back(std::move(noise));
  }
}

SplitNoise::~SplitNoise() = default;

OpenNumber SplitNoise::open() const {
  constexpr double rounding = 1e-12;
  Parameter size{.name = "noise",
                 .meaning = "common size of the noise",
                 .lowest = 0,
                 .highest = 1e300,
                 .effect = Effect::lowers_cost};
  for (const Noise& noise : noises_) {
    size.lowest = std::max(size.lowest, noise.t_of(noise.number.lowest) * (1 + rounding));
    size.highest = std::min(size.highest, noise.t_of(noise.number.highest) * (1 - rounding));
  }
  if (!(size.lowest < size.highest)) {
    throw InvalidArgument("split", "noise of very different sizes", "values that are allowed at the same time");
  }
  const double held = std::clamp(1.0, size.lowest, size.highest);
  return {.number = size, .held = of_value(held), .steps_with = [this](const Setting& setting) {
            Steps steps = plan_.steps();
            for (const Noise& noise : noises_) {
              steps = changed(steps, noise.unknown.path, [&](const Step& step) {
                return with_number(step, noise.unknown.parameter, of_value(noise.value_at(setting.value)));
              });
            }
            return steps;
          }};
}

std::vector<SplitValue> SplitNoise::values_at(double t, std::optional<int> digits) const {
  std::vector<SplitValue> values;
  for (const Noise& noise : noises_) {
    const double value = noise.value_at(t);
    double rounded = digits ? to_digits(value, *digits, true) : value;
    if (!noise.number.allows(rounded)) rounded = value;
    values.push_back({noise.unknown, value, rounded, noise.parameter->stddev_of(value)});
  }
  return values;
}

Plan plan_with_values(const Plan& plan, const std::vector<Unknown>& unknowns, const std::vector<double>& values) {
  Steps steps = plan.steps();
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    steps = changed(steps, unknowns[i].path,
                    [&](const Step& step) { return with_number(step, unknowns[i].parameter, of_value(values[i])); });
  }
  Plan result(plan.neighbors(), plan.unit());
  for (Step& each : steps) result.add(std::move(each));
  return result;
}

}  // namespace renyi::calibrate_detail

namespace renyi {

std::vector<Unknown> noise_unknowns(const Plan& plan) {
  namespace file = calibrate_detail::split_file;
  std::vector<Unknown> found;
  for (const file::NoiseParameter& each : file::noise_parameters) {
    for (Unknown& unknown : unknowns_named(plan, each.parameter)) {
      const Step step = calibrate_detail::step_at(plan, unknown.path);
      const auto* mechanism = std::get_if<Mechanism>(&step.what);
      if (mechanism != nullptr && mechanism->kind() == each.kind) found.push_back(std::move(unknown));
    }
  }
  std::sort(found.begin(), found.end(), [](const Unknown& a, const Unknown& b) { return a.path < b.path; });
  return found;
}

std::string_view to_string(SplitRule rule) noexcept { return rule == SplitRule::shares ? "shares" : "equal-error"; }

}  // namespace renyi
