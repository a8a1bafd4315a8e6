// Everything a plan promises, put together.
#include "renyi/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "explain/log_probability.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi {

namespace {

OrderPromise order_promise(const Curve& curve, double order) {
  return {order, rdp(curve, order).upper(), bayes_moment(curve, order)};
}

OutcomePromise outcome_promise(const Curve& curve, double baseline, const Explanation& so_far,
                               const ExplainOptions& o) {
  OutcomePromise promise{.baseline = baseline, .best = best_outcome(curve, baseline)};
  for (const OrderPromise& at : so_far.orders) {
    promise.at_orders.push_back(outcome_at_order(at.order, at.epsilon, baseline));
  }
  if (std::isfinite(so_far.pure_epsilon)) promise.pure = outcome_by_dp(so_far.pure_epsilon, 0, baseline);
  if (o.delta) promise.approximate = outcome_by_dp(so_far.approximate->epsilon, *o.delta, baseline);
  return promise;
}

void add_exact(Explanation& all, const Plan& plan, const ExplainOptions& options) {
  try {
    const auto ranges = exact_outcomes(plan, options.baselines, *options.exact);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const OutcomeRange& best = all.outcomes[i].best;
      all.outcomes[i].exact = {std::max(ranges[i].lower, best.lower.probability),
                               std::min(ranges[i].upper, best.upper.probability)};
    }
  } catch (const Unsupported&) {
    all.exact_obstacle = "a step enters by bounds on its divergences only, not by the law of its loss";
  }
}

int doublings_for(std::int64_t size) {
  constexpr std::int64_t most = std::int64_t{1} << most_doublings;
  if (size < 2 || size > most) {
    throw InvalidArgument("group_size", fmt::format("{}", size), fmt::format("a whole number from 2 to {}", most));
  }
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size - 1)));
}

GroupPromise group_promise(const Plan& plan, const std::shared_ptr<const Curve>& curve, double pure_epsilon,
                           const ExplainOptions& options) {
  GroupPromise promise{.size = *options.group_size, .doublings = doublings_for(*options.group_size)};
  const auto group = group_privacy(curve, promise.doublings);
  for (const double order : options.orders) {
    const double from = std::ldexp(std::max(order, 2.0), promise.doublings);
    promise.orders.push_back({order, from, rdp(*group, order).upper()});
  }
  promise.pure_epsilon = pure_epsilon == 0 ? 0 : numerics::next_up(pure_epsilon * static_cast<double>(promise.size));
  if (!options.delta) return promise;
  promise.approximate = renyi_epsilon(*group, *options.delta);
  if (const auto larger = scaled_to_group(plan, promise.size)) promise.scaled = renyi_epsilon(*larger, *options.delta);
  return promise;
}

double factor_of(double epsilon) {
  return epsilon == 0 ? 1 : numerics::next_up(std::exp(epsilon) * (1 + promises::formula_rounding));
}

}  // namespace

Explanation explain(const Plan& plan, const ExplainOptions& options) {
  const auto curve = compose(plan);
  Explanation all;
  all.pure_epsilon = curve->worst_max_loss().upper();
  all.largest_bayes_factor = factor_of(all.pure_epsilon);
  all.expected_log_bayes_factor = rdp(*curve, 1).upper();
  if (options.delta) all.approximate = renyi_epsilon(*curve, *options.delta);
  for (const double order : options.orders) all.orders.push_back(order_promise(*curve, order));
  for (const double p : options.baselines) all.outcomes.push_back(outcome_promise(*curve, p, all, options));
  if (options.exact) add_exact(all, plan, options);
  for (const double factor : options.factors) all.bayes_tails.push_back({factor, bayes_tail(*curve, factor)});
  if (options.group_size) all.group = group_promise(plan, curve, all.pure_epsilon, options);
  return all;
}

}  // namespace renyi
