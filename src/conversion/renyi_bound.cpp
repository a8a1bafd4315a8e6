// Computes (epsilon, delta) from the Renyi curve, over all real orders or over a grid: the formulas at one order, the
// equations of their best order, and losses that may be infinite (docs/math/conversion.md).
#include "conversion/renyi_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "conversion/best_order.h"
#include "conversion/infinite_loss.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/rdp.h"

namespace renyi {

std::string_view to_string(Conversion conversion) noexcept {
  switch (conversion) {
    case Conversion::tight: return "tight";
    case Conversion::classical: return "classical";
    case Conversion::pure: return "pure";
    case Conversion::total_variation: return "total-variation";
  }
  return "unknown";
}

namespace renyi_bound_file {
namespace {

using conversion::Condition;
using conversion::DirectedCurve;
using conversion::InfiniteLoss;
using conversion::Point;

constexpr double infinity = std::numeric_limits<double>::infinity();

void check_probability(double delta) {
  if (delta >= 0 && delta <= 1) return;
  throw InvalidArgument("delta", fmt::format("{}", delta), "a number in [0, 1]");
}

void check_epsilon(double epsilon) {
  if (epsilon >= 0) return;
  throw InvalidArgument("epsilon", fmt::format("{}", epsilon), "a number of at least 0, or inf");
}

void check_options(const ConversionOptions& options) {
  if (options.conversion != Conversion::tight && options.conversion != Conversion::classical) {
    throw InvalidArgument("conversion", std::string(to_string(options.conversion)), "tight, classical");
  }
  if (!options.orders) return;
  if (options.orders->empty()) throw InvalidArgument("orders", "none", "at least one order above 1");
  for (const double order : *options.orders) {
    if (!(order > 1) || (order > largest_order && !std::isinf(order))) {
      throw InvalidArgument("orders", fmt::format("{}", order),
                            fmt::format("orders in (1, {}], or inf", largest_order));
    }
  }
}

// Each term of a formula has a few rounding errors, and so has their sum.
constexpr double formula_rounding = 8 * numerics::unit_roundoff;

// A comparison with NaN would turn a failure into perfect privacy.
double not_nan(double bound, double z) {
  if (std::isnan(bound)) throw NotConverged(fmt::format("conversion at order {}: the curve has no value", 1 + z));
  return bound;
}

bool is_tight(Conversion conversion) { return conversion == Conversion::tight; }

// Far above the best order curves are parabolas (with a logarithmic slope of at most 2, where the steep part below has
// more), and Newton's method in ln z would overshoot.
bool is_far_above(double value, double slope) { return value > 1 && slope < 4; }

// Upper bound on epsilon at `delta` in (0, 1) from K at z = order - 1 > 0.
// classical: (K + ln(1/delta)) / z                     Mironov 2017, Proposition 3
// tight:     ... - ln(1+z)/z - ln(1 + 1/z)             Canonne, Kamath, Steinke 2020, Proposition 12
double epsilon_at(Conversion conversion, double z, const LogMoment& k, double delta) {
  const double log_term = -std::log(delta) / z;
  const double tightening = is_tight(conversion) ? std::log1p(z) / z + std::log1p(1 / z) : 0;
  const double divergence = k.value / z;
  const double rounding = formula_rounding * (divergence + log_term + tightening) + k.error / z;
  return std::max(0.0, not_nan(divergence + log_term - tightening + rounding, z));
}

// Upper bound on ln(delta) at a finite `epsilon`; a value above 0 gives no bound.
// ln delta = K - z epsilon [- z ln(1 + 1/z) - ln(1+z)]
double log_delta_at(Conversion conversion, double z, const LogMoment& k, double epsilon) {
  const double tightening = is_tight(conversion) ? z * std::log1p(1 / z) + std::log1p(z) : 0;
  const double rounding = formula_rounding * (k.value + z * epsilon + tightening) + k.error;
  return not_nan(k.value - z * epsilon - tightening + rounding, z);
}

// Returns exp, rounded up and at most 1. The result is never 0, which would claim pure DP: where exp underflows, it is
// the smallest double.
double delta_from_log(double log_delta) {
  if (log_delta >= 0) return 1;
  return numerics::next_up(std::exp(log_delta) *
                           (1 + formula_rounding));  // never 0, and rounded up also where it is subnormal
}

// d epsilon/dz = 0  <=>  W(z) = z K' - K = ln(1/delta) [- ln(1+z)]. The left side increases because K is convex, the
// right side decreases. The condition is the difference of their logarithms: W is a power of z for small z, and where
// sampling stops helping it rises like an exponential.
Condition epsilon_condition(Conversion conversion, double z, const LogMoment& k, double delta) {
  const double log_term = -std::log(delta);
  const double right = log_term - (is_tight(conversion) ? std::log1p(z) : 0);
  const double right_slope = is_tight(conversion) ? z / (1 + z) : 0;
  if (!(right > 0)) return {1, 1, std::expm1(log_term)};
  // Where the curve is nearly a line, W cancels to within `noise`. If the noise exceeds the right side, nothing is
  // known here, and the search goes back to where it does not. If W is lost in less noise than that, the root is
  // further right.
  const double w = z * k.slope - k.value, noise = formula_rounding * (z * k.slope + k.value);
  if (noise > right) return {1, 1, 0.5 * z * right / noise};
  if (!(w > noise)) return {-1, 1, is_tight(conversion) ? std::expm1(log_term) : 1e3 * z};
  const double value = std::log(w / right), slope = z * z * k.curvature / w + right_slope / right;
  if (!is_far_above(value, slope)) return {value, slope};
  // The jump solves K + K' d + K'' d^2/2 = ln(1/delta), or goes to the parabola's lowest point.
  const double reach = std::max(0.0, k.slope * k.slope - 2 * k.curvature * (k.value - log_term));
  return {value, slope, z + (std::sqrt(reach) - k.slope) / k.curvature};
}

// d ln(delta)/dz = 0  <=>  K'(z) = epsilon [+ ln(1 + 1/z)]; the left side increases,
// the right side decreases.
Condition delta_condition(Conversion conversion, double z, const LogMoment& k, double epsilon) {
  const double right = epsilon + (is_tight(conversion) ? std::log1p(1 / z) : 0);
  const double right_slope = is_tight(conversion) ? 1 / (1 + z) : 0;
  if (!(right > 0)) return {1, 1};
  // Beyond the order where ln(1 + 1/z) is lost in rounding, the two sides look equal for a line, so the search goes
  // back to that order.
  const double noise = formula_rounding * right;
  if (is_tight(conversion) && 1 / z < noise && std::abs(k.slope - right) < noise) return {1, 1, 0.5 / noise};
  const double value = std::log(k.slope / right), slope = z * k.curvature / k.slope + right_slope / right;
  if (!is_far_above(value, slope)) return {value, slope};
  return {value, slope, z + (right - k.slope) / k.curvature};
}

// D_a = K(z)/z, rounded up.
double divergence_upper(double z, const LogMoment& k) { return (k.value + k.error) / z * (1 + formula_rounding); }

// delta(epsilon) <= delta(0) = TV <= sqrt(1 - exp(-D_1)) for every epsilon >= 0.
double delta_by_total_variation(double divergence) {
  const double square = -std::expm1(-divergence);
  return std::min(1.0, std::sqrt(square) * (1 + formula_rounding));
}

// Bounds delta(0) by a divergence of any order. A divergence that underflowed to 0 does not mean that there is no loss.
double total_variation_delta(const DirectedCurve& curve, double divergence) {
  if (curve.max_loss().upper() == 0) return 0;
  return delta_by_total_variation(std::max(divergence, std::numeric_limits<double>::min()));
}

// Bounds delta(0) by the divergence of order 1: this is the tight conversion's answer where delta is large compared
// with the divergence.
double total_variation_delta(const DirectedCurve& curve, const LogMoment& at_zero) {
  return total_variation_delta(curve, at_zero.slope + at_zero.slope_error);
}

RenyiBound epsilon_over_all(const DirectedCurve& curve, double delta, Conversion conversion) {
  const LogMoment at_zero = curve.log_moment(0);
  if (conversion == Conversion::tight && delta >= total_variation_delta(curve, at_zero)) {
    return {0, 1, Conversion::total_variation};
  }
  const RenyiBound pure{curve.max_loss().upper(), infinity, Conversion::pure};
  if (pure.upper == 0 || !conversion::has_orders(curve)) return pure;
  // Near 0 the curve is K = K'(0) z + K''(0) z^2/2, and this is its best order.
  const double start = std::sqrt(-2 * std::log(delta) / at_zero.curvature);
  const auto bound_at = [&](const Point& p) { return epsilon_at(conversion, p.z, p.k, delta); };
  const Point best = conversion::best_point(
      curve, start, conversion::last_value_for_epsilon,
      [&](const Point& p) { return epsilon_condition(conversion, p.z, p.k, delta); }, bound_at);
  const RenyiBound bound{bound_at(best), 1 + best.z, conversion};
  return pure.upper <= bound.upper ? pure : bound;
}

RenyiBound delta_over_all(const DirectedCurve& curve, double epsilon, Conversion conversion) {
  const LogMoment at_zero = curve.log_moment(0);
  const RenyiBound total{total_variation_delta(curve, at_zero), 1, Conversion::total_variation};
  if (!conversion::has_orders(curve)) return total;
  // The search starts where the parabola's slope K'(0) + K''(0) z reaches epsilon.
  const double start =
      epsilon > at_zero.slope ? (epsilon - at_zero.slope) / at_zero.curvature : 1 / std::expm1(at_zero.slope - epsilon);
  const auto bound_at = [&](const Point& p) { return log_delta_at(conversion, p.z, p.k, epsilon); };
  const Point best = conversion::best_point(
      curve, start, conversion::last_value_for_delta,
      [&](const Point& p) { return delta_condition(conversion, p.z, p.k, epsilon); }, bound_at);
  const RenyiBound bound{delta_from_log(bound_at(best)), 1 + best.z, conversion};
  if (conversion == Conversion::classical) return bound;
  return total.upper < bound.upper ? total : bound;
}

RenyiBound epsilon_at_order(const DirectedCurve& curve, double order, double delta, Conversion conversion) {
  if (std::isinf(order)) return {curve.max_loss().upper(), infinity, Conversion::pure};
  const LogMoment k = curve.log_moment(order - 1);
  // D_1 <= D_a, so the total-variation bound holds with any order's divergence.
  if (conversion == Conversion::tight && delta >= total_variation_delta(curve, divergence_upper(order - 1, k))) {
    return {0, order, Conversion::total_variation};
  }
  return {epsilon_at(conversion, order - 1, k, delta), order, conversion};
}

RenyiBound delta_at_order(const DirectedCurve& curve, double order, double epsilon, Conversion conversion) {
  if (std::isinf(order)) return {epsilon >= curve.max_loss().upper() ? 0.0 : 1.0, infinity, Conversion::pure};
  const LogMoment k = curve.log_moment(order - 1);
  const RenyiBound bound{delta_from_log(log_delta_at(conversion, order - 1, k, epsilon)), order, conversion};
  if (conversion == Conversion::classical) return bound;
  const double total = total_variation_delta(curve, divergence_upper(order - 1, k));
  return total < bound.upper ? RenyiBound{total, order, Conversion::total_variation} : bound;
}

}  // namespace
}  // namespace renyi_bound_file

std::span<const double> traditional_orders() noexcept {
  static constexpr std::array<double, 13> orders{
      1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 8, 16, 32, 64, renyi_bound_file::infinity};
  return orders;
}

namespace renyi_bound_file {
namespace {

RenyiBound epsilon_of_finite(const DirectedCurve& curve, double delta, const ConversionOptions& options) {
  if (delta == 1) return {0, 1, Conversion::total_variation};
  if (delta == 0) return {curve.max_loss().upper(), infinity, Conversion::pure};
  if (!options.orders) return epsilon_over_all(curve, delta, options.conversion);
  RenyiBound best{infinity, options.orders->front(), options.conversion};
  for (const double order : *options.orders) {
    const RenyiBound bound = epsilon_at_order(curve, order, delta, options.conversion);
    if (bound.upper < best.upper) best = bound;
  }
  return best;
}

RenyiBound delta_of_finite(const DirectedCurve& curve, double epsilon, const ConversionOptions& options) {
  if (std::isinf(epsilon)) return {0, infinity, Conversion::pure};
  // Delta falls with epsilon, and underflows long before products with epsilon overflow.
  const double asked = std::min(epsilon, 1e200);
  if (!options.orders) {
    if (epsilon >= curve.max_loss().upper()) return {0, infinity, Conversion::pure};
    return delta_over_all(curve, asked, options.conversion);
  }
  RenyiBound best{1, options.orders->front(), options.conversion};
  for (const double order : *options.orders) {
    const RenyiBound bound = delta_at_order(curve, order, std::isinf(order) ? epsilon : asked, options.conversion);
    if (bound.upper < best.upper) best = bound;
  }
  return best;
}

// Losses that may be infinite (docs/math/infinite-loss.md, "The split").

RenyiBound delta_beside(const InfiniteLoss& infinite_loss, const Curve& finite, Direction direction, double epsilon,
                        const ConversionOptions& options) {
  if (infinite_loss.upper == 1 || !infinite_loss.has_shift())
    return {1, infinity, options.conversion, infinite_loss.upper};
  const double moved =
      infinite_loss.shift_upper == 0 ? epsilon : numerics::next_down(epsilon - infinite_loss.shift_upper);
  // A negative epsilon is computed from the other direction.
  const DirectedCurve asked(finite, moved < 0 ? opposite(direction) : direction);
  RenyiBound bound = delta_of_finite(asked, std::abs(moved), options);
  if (moved < 0) bound.upper = conversion::delta_at_negative_epsilon_upper(-moved, bound.upper);
  bound.upper = infinite_loss.with_upper(bound.upper);
  bound.infinite_mass = infinite_loss.upper;
  return bound;
}

// delta(e) <= d0 + (1-d0) delta'(e - shift) is at most delta where delta'(e - shift) <= (delta - d0)/(1 - d0).
RenyiBound epsilon_beside(const InfiniteLoss& infinite_loss, const Curve& finite, Direction direction, double delta,
                          const ConversionOptions& options) {
  const double left = infinite_loss.remaining_delta_lower(delta);
  if (left < 0 || !infinite_loss.has_shift()) return {infinity, infinity, options.conversion, infinite_loss.upper};
  RenyiBound bound = epsilon_of_finite(DirectedCurve(finite, direction), left, options);
  const bool is_enough =
      infinite_loss.shift_upper > 0 && delta_beside(infinite_loss, finite, direction, 0, options).upper <= delta;
  if (is_enough) {
    bound.upper = 0;
  } else if (infinite_loss.shift_upper != 0) {
    bound.upper = std::max(0.0, numerics::next_up(bound.upper + infinite_loss.shift_upper));
  }
  bound.infinite_mass = infinite_loss.upper;
  return bound;
}

// Returns the larger bound of the directions, each at its own best order; the delta for infinite losses is the larger
// one of both too.
template <class Ask>
RenyiBound largest(std::span<const Direction> directions, const Ask& ask) {
  RenyiBound largest = ask(directions.front());
  for (const Direction direction : directions.subspan(1)) {
    const RenyiBound other = ask(direction);
    const double infinite_mass = std::max(largest.infinite_mass, other.infinite_mass);
    if (other.upper > largest.upper) largest = other;
    largest.infinite_mass = infinite_mass;
  }
  return largest;
}

constexpr std::array both_directions{Direction::remove, Direction::add};

// The direction with the larger divergences at every order need not have the larger infinite mass, so both directions
// count.
std::span<const Direction> directions_of_infinite_loss(const Curve& curve) {
  return std::span(both_directions).first(curve.is_symmetric() ? 1 : 2);
}

}  // namespace
}  // namespace renyi_bound_file

RenyiBound renyi_epsilon(const Curve& curve, double delta, const ConversionOptions& options) {
  using namespace renyi_bound_file;
  check_probability(delta);
  check_options(options);
  const auto finite = curve.finite_part();
  if (!finite) {
    return largest(conversion::candidate_directions(curve),
                   [&](Direction d) { return epsilon_of_finite(DirectedCurve(curve, d), delta, options); });
  }
  if (delta == 1) return {0, 1, Conversion::total_variation};
  return largest(directions_of_infinite_loss(curve), [&](Direction d) {
    return epsilon_beside(conversion::infinite_loss_of(curve, d), *finite, d, delta, options);
  });
}

RenyiBound renyi_delta(const Curve& curve, double epsilon, const ConversionOptions& options) {
  using namespace renyi_bound_file;
  check_epsilon(epsilon);
  check_options(options);
  const auto finite = curve.finite_part();
  if (!finite) {
    return largest(conversion::candidate_directions(curve),
                   [&](Direction d) { return delta_of_finite(DirectedCurve(curve, d), epsilon, options); });
  }
  return largest(directions_of_infinite_loss(curve), [&](Direction d) {
    return delta_beside(conversion::infinite_loss_of(curve, d), *finite, d, epsilon, options);
  });
}

RenyiBound renyi_epsilon(const Analysis& analysis, double delta, const ConversionOptions& options) {
  return renyi_epsilon(*analysis.curve(), delta, options);
}

RenyiBound renyi_delta(const Analysis& analysis, double epsilon, const ConversionOptions& options) {
  return renyi_delta(*analysis.curve(), epsilon, options);
}

}  // namespace renyi
