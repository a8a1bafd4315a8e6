#include "calibrate/solved_target.h"

#include "calibrate/rounded.h"
#include "renyi/error.h"

namespace renyi::calibrate_detail {

namespace {

// Nothing where the plan has no exact figures, and they are not asked for by name.
std::optional<ExactAccountant> exact_accountant(const Plan& plan, const CalibrateOptions& options) {
  if (options.by == Accounting::renyi) return std::nullopt;
  try {
    return ExactAccountant(plan, options.exact);
  } catch (const Unsupported&) {
    if (options.by) throw;
    return std::nullopt;
  }
}

RoundedValue rounded_up(double value, int digits) {
  const double rounded = to_digits(value, digits, true);
  return {.value = rounded, .spent = value, .unspent = rounded > value ? rounded - value : 0};
}

}  // namespace

bool asks_for_target(const Unknown& unknown) {
  return unknown.path.empty() && (unknown.parameter == "epsilon" || unknown.parameter == "delta");
}

Calibration solve_target(const Plan& plan, const Unknown& unknown, const Target& target,
                         const CalibrateOptions& options) {
  const auto accountant = exact_accountant(plan, options);
  const bool for_delta = unknown.parameter == "delta";
  Calibration found{
      .effect = Effect::lowers_cost, .by = accountant ? Accounting::exact : Accounting::renyi, .plan = plan};
  if (accountant) found.exact = for_delta ? accountant->delta(target.epsilon) : accountant->epsilon(target.delta);
  if (for_delta) {
    found.renyi_delta = renyi_delta(plan, target.epsilon, options.conversion);
    found.value = accountant ? found.exact->worst.upper : found.renyi_delta->delta;
  }
  found.renyi = renyi_epsilon(plan, for_delta ? found.value : target.delta, options.conversion);
  if (!for_delta) found.value = accountant ? found.exact->worst.upper : found.renyi.epsilon;
  if (options.digits) found.rounded = rounded_up(found.value, *options.digits);
  return found;
}

}  // namespace renyi::calibrate_detail
