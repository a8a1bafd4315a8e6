// Solve a plan for one number. The cost is monotone in it, so the answer is a
// boundary: found by bracketing, reported from the private side.
#include "renyi/calibrate.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "calibrate/exact_search.h"
#include "calibrate/solve.h"
#include "calibrate/unknown_step.h"
#include "renyi/error.h"

namespace renyi {

namespace {

using calibrate_detail::Cost;
using calibrate_detail::ExactCost;
using calibrate_detail::Found;
using calibrate_detail::RenyiCost;
using calibrate_detail::Setting;
using calibrate_detail::UnknownStep;

void check_target(const Target& target) {
  if (!(target.epsilon >= 0) || std::isinf(target.epsilon)) {
    throw InvalidArgument("epsilon", fmt::format("{}", target.epsilon), "a finite number of at least 0");
  }
  if (!(target.delta >= 0 && target.delta <= 1)) {
    throw InvalidArgument("delta", fmt::format("{}", target.delta), "a number in [0, 1]");
  }
}

void check_unknown(const UnknownStep& step) {
  if (step.is_count() || step.parameter().effect != Effect::not_monotone) return;
  throw Unsupported(std::string(step.parameter().name), "the cost is not monotone in this parameter",
                    "solve for a noise multiplier, scale, rate, sensitivity, epsilon or count");
}

// By which accountant; throws where it is `exact` by name and the plan has no exact answer.
Accounting choose(const Plan& plan, const CalibrateOptions& options) {
  if (options.by == Accounting::renyi) return Accounting::renyi;
  try {
    const ExactAccountant possible(plan, options.exact);
    return Accounting::exact;
  } catch (const Unsupported&) {
    if (options.by) throw;
    return Accounting::renyi;
  }
}

// What the Renyi bound allows, or nothing.
std::optional<Setting> by_renyi(const Cost& cost) {
  try {
    return solve(cost);
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

// exact <= Renyi: what the Renyi bound allows is private, and next to the boundary.
Found by_exact(const UnknownStep& step, const Target& target, const ExactCost& cost) {
  const ConversionOptions tightest;
  const std::optional<Setting> start = by_renyi(RenyiCost(step, target, tightest));
  // delta 0 asks for the largest loss, which both know; delta 1 costs nothing.
  if (start && (target.delta == 0 || target.delta == 1)) return {*start};
  return search_exactly(cost, start ? *start : some_private(cost));
}

}  // namespace

std::string_view to_string(Accounting by) noexcept { return by == Accounting::exact ? "exact" : "renyi"; }

Calibration calibrate(const Plan& plan, const Unknown& unknown, const Target& target, const CalibrateOptions& options) {
  check_target(target);
  const UnknownStep step(plan, unknown);
  check_unknown(step);
  const RenyiCost renyi(step, target, options.conversion);
  const ExactCost exact(step, target, options.exact);
  const Accounting by = choose(plan, options);
  const bool exactly = by == Accounting::exact;
  const auto [found, unspent] = exactly ? by_exact(step, target, exact) : Found{solve(renyi)};
  return {found.value,
          found.count,
          by,
          renyi.bound(found),
          exactly ? std::optional(exact.answer(found)) : std::nullopt,
          unspent,
          step.plan_with(found.value, found.count)};
}

}  // namespace renyi
