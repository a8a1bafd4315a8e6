// Solve a plan for one number. The cost is monotone in it, so the answer is a
// boundary: found by bracketing, reported from the private side.
#include "renyi/calibrate.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "calibrate/gaussian_guess.h"
#include "calibrate/rounded.h"
#include "calibrate/search.h"
#include "calibrate/solved_target.h"
#include "renyi/error.h"

namespace renyi {

namespace {

using namespace calibrate_detail;

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

// By which accountant; throws where it is `exact` by name and the plan has no exact answer.
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

// On the private side of what was found, or that itself where nothing rounder is private, or allowed.
RoundedValue rounded(const Cost& cost, const Setting& found, int digits) {
  const Parameter& number = cost.plan().number();
  const bool up = number.effect == Effect::lowers_cost;
  Setting rounder =
      number.whole ? of_whole(to_digits(found.count, digits, up)) : of_value(to_digits(found.value, digits, up));
  const Probe there = cost.probe(rounder, 0);
  if (!there.is_served() || !there.is_private) rounder = found;
  const double spent = cost.epsilon(rounder);
  return {rounder.value, rounder.count, spent, cost.target().epsilon - spent};
}

// What is private by Renyi orders alone is next to what is private, and finding it is cheap.
Start start_of(const OpenPlan& open, const Line& line, const Target& target, Accounting by) {
  if (by == Accounting::renyi) return {line.one()};
  const ConversionOptions tightest;
  const Target likely{estimated_renyi_bound(target), target.delta};
  return roughly(RenyiCost(open, likely, tightest), line);
}

}  // namespace

std::string_view to_string(Accounting by) noexcept { return by == Accounting::exact ? "exact" : "renyi"; }

Calibration calibrate(const Plan& plan, const Unknown& unknown, const Target& target, const CalibrateOptions& options) {
  check_target(unknown, target);
  check_digits(options.digits);
  if (asks_for_target(unknown)) return solve_target(plan, unknown, target, options);
  const OpenPlan open(plan, unknown);
  check_monotone(open.number(), unknown);
  const Line line(open.number());
  const RenyiCost renyi(open, target, options.conversion);
  const ExactCost exact(open, target, options.exact);
  const Start start = start_of(open, line, target, choose(exact, open.held(), options));
  const Accounting by = choose(exact, start.setting, options);
  const Cost& cost = by == Accounting::exact ? static_cast<const Cost&>(exact) : renyi;
  const Found found = search(cost, line, start);
  return {.value = found.setting.value,
          .is_whole = line.is_whole(),
          .count = found.setting.count,
          .effect = open.number().effect,
          .by = by,
          .renyi = renyi.bound(found.setting),
          .exact = by == Accounting::exact ? std::optional(exact.answer(found.setting)) : std::nullopt,
          .unspent = found.unspent,
          .beyond = found.beyond,
          .rounded = options.digits ? std::optional(rounded(cost, found.setting, *options.digits)) : std::nullopt,
          .plan = open.plan_with(found.setting)};
}

}  // namespace renyi
