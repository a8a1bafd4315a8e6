// Bad outcomes from the whole curve: each end at its best order (docs/math/promises.md, "The best order").
#include <cmath>
#include <limits>

#include "account/best_order.h"
#include "explain/log_probability.h"
#include "explain/outcome.h"
#include "renyi/explain.h"

namespace renyi {

namespace {

using account::Condition;
using account::Point;
using promises::formula_rounding;

constexpr double infinity = std::numeric_limits<double>::infinity();

// A bound on ln P(S) and the order that gave it.
struct LogEnd {
  double log;
  double order;
};

double upper_of(const LogMoment& k) { return k.value + k.error; }

// (z + shift) K'(z) - K(z) = wanted, with shift = 1 for the upper end and 0 for the
// lower. The left side increases in z; as the difference of logarithms it is nearly
// linear in ln z, and where the curve is a parabola the root is known.
Condition condition_at(const Point& at, double shift, double wanted) {
  const auto& [z, k] = at;
  const double slope_term = (z + shift) * k.slope, w = slope_term - k.value;
  const double noise = formula_rounding * (slope_term + k.value);
  if (noise > wanted) return {1, 1, 0.5 * z * wanted / noise};  // nothing is known this far out
  if (!(w > noise)) return {-1, 1, 1e3 * z};                    // still a line: further right
  const double value = std::log(w / wanted), slope = z * (z + shift) * k.curvature / w;
  if (!(value > 1 && slope < 4)) return {value, slope};
  // w + (z + shift) K'' d + K'' d^2/2 = wanted
  const double first = (z + shift) * k.curvature;
  const double reach = std::fmax(0, first * first - 2 * k.curvature * (w - wanted));
  return {value, slope, z + (std::sqrt(reach) - first) / k.curvature};
}

// The least of `bound` over the orders, which is where condition_at vanishes.
template <class Bound>
Point best(const Curve& curve, double log_p, double shift, const Bound& bound) {
  const double start = std::sqrt(-2 * log_p / curve.worst_log_moment(0).curvature);  // of a parabola
  return account::best_point(
      curve, start, account::last_value_for_delta, [&](const Point& p) { return condition_at(p, shift, -log_p); },
      bound);
}

// Where the best order runs off to infinity, infinity is named: it loses nothing that shows.
bool is_as_good(double pure, double best) { return pure <= best + 1e-12 * std::abs(best); }

LogEnd least_log_upper(const Curve& curve, double log_p) {
  const auto bound = [&](const Point& p) { return promises::log_upper_at(p.z, upper_of(p.k), log_p); };
  const double pure = promises::log_upper_by_loss(curve.worst_max_loss().upper(), log_p);
  const Point at = best(curve, log_p, 1, bound);
  return is_as_good(pure, bound(at)) ? LogEnd{pure, infinity} : LogEnd{bound(at), 1 + at.z};
}

LogEnd greatest_log_lower(const Curve& curve, double log_p) {
  const auto bound = [&](const Point& p) { return -promises::log_lower_at(p.z, upper_of(p.k), log_p); };
  const double pure = -promises::log_lower_by_loss(curve.worst_max_loss().upper(), log_p);
  const Point at = best(curve, log_p, 0, bound);
  return is_as_good(pure, bound(at)) ? LogEnd{-pure, infinity} : LogEnd{-bound(at), 1 + at.z};
}

}  // namespace

// P(S) <= U(Q(S)) and P(S) = 1 - P(not S) <= 1 - L(1 - Q(S)); likewise below.
OutcomeRange best_outcome(const Curve& curve, double baseline) {
  const auto [event, complement] = promises::log_baseline(baseline);
  const LogEnd upper = least_log_upper(curve, event), lower = greatest_log_lower(curve, event);
  const LogEnd other_upper = least_log_upper(curve, complement), other_lower = greatest_log_lower(curve, complement);
  const OutcomeEnd high{promises::probability_up(upper.log), upper.order};
  const OutcomeEnd high_by_complement{promises::complement_up(other_lower.log), other_lower.order, true};
  const OutcomeEnd low{promises::probability_down(lower.log), lower.order};
  const OutcomeEnd low_by_complement{promises::complement_down(other_upper.log), other_upper.order, true};
  return {low_by_complement.probability > low.probability ? low_by_complement : low,
          high_by_complement.probability < high.probability ? high_by_complement : high};
}

}  // namespace renyi
