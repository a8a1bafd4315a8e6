// Collects the guarantees of a plan: Bayes factors, bad outcomes, groups, and the sentences that describe them.
#include "renyi/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "conversion/infinite_loss.h"
#include "conversion/renyi_bound.h"
#include "cost/questions.h"
#include "exact/privacy_profile.h"
#include "explain/promises.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/extras/group_privacy.h"
#include "renyi/limits.h"
#include "renyi/papers/bad_outcomes.h"
#include "sampling/group_privacy.h"

namespace renyi {

namespace explain_file {
namespace {

// Each term of a formula has a few rounding errors, and so has exp of their sum.
constexpr double formula_rounding = 8 * numerics::unit_roundoff;

}  // namespace
}  // namespace explain_file

// What an adversary can learn about the dataset from the results (docs/math/guarantees.md, "Bayes factor"):
// E_P[(R_post/R_prior)^(a-1)] = E_P[(P/Q)^(a-1)] = exp K(a-1)     Mironov 2017, sections III and VII
double bayes_moment(const Curve& curve, double order) {
  check_order(order);
  if (order == 1) return 1;
  if (std::isinf(order)) return curve.worst_max_loss().upper() == 0 ? 1 : std::numeric_limits<double>::infinity();
  const LogMoment k = curve.worst_log_moment(order - 1);
  const double log_moment = (k.value + k.error) * (1 + explain_file::formula_rounding);
  if (std::isnan(log_moment))
    throw NotConverged(fmt::format("Bayes factor: the curve has no value at order {}", order));
  return std::exp(log_moment) * (1 + explain_file::formula_rounding);
}

namespace explain_file {
namespace {

// Pr[L > t] <= exp(K(z) - z t) at every order: this is Markov's inequality, and the classical conversion at epsilon =
// t. The total-variation bound applies to delta only.
RenyiBound tail(const Curve& curve, double t) {
  const RenyiBound bound = renyi_delta(curve, t, {.conversion = Conversion::classical});
  return bound.conversion == Conversion::total_variation ? RenyiBound{1, 1, Conversion::classical} : bound;
}

// The loss is infinite with probability d0, and otherwise it is that of the finite part moved by ln((1-d0)/(1-d1)):
// Pr[L > t] = d0 + (1-d0) Pr'[L' > t - shift]. For parallel subsets d0 and d1 are the largest values: no subset is
// moved by more than ln(1/(1-d1)), and x + (1-x) y rises with x.
RenyiBound tail_beside(const Curve& curve, const Curve& finite, double t, Direction direction) {
  const conversion::InfiniteLoss infinite_loss = conversion::infinite_loss_of(curve, direction);
  const double other = std::min(1.0, curve.infinite_mass(opposite(direction)).upper());
  const double shift =
      curve.knowledge() == Knowledge::orders ? -std::log1p(-other) * (1 + formula_rounding) : infinite_loss.shift_upper;
  RenyiBound bound{1, std::numeric_limits<double>::infinity(), Conversion::classical};
  if (const double moved = shift == 0 ? t : numerics::next_down(t - shift); moved > 0) bound = tail(finite, moved);
  bound.upper = infinite_loss.with_upper(bound.upper);
  bound.infinite_mass = infinite_loss.upper;
  return bound;
}

}  // namespace
}  // namespace explain_file

// Pr[R_post > b R_prior] = Pr[L > ln b] <= (e^e/b)^(a-1) at every order.
RenyiBound bayes_tail(const Curve& curve, double factor) {
  if (!(factor >= 1 && std::isfinite(factor))) {
    throw InvalidArgument("factor", fmt::format("{}", factor), "finite numbers of at least 1");
  }
  const double threshold = factor == 1 ? 0 : numerics::next_down(std::log(factor));
  const auto finite = curve.finite_part();
  if (!finite) return explain_file::tail(curve, threshold);
  const RenyiBound remove = explain_file::tail_beside(curve, *finite, threshold, Direction::remove);
  const RenyiBound add = explain_file::tail_beside(curve, *finite, threshold, Direction::add);
  return add.upper > remove.upper ? add : remove;
}

ExactBayesTails::ExactBayesTails(const Analysis& analysis) {
  try {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      losses_.emplace_back(analysis, direction, /*by_slope=*/false);
    }
    if (!losses_.front().known()) obstacle_ = "the law of the loss is not known";
  } catch (const Unsupported& error) {
    obstacle_ = error.why();
  }
  if (!obstacle_.empty()) losses_.clear();
}

