// Solves a plan for one unknown number. The cost is monotone in it, so the answer is a boundary: it is found by
// bracketing, and the reported value is rounded towards more privacy.
#include "renyi/calibrate.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "calibrate/run_sizes.h"
#include "calibrate/search.h"
#include "calibrate/split.h"
#include "conversion/renyi_bound.h"
#include "cost/questions.h"
#include "exact/privacy_profile.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/papers/classical_gaussian.h"

namespace renyi {

namespace calibrate_file {
namespace {

using namespace calibrate_detail;

// Returns the privacy profile of the plan; std::nullopt if it has none and the caller did not request exact accounting
// explicitly.
std::optional<PrivacyProfile> exact_profile(const Plan& plan, const CalibrateOptions& options) {
  if (options.by == Accounting::renyi) return std::nullopt;
  try {
    return PrivacyProfile(plan, options.exact);
  } catch (const Unsupported&) {
    if (options.by) throw;
    return std::nullopt;
  }
}

RoundedValue rounded_up(double value, int digits) {
  const double rounded = to_digits(value, digits, true);
  return {.value = rounded, .spent = value, .unspent = rounded > value ? rounded - value : 0};
}

// Returns whether the unknown is the cost of the plan itself: "epsilon" or "delta" with an empty path.
bool asks_for_target(const Unknown& unknown) {
  return unknown.path.empty() && (unknown.parameter == "epsilon" || unknown.parameter == "delta");
}

// Returns the result as a cost: the Renyi bound, which every plan has, and the exact interval if that met the target.
Cost cost_of(const Plan& plan, Quantity quantity, double at, const RenyiBound& bound,
             const std::optional<ExactAnswer>& exact, const CalibrateOptions& options) {
  Cost cost{.quantity = quantity, .at = at, .renyi = bound, .exact = exact};
  if (!exact) return cost;
  cost.standing = Analysis(plan).standing();
  cost.contradiction = contradiction_of(*exact);
  cost.limit =
      limit_of(*exact, quantity, {.exactness = options.exact, .report_excess_width = options.report_excess_width});
  return cost;
}

Calibration solve_target(const Plan& plan, const Unknown& unknown, const Target& target,
                         const CalibrateOptions& options) {
  const auto profile = exact_profile(plan, options);
  const bool for_delta = unknown.parameter == "delta";
  const double at = for_delta ? target.epsilon : target.delta;
  std::optional<ExactAnswer> exact;
  if (profile) exact = for_delta ? profile->delta(at) : profile->epsilon(at);
  const RenyiBound bound =
      for_delta ? renyi_delta(plan, at, options.conversion) : renyi_epsilon(plan, at, options.conversion);
  Calibration found{.effect = Effect::lowers_cost,
                    .by = profile ? Accounting::exact : Accounting::renyi,
                    .cost = cost_of(plan, for_delta ? Quantity::delta : Quantity::epsilon, at, bound, exact, options),
                    .plan = plan};
  found.value = found.cost.upper();
  if (options.digits) found.rounded = rounded_up(found.value, *options.digits);
  return found;
}

void check_target(const Unknown& unknown, const Target& target) {
  const bool solved = asks_for_target(unknown);
  if (!(solved && unknown.parameter == "epsilon") && (!(target.epsilon >= 0) || std::isinf(target.epsilon))) {
    throw InvalidArgument("epsilon", fmt::format("{}", target.epsilon), "a finite number of at least 0");
  }
  if (!(solved && unknown.parameter == "delta") && !(target.delta >= 0 && target.delta <= 1)) {
    throw InvalidArgument("delta", fmt::format("{}", target.delta), "a number in [0, 1]");
  }
}

void check_digits(const std::optional<int>& digits) {
  constexpr int most = 15;
  if (!digits || (*digits >= 1 && *digits <= most)) return;
  throw InvalidArgument("digits", fmt::format("{}", *digits), fmt::format("an integer from 1 to {}", most));
}

void check_monotone(const Parameter& number, const Unknown& unknown) {
  if (number.effect != Effect::not_monotone) return;
  throw Unsupported(unknown.parameter, "the cost is not monotone in this parameter",
                    "solve for a noise multiplier, scale, rate, sensitivity, epsilon or count");
}

// Chooses the kind of accounting; throws if the caller requested `exact` explicitly and the plan has no exact answer.
Accounting choose(const ExactCost& exact, const Setting& near, const CalibrateOptions& options) {
  if (options.by == Accounting::renyi) return Accounting::renyi;
  try {
    exact.require_figures(near);
    return Accounting::exact;
  } catch (const Unsupported&) {
    if (options.by) throw;
    return Accounting::renyi;
  }
}

// Rounds the result towards more privacy; returns the result itself if no rounder value is private, or allowed.
RoundedValue rounded(const SettingCost& cost, const Setting& found, int digits) {
  const Parameter& number = cost.plan().number();
  const bool up = number.effect == Effect::lowers_cost;
  Setting rounder =
      number.whole ? of_whole(to_digits(found.count, digits, up)) : of_value(to_digits(found.value, digits, up));
  const Probe there = cost.probe(rounder, 0);
  if (!there.is_supported() || !there.is_private) rounder = found;
  const double spent = cost.epsilon(rounder);
  return {rounder.value, rounder.count, spent, cost.target().epsilon - spent};
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x * std::sqrt(0.5)); }

// delta = Phi(mu/2 - epsilon/mu) - exp(epsilon) Phi(-mu/2 - epsilon/mu): Balle, Wang 2018, Theorem 8.
double gaussian_delta(double mu, double epsilon) {
  return normal_cdf(mu / 2 - epsilon / mu) - std::exp(epsilon) * normal_cdf(-mu / 2 - epsilon / mu);
}

double gaussian_mu(const Target& target) {
  double low = std::log(1e-6), high = std::log(100.0);
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (gaussian_delta(std::exp(middle), target.epsilon) > target.delta ? high : low) = middle;
  }
  return std::exp(low);
}

// Estimates the Renyi bound of a plan that meets the target: that of the Gaussian mechanism that meets the target
// exactly, because sums of many losses are nearly normal, so that other plans have nearly the same. It is only used as
// a start.
double estimated_renyi_bound(const Target& target) {
  constexpr double largest = 300;  // exp(epsilon) is finite
  const bool is_usual = target.epsilon > 0 && target.epsilon < largest && target.delta > 1e-15 && target.delta < 0.1;
  if (!is_usual) return target.epsilon;
  const double bound = renyi_epsilon(*Mechanism(Gdp{gaussian_mu(target)}).curve(), target.delta).upper;
  return bound > target.epsilon && bound < 3 * target.epsilon ? bound : target.epsilon;
}

// The value that meets the target by the Renyi bound is close to the exact one, and is cheap to find.
Start start_of(const PlanWithUnknown& open, const SearchAxis& axis, const Target& target, Accounting by) {
  if (by == Accounting::renyi) return {axis.one()};
  const ConversionOptions tightest;
  const Target likely{estimated_renyi_bound(target), target.delta};
  return approximate_start(RenyiCost(open, likely, tightest), axis);
}

// Returns the classical standard deviation for the target, if the plan is a single Gaussian step whose unknown is its
// stddev. `plan` has the value that was found.
std::optional<double> classical(const Plan& plan, const Parameter& solved, const Target& target) {
  const auto steps = plan.analysed();
  if (solved.name != "stddev" || steps.size() != 1 || steps[0].count != 1) return std::nullopt;
  const auto gaussian = steps[0].mechanism.get_if<Gaussian>();
  const auto one = gaussian ? classical_gaussian(target) : std::nullopt;
  if (!one) return std::nullopt;
  return numerics::product_up(*one, gaussian->l2_sensitivity);
}

// The boundary of a plan with an unknown, and its cost there.
struct Solved {
  SearchResult found;
  Accounting by = Accounting::exact;
  Cost cost{};
  Plan plan;
  std::optional<RoundedValue> rounded{};
};

using Find = std::function<SearchResult(const SettingCost& cost, const SearchAxis& axis, const Start& start)>;

Solved solve(const PlanWithUnknown& open, const Target& target, const CalibrateOptions& options, const Find& find) {
  const SearchAxis axis(open.number());
  const RenyiCost renyi(open, target, options.conversion);
  const ExactCost exact(open, target, options.exact);
  const Start start = start_of(open, axis, target, choose(exact, open.held(), options));
  const Accounting by = choose(exact, start.setting, options);
  const SettingCost& cost = by == Accounting::exact ? static_cast<const SettingCost&>(exact) : renyi;
  const SearchResult found = find(cost, axis, start);
  Plan solved = open.plan_with(found.setting);
  Cost reached = cost_of(solved, Quantity::epsilon, target.delta, renyi.bound(found.setting),
                         by == Accounting::exact ? std::optional(exact.answer(found.setting)) : std::nullopt, options);
  const auto rounder = options.digits ? std::optional(rounded(cost, found.setting, *options.digits)) : std::nullopt;
  return {found, by, std::move(reached), std::move(solved), rounder};
}

Calibration solve_number(const Plan& plan, const Unknown& unknown, const Target& target,
                         const CalibrateOptions& options) {
  const bool is_batch = unknown.sizes.has_value();
  const PlanWithUnknown open(plan, is_batch ? open_batch_size(plan, unknown) : open_number(plan, unknown));
  check_monotone(open.number(), unknown);
  const Find find_batch = [&](const SettingCost& cost, const SearchAxis& axis, const Start& start) {
    return last_batch_size(*unknown.sizes, cost, axis, start);
  };
  Solved solved = solve(open, target, options, is_batch ? find_batch : search);
  const auto classic = classical(solved.plan, open.number(), target);
  return {.value = solved.found.setting.value,
          .is_whole = open.number().whole,
          .count = solved.found.setting.count,
          .effect = open.number().effect,
          .is_extreme = !(is_batch && steps_follow_from_batch(*unknown.sizes)),
          .by = solved.by,
          .cost = std::move(solved.cost),
          .unspent = solved.found.unspent,
          .beyond = solved.found.beyond,
          .rounded = solved.rounded,
          .classical = classic,
          .plan = std::move(solved.plan)};
}

// Returns the cost of a plan by the kind of accounting that met the target.
Cost cost_by(Accounting by, const Plan& plan, const Target& target, const CalibrateOptions& options) {
  const RenyiBound bound = renyi_epsilon(plan, target.delta, options.conversion);
  std::optional<ExactAnswer> exact;
  if (by == Accounting::exact) exact = PrivacyProfile(plan, options.exact).epsilon(target.delta);
  return cost_of(plan, Quantity::epsilon, target.delta, bound, exact, options);
}

Plan with_count(const Plan& plan, const Unknown& unknown, std::int64_t count) {
  const Unknown steps{unknown.path, "count"};
  return PlanWithUnknown(plan, open_number(plan, steps)).plan_with(of_whole(count));
}

// The number of steps is found, and then the largest number of epochs that takes these steps.
Calibration solve_epochs(const Plan& plan, const Unknown& unknown, const Target& target,
                         const CalibrateOptions& options) {
  const EpochRule rule = epoch_rule(*unknown.sizes);
  CalibrateOptions unrounded = options;
  unrounded.digits.reset();
  Calibration found = solve_number(plan, {unknown.path, "count"}, target, unrounded);
  found.value = rule.epochs(found.count);
  found.is_whole = false;
  // Beyond 10^15 steps the nearest number of epochs may make fewer.
  if (const std::int64_t steps = rule.steps(found.value); steps != found.count) {
    found.count = steps;
    found.plan = with_count(plan, unknown, steps);
    found.cost = cost_by(found.by, found.plan, target, options);
  }
  if (!options.digits) return found;
  const double value = to_digits(found.value, *options.digits, false);
  const std::int64_t steps = rule.steps(value);
  const double spent = steps == found.count
                           ? found.cost.upper()
                           : cost_by(found.by, with_count(plan, unknown, steps), target, options).upper();
  found.rounded = RoundedValue{.value = value, .count = steps, .spent = spent, .unspent = target.epsilon - spent};
  return found;
}

bool asks_for_epochs(const Unknown& unknown) { return unknown.sizes && unknown.parameter == "epochs"; }

void check_sizes(const Unknown& unknown) {
  if (!unknown.sizes || unknown.parameter == "epochs" || unknown.parameter == "batch_size") return;
  throw InvalidArgument("parameter", unknown.parameter, "epochs or batch_size for a run that is given by its sizes");
}

// Evaluates the plan with every value rounded.
double rounded_cost(const Plan& plan, const std::vector<SplitValue>& values, Accounting by, const Target& target,
                    const CalibrateOptions& options) {
  std::vector<Unknown> unknowns;
  std::vector<double> rounded_values;
  for (const SplitValue& each : values) {
    unknowns.push_back(each.unknown);
    rounded_values.push_back(each.rounded);
  }
  return cost_by(by, plan_with_values(plan, unknowns, rounded_values), target, options).upper();
}

}  // namespace
}  // namespace calibrate_file

