// Bad outcomes: bounds on the probability of an event with a given baseline probability after adding or removing one
// record, at one order, at the best order of a curve, under (epsilon, delta)-DP, and exactly (docs/math/guarantees.md,
// "Bad outcomes").
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "conversion/best_order.h"
#include "explain/promises.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/explain.h"
#include "renyi/papers/bad_outcomes.h"
#include "renyi/tradeoff.h"

namespace renyi {

namespace outcome_file {
namespace {

// Each term of a formula has a few rounding errors, and so has exp of their sum.
constexpr double formula_rounding = 8 * numerics::unit_roundoff;

// The logarithms of an event's probability and of its complement's: 1 - p would lose a small p.
struct LogBaseline {
  double event;
  double complement;
};

// Throws InvalidArgument unless `baseline` is in (0, 1).
LogBaseline log_baseline(double baseline) {
  if (baseline > 0 && baseline < 1) return {std::log(baseline), std::log1p(-baseline)};
  throw InvalidArgument("baseline", fmt::format("{}", baseline), "probabilities in (0, 1)");
}

// Conversions from logarithms to doubles, rounded conservatively: exp of an upper (lower) bound on a logarithm, in [0,
// 1].
double probability_up(double log_upper) {
  return log_upper < 0 ? std::fmin(1, numerics::next_up(std::exp(log_upper) * (1 + formula_rounding))) : 1;
}
double probability_down(double log_lower) {
  return std::fmax(0, numerics::next_down(std::exp(std::fmin(0, log_lower)) * (1 - formula_rounding)));
}

// 1 - exp(log): an upper bound from a lower bound on the logarithm, and a lower bound from an upper one.
double complement_up(double log_lower) {
  return std::fmin(1, numerics::next_up(-std::expm1(std::fmin(0, log_lower)) * (1 + formula_rounding)));
}
double complement_down(double log_upper) {
  return log_upper < 0 ? std::fmax(0, numerics::next_down(-std::expm1(log_upper) * (1 - formula_rounding))) : 0;
}

// A comparison with NaN would turn a failure into a guarantee.
double not_nan(double bound, double z) {
  if (std::isnan(bound)) throw NotConverged(fmt::format("bad outcomes at order {}: the curve has no value", 1 + z));
  return bound;
}

// The two bounds of a bad outcome as logarithms, at one order: z = order - 1, k = an upper bound on K(z), log_p = ln of
// the baseline. Upper bound on ln P(S); a value above 0 gives no bound:
// P(S) <= (e^e Q(S))^((a-1)/a)          Mironov 2017, Proposition 10
// as ln P(S) <= (K(z) + z ln Q(S)) / (z+1).
double log_upper_at(double z, double k, double log_p) {
  const double rounding = formula_rounding * (k - z * log_p);
  return not_nan((k + z * log_p + rounding) / (z + 1), z);
}

// Lower bound on ln P(S); minus infinity gives no bound:
// P(S) >= e^(-e) Q(S)^(a/(a-1))         the same with P and Q exchanged, solved for P(S)
// as ln P(S) >= ln Q(S) - (K(z) + ln(1/Q(S))) / z.
double log_lower_at(double z, double k, double log_p) {
  const double lost = (k - log_p) / z;
  return not_nan(log_p - lost - formula_rounding * (lost - log_p), z);
}

// Order infinity: the loss never exceeds epsilon.
double log_upper_by_loss(double epsilon, double log_p) {
  return log_p + epsilon + formula_rounding * (epsilon - log_p);
}

double log_lower_by_loss(double epsilon, double log_p) {
  return log_p - epsilon - formula_rounding * (epsilon - log_p);
}

}  // namespace
}  // namespace outcome_file

Interval outcome_at_order(double order, double epsilon, double baseline) {
  check_order(order);
  if (!(epsilon >= 0)) throw InvalidArgument("epsilon", fmt::format("{}", epsilon), "a number of at least 0, or inf");
  const double log_p = outcome_file::log_baseline(baseline).event;
  if (order == 1 || std::isinf(epsilon)) return any_probability;
  if (std::isinf(order)) {
    return {outcome_file::probability_down(outcome_file::log_lower_by_loss(epsilon, log_p)),
            outcome_file::probability_up(outcome_file::log_upper_by_loss(epsilon, log_p))};
  }
  const double z = order - 1, k = z * epsilon;
  return {outcome_file::probability_down(outcome_file::log_lower_at(z, k, log_p)),
          outcome_file::probability_up(outcome_file::log_upper_at(z, k, log_p))};
}

namespace outcome_file {
namespace {

using conversion::Condition;
using conversion::Point;

constexpr double infinity = std::numeric_limits<double>::infinity();

// A bound on ln P(S) and the order that gave it.
struct LogEnd {
  double log;
  double order;
};

double upper_of(const LogMoment& k) { return k.value + k.error; }

// The condition is (z + shift) K'(z) - K(z) = wanted, with shift = 1 for the upper bound and 0 for the lower. The left
// side increases in z; as the difference of logarithms the condition is nearly linear in ln z, and where the curve is a
// parabola the root is known.
Condition condition_at(const Point& at, double shift, double wanted) {
  const auto& [z, k] = at;
  const double slope_term = (z + shift) * k.slope, w = slope_term - k.value;
  const double noise = formula_rounding * (slope_term + k.value);
  if (noise > wanted) return {1, 1, 0.5 * z * wanted / noise};  // nothing is known this far out
  if (!(w > noise)) return {-1, 1, 1e3 * z};                    // still a line: the root is further right
  const double value = std::log(w / wanted), slope = z * (z + shift) * k.curvature / w;
  if (!(value > 1 && slope < 4)) return {value, slope};
  // w + (z + shift) K'' d + K'' d^2/2 = wanted
  const double first = (z + shift) * k.curvature;
  const double reach = std::fmax(0, first * first - 2 * k.curvature * (w - wanted));
  return {value, slope, z + (std::sqrt(reach) - first) / k.curvature};
}

using conversion::DirectedCurve;

// Returns the point of the smallest `bound` over the orders, which is where condition_at vanishes.
template <class Bound>
Point best(const DirectedCurve& curve, double log_p, double shift, const Bound& bound) {
  const double start = std::sqrt(-2 * log_p / curve.log_moment(0).curvature);  // the best order of a parabola
  return conversion::best_point(
      curve, start, conversion::last_value_for_delta, [&](const Point& p) { return condition_at(p, shift, -log_p); },
      bound);
}

// Where the best order tends to infinity, order infinity is reported: the difference is not visible.
bool is_as_good(double pure, double best) { return pure <= best + 1e-12 * std::abs(best); }

LogEnd least_log_upper(const DirectedCurve& curve, double log_p) {
  const auto bound = [&](const Point& p) { return log_upper_at(p.z, upper_of(p.k), log_p); };
  const double pure = log_upper_by_loss(curve.max_loss().upper(), log_p);
  const Point at = best(curve, log_p, 1, bound);
  return is_as_good(pure, bound(at)) ? LogEnd{pure, infinity} : LogEnd{bound(at), 1 + at.z};
}

LogEnd greatest_log_lower(const DirectedCurve& curve, double log_p) {
  const auto bound = [&](const Point& p) { return -log_lower_at(p.z, upper_of(p.k), log_p); };
  const double pure = -log_lower_by_loss(curve.max_loss().upper(), log_p);
  const Point at = best(curve, log_p, 0, bound);
  return is_as_good(pure, bound(at)) ? LogEnd{-pure, infinity} : LogEnd{-bound(at), 1 + at.z};
}

// The range of P(S), given Q(S), where `forth` is the curve of P relative to Q and `back` that of Q relative to P:
// P(S) <= U(Q(S)) and P(S) = 1 - P(not S) <= 1 - L(1 - Q(S)). The lower bound follows in the same way.
OutcomeRange one_way_outcome(const DirectedCurve& forth, const DirectedCurve& back, const LogBaseline& baseline) {
  const LogEnd upper = least_log_upper(forth, baseline.event), lower = greatest_log_lower(back, baseline.event);
  const LogEnd other_upper = least_log_upper(forth, baseline.complement),
               other_lower = greatest_log_lower(back, baseline.complement);
  const OutcomeEnd high{probability_up(upper.log), upper.order};
  const OutcomeEnd high_by_complement{complement_up(other_lower.log), other_lower.order, true};
  const OutcomeEnd low{probability_down(lower.log), lower.order};
  const OutcomeEnd low_by_complement{complement_down(other_upper.log), other_upper.order, true};
  return {low_by_complement.probability > low.probability ? low_by_complement : low,
          high_by_complement.probability < high.probability ? high_by_complement : high};
}

}  // namespace
}  // namespace outcome_file

// The range from the whole curve, each bound at its best order (docs/math/guarantees.md, "The best order"), for a
// baseline on either of the two neighbours.
OutcomeRange best_outcome(const Curve& curve, double baseline) {
  using namespace outcome_file;
  const LogBaseline logs = log_baseline(baseline);
  const DirectedCurve remove(curve, Direction::remove), add(curve, Direction::add);
  OutcomeRange range = one_way_outcome(remove, add, logs);
  if (curve.is_symmetric()) return range;
  const OutcomeRange other = one_way_outcome(add, remove, logs);
  if (other.lower.probability < range.lower.probability) range.lower = other.lower;
  if (other.upper.probability > range.upper.probability) range.upper = other.upper;
  return range;
}

namespace outcome_file {
namespace {

// The smaller one of  e^epsilon p + delta  and, by the complement,  1 - e^(-epsilon) (1 - p - delta).
double upper_end(double epsilon, double delta, double p) {
  const double direct = std::exp(epsilon) * p + delta;
  const double by_complement = -std::expm1(-epsilon) + std::exp(-epsilon) * (p + delta);
  return std::min(1.0, numerics::next_up(std::min(direct, by_complement) * (1 + formula_rounding)));
}

// The larger one of  e^(-epsilon) (p - delta)  and, by the complement,  1 - delta - e^epsilon (1 - p).
double lower_end(double epsilon, double delta, double p) {
  const double direct = std::exp(-epsilon) * (p - delta) * (1 - formula_rounding);
  const double grown = std::expm1(epsilon) * (1 - p);
  const double by_complement = p - delta - grown - formula_rounding * (p + delta + grown);
  return std::max(0.0, numerics::next_down(std::max(direct, by_complement)));
}

}  // namespace
}  // namespace outcome_file

// Pure DP is the case delta = 0.
Interval outcome_by_dp(double epsilon, double delta, double baseline) {
  outcome_file::log_baseline(baseline);  // throws unless it is in (0, 1)
  if (!(epsilon >= 0)) throw InvalidArgument("epsilon", fmt::format("{}", epsilon), "a number of at least 0, or inf");
  if (!(delta >= 0 && delta <= 1)) throw InvalidArgument("delta", fmt::format("{}", delta), "a number in [0, 1]");
  return {outcome_file::lower_end(epsilon, delta, baseline), outcome_file::upper_end(epsilon, delta, baseline)};
}

// An event is a test: rejecting where it happens has the type I error p on one dataset and, on
// its neighbour, a power of at most 1 - f(p). The opposite event has at most 1 - f(1 - p), so
// the event at least f(1 - p). docs/math/guarantees.md, "Exact".
std::vector<Interval> exact_outcomes(const Analysis& analysis, std::span<const double> baselines,
                                     const ExactOptions& options) {
  std::vector<Interval> ranges;
  for (const double p : baselines) {
    outcome_file::log_baseline(p);  // throws unless it is in (0, 1)
    // f decreases: a larger error gives a smaller f, which is sound. Each baseline has its own points, so that its
    // range is the same whichever other baselines are requested.
    const std::array errors{p, std::min(1.0, numerics::next_up(1 - p))};
    const std::vector<TradeoffPoint> points = tradeoff(analysis, errors, options);
    ranges.push_back({points[1].worst.type_two.lower, std::min(1.0, points[0].worst.power.upper)});
  }
  return ranges;
}

}  // namespace renyi