// Pr[L > ln b]: ln b is rounded, and an atom may lie there, so the upper bound is taken at a smaller loss and the lower
// bound at a larger one.
std::optional<TailProbability> ExactBayesTails::operator()(double factor) const {
  if (losses_.empty()) return std::nullopt;
  const double threshold = std::log(factor);
  TailProbability larger{{0, 0}, LossMethod::closed_form};
  for (const PrivacyLoss& loss : losses_) {
    const TailProbability above = loss.at_least(numerics::next_down(threshold));
    if (above.method == LossMethod::chernoff) return std::nullopt;
    if (above.upper > larger.upper) larger.method = above.method;
    larger.upper = std::max(larger.upper, above.upper);
    larger.lower = std::max(larger.lower, loss.at_least(numerics::next_up(threshold)).lower);
  }
  return larger;
}

// Returns the plan analysed for groups of records, if every step supports that.
std::optional<Plan> scaled_to_group(const Plan& plan, std::int64_t size) {
  try {
    Plan larger(plan.neighbors(), plan.unit() * size);
    for (const CountedMechanism& step : plan.merged()) larger.add(step.mechanism, step.count);
    for (const CountedMechanism& step : larger.analysed()) {
      if (sampling::is_group_bound(step.mechanism)) return std::nullopt;
    }
    return larger;
  } catch (const Unsupported&) {
    return std::nullopt;
  } catch (const InvalidArgument&) {  // the group exceeds the largest unit
    return std::nullopt;
  }
}

std::span<const Property> standing_properties() noexcept {
  static constexpr std::array<Property, 2> table{{
      {"post-processing", "whatever is computed from the results alone, now or later, keeps every promise above",
       "van Erven and Harremoes 2014, Theorem 9"},
      {"adaptive composition",
       "further runs on the same data add their divergences order by order, also when a later run is chosen after "
       "seeing earlier results, as long as its parameters are those planned in advance",
       "Mironov 2017, Proposition 1"},
  }};
  return table;
}

// The example of the paper. Mironov 2017, section VII, "Baseline-dependent guarantees", gives order 10; the others use
// the same formula.
std::vector<ReferenceRow> reference_table() {
  std::vector<ReferenceRow> rows;
  for (const double baseline : {0.5, 1e-3, 1e-6}) {
    for (const double order : {1.1, 10.0, 100.0}) {
      rows.push_back({baseline, order, outcome_at_order(order, reference_epsilon, baseline)});
    }
  }
  return rows;
}

namespace explain_file {
namespace {

// Every outcome is bounded at every order; an answer in text or JSON takes about this for each of them.
void check_size(const ExplainOptions& options) {
  constexpr double bytes = 400;
  check_memory(bytes * static_cast<double>(options.baselines.size() * options.orders.size()), "the table of outcomes");
}

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
  if (o.delta) promise.approximate = outcome_by_dp(so_far.approximate->upper(), *o.delta, baseline);
  return promise;
}

// A range needs dozens of deltas, so each is computed on a lattice that is quick to fill.
constexpr ExactOptions options_for_ranges{.memory = std::size_t{64} << 20};

// If a small lattice is not enough for the first delta, dozens of them would take minutes.
bool takes_long(const Analysis& analysis) {
  constexpr ExactOptions small{.tolerance = 1e-4, .memory = std::size_t{16} << 20};
  const ExactAnswer first = PrivacyProfile(analysis, small).delta(0);
  return first.remove.limited || first.add.limited;
}

void add_exact_outcomes(Explanation& all, const Analysis& analysis, const ExplainOptions& options) {
  try {
    if (takes_long(analysis)) {
      all.exact_obstacle = "it would take long: the trade-off curve has it";
      return;
    }
    const auto ranges = exact_outcomes(analysis, options.baselines, options_for_ranges);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const OutcomeRange& best = all.outcomes[i].best;
      all.outcomes[i].exact = {std::max(ranges[i].lower, best.lower.probability),
                               std::min(ranges[i].upper, best.upper.probability)};
    }
  } catch (const Unsupported&) {
    all.exact_obstacle = "a step enters by bounds on its divergences only, not by the law of its loss";
  } catch (const NotConverged& error) {
    all.exact_obstacle = error.what();
  } catch (const LimitReached& error) {
    all.exact_obstacle = error.why();
  }
}