std::optional<double> classical_gaussian(const Target& target) {
  if (!(target.epsilon > 0 && target.epsilon < 1 && target.delta > 0 && target.delta < 1)) return std::nullopt;
  constexpr double up = 1 + 8 * numerics::unit_roundoff;
  return std::sqrt(2 * std::log(1.25 / target.delta)) / target.epsilon * up;
}

std::string_view to_string(Accounting by) noexcept { return by == Accounting::exact ? "exact" : "renyi"; }

Calibration calibrate(const Plan& plan, const Unknown& unknown, const Target& target, const CalibrateOptions& options) {
  calibrate_file::check_target(unknown, target);
  calibrate_file::check_digits(options.digits);
  calibrate_file::check_sizes(unknown);
  if (calibrate_file::asks_for_target(unknown)) return calibrate_file::solve_target(plan, unknown, target, options);
  if (calibrate_file::asks_for_epochs(unknown)) return calibrate_file::solve_epochs(plan, unknown, target, options);
  return calibrate_file::solve_number(plan, unknown, target, options);
}

Calibration calibrate(const TrainingRun& run, UnknownSize unknown, const Target& target,
                      const CalibrateOptions& options) {
  const ResolvedRun parts = resolved_run(run.sizes, unknown);
  const Plan plan = plan_of(parts, run.mechanism, run.adjacency);
  return calibrate(plan, unknown_of(parts, plan), target, options);
}

SplitCalibration calibrate(const Plan& plan, const std::vector<Unknown>& unknowns, const Split& split,
                           const Target& target, const CalibrateOptions& options) {
  using namespace calibrate_detail;
  calibrate_file::check_target({.parameter = ""}, target);
  calibrate_file::check_digits(options.digits);
  const SplitNoise noise(plan, unknowns, split);
  const PlanWithUnknown open(plan, noise.open());
  CalibrateOptions unrounded = options;
  unrounded.digits.reset();
  auto solved = calibrate_file::solve(open, target, unrounded, search);
  SplitCalibration found{.values = noise.values_at(solved.found.setting.value, options.digits),
                         .by = solved.by,
                         .cost = std::move(solved.cost),
                         .unspent = solved.found.unspent,
                         .plan = std::move(solved.plan)};
  if (options.digits) {
    found.rounded_epsilon = calibrate_file::rounded_cost(plan, found.values, found.by, target, options);
  }
  return found;
}

}  // namespace renyi