void add_exact_tails(Explanation& all, const Analysis& analysis) {
  const ExactBayesTails tails(analysis);
  for (BayesTail& tail : all.bayes_tails) {
    stop_if_overdue();
    tail.exact = tails(tail.factor);
    if (tail.exact) {
      tail.exact->upper = std::min(tail.exact->upper, tail.bound.upper);
      tail.exact->lower = std::min(tail.exact->lower, tail.exact->upper);
    } else {
      tail.exact_obstacle = tails.obstacle().empty() ? "no integral gives this tail" : tails.obstacle();
    }
  }
}

Cost epsilon_at(const Analysis& analysis, const ExplainOptions& options) {
  return CostQuestions(analysis, {.exact = options.exact}).at(Quantity::epsilon, *options.delta);
}

int doublings_for(std::int64_t size) {
  constexpr std::int64_t most = std::int64_t{1} << most_doublings;
  if (size < 2 || size > most) {
    throw InvalidArgument("group_size", fmt::format("{}", size), fmt::format("a whole number from 2 to {}", most));
  }
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size - 1)));
}

GroupPromise group_promise(const Analysis& analysis, double pure_epsilon, const ExplainOptions& options) {
  GroupPromise promise{.size = *options.group_size, .doublings = doublings_for(*options.group_size)};
  const auto group = group_privacy(analysis.curve(), promise.doublings);
  for (const double order : options.orders) {
    const double from = std::ldexp(std::max(order, 2.0), promise.doublings);
    stop_if_overdue();
    promise.orders.push_back({order, from, rdp(*group, order).upper()});
  }
  promise.pure_epsilon = pure_epsilon == 0 ? 0 : numerics::next_up(pure_epsilon * static_cast<double>(promise.size));
  if (!options.delta) return promise;
  promise.approximate = renyi_epsilon(*group, *options.delta);
  if (const auto larger = scaled_to_group(analysis.plan(), promise.size)) promise.scaled = epsilon_at(*larger, options);
  return promise;
}

// For steps that are known only by a stated guarantee, an infinite bound means that nothing is known.
bool is_unbounded(const std::vector<CountedMechanism>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const CountedMechanism& step) {
    const auto curve = step.mechanism.curve();
    return curve->knowledge() == Knowledge::loss && std::isinf(curve->worst_max_loss().value);
  });
}

}  // namespace
}  // namespace explain_file

Explanation explain(const Analysis& analysis, const ExplainOptions& options) {
  const auto& curve = analysis.curve();
  Explanation all;
  all.pure_epsilon = curve->worst_max_loss().upper();
  all.is_unbounded = explain_file::is_unbounded(analysis.steps());
  all.largest_bayes_factor = largest_factor(all.pure_epsilon);
  all.expected_log_bayes_factor = rdp(*curve, 1).upper();
  if (options.delta) all.approximate = explain_file::epsilon_at(analysis, options);
  explain_file::check_size(options);
  for (const double order : options.orders) {
    stop_if_overdue();
    all.orders.push_back(explain_file::order_promise(*curve, order));
  }
  for (const double p : options.baselines) {
    stop_if_overdue();
    all.outcomes.push_back(explain_file::outcome_promise(*curve, p, all, options));
  }
  for (const double factor : options.factors) {
    stop_if_overdue();
    all.bayes_tails.push_back({factor, bayes_tail(*curve, factor)});
  }
  if (options.exact) {
    all.standing = analysis.standing();
    explain_file::add_exact_outcomes(all, analysis, options);
    explain_file::add_exact_tails(all, analysis);
  }
  if (all.approximate) all.shares = step_shares(analysis, *all.approximate->renyi);
  if (options.group_size) all.group = explain_file::group_promise(analysis, all.pure_epsilon, options);
  return all;
}

}  // namespace renyi
