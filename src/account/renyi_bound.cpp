// (epsilon, delta) from the Renyi curve: over all real orders or over a grid.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "account/apart.h"
#include "account/best_order.h"
#include "account/conversion.h"
#include "numerics/rounding.h"
#include "renyi/account.h"
#include "renyi/error.h"

namespace renyi {

namespace {

using account::Apart;
using account::Point;
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

// delta(0) from a divergence of any order. One that underflowed to 0 does not mean that there is no loss.
double total_variation_delta(const Curve& curve, double divergence) {
  if (curve.worst_max_loss().upper() == 0) return 0;
  return account::delta_by_total_variation(std::max(divergence, std::numeric_limits<double>::min()));
}

// From order 1: the tight conversion's answer where delta is large beside the divergence.
double total_variation_delta(const Curve& curve, const LogMoment& at_zero) {
  return total_variation_delta(curve, at_zero.slope + at_zero.slope_error);
}

// ---- over all real orders

EpsilonBound epsilon_over_all(const Curve& curve, double delta, Conversion conversion) {
  const LogMoment at_zero = curve.worst_log_moment(0);
  if (conversion == Conversion::tight && delta >= total_variation_delta(curve, at_zero)) {
    return {0, 1, Conversion::total_variation};
  }
  const EpsilonBound pure{curve.worst_max_loss().upper(), infinity, Conversion::pure};
  if (pure.epsilon == 0 || !account::has_orders(curve)) return pure;
  // Near 0 the curve is K = K'(0) z + K''(0) z^2/2, whose best order this is.
  const double start = std::sqrt(-2 * std::log(delta) / at_zero.curvature);
  const auto bound_at = [&](const Point& p) { return account::epsilon_at(conversion, p.z, p.k, delta); };
  const Point best = account::best_point(
      curve, start, account::last_value_for_epsilon,
      [&](const Point& p) { return account::epsilon_condition(conversion, p.z, p.k, delta); }, bound_at);
  const EpsilonBound bound{bound_at(best), 1 + best.z, conversion};
  return pure.epsilon <= bound.epsilon ? pure : bound;
}

DeltaBound delta_over_all(const Curve& curve, double epsilon, Conversion conversion) {
  const LogMoment at_zero = curve.worst_log_moment(0);
  const DeltaBound total{total_variation_delta(curve, at_zero), 1, Conversion::total_variation};
  if (!account::has_orders(curve)) return total;
  // Where the parabola's slope K'(0) + K''(0) z reaches epsilon.
  const double start =
      epsilon > at_zero.slope ? (epsilon - at_zero.slope) / at_zero.curvature : 1 / std::expm1(at_zero.slope - epsilon);
  const auto bound_at = [&](const Point& p) { return account::log_delta_at(conversion, p.z, p.k, epsilon); };
  const Point best = account::best_point(
      curve, start, account::last_value_for_delta,
      [&](const Point& p) { return account::delta_condition(conversion, p.z, p.k, epsilon); }, bound_at);
  const DeltaBound bound{account::delta_from_log(bound_at(best)), 1 + best.z, conversion};
  if (conversion == Conversion::classical) return bound;
  return total.delta < bound.delta ? total : bound;
}

// ---- over a grid

EpsilonBound epsilon_at_order(const Curve& curve, double order, double delta, Conversion conversion) {
  if (std::isinf(order)) return {curve.worst_max_loss().upper(), infinity, Conversion::pure};
  const LogMoment k = curve.worst_log_moment(order - 1);
  // D_1 <= D_a, so the total-variation bound holds with any order's divergence.
  if (conversion == Conversion::tight &&
      delta >= total_variation_delta(curve, account::divergence_upper(order - 1, k))) {
    return {0, order, Conversion::total_variation};
  }
  return {account::epsilon_at(conversion, order - 1, k, delta), order, conversion};
}

DeltaBound delta_at_order(const Curve& curve, double order, double epsilon, Conversion conversion) {
  if (std::isinf(order)) return {epsilon >= curve.worst_max_loss().upper() ? 0.0 : 1.0, infinity, Conversion::pure};
  const LogMoment k = curve.worst_log_moment(order - 1);
  const DeltaBound bound{account::delta_from_log(account::log_delta_at(conversion, order - 1, k, epsilon)), order,
                         conversion};
  if (conversion == Conversion::classical) return bound;
  const double total = total_variation_delta(curve, account::divergence_upper(order - 1, k));
  return total < bound.delta ? DeltaBound{total, order, Conversion::total_variation} : bound;
}

}  // namespace

std::span<const double> traditional_orders() noexcept {
  static constexpr std::array<double, 13> orders{1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 8, 16, 32, 64, infinity};
  return orders;
}

namespace {

EpsilonBound epsilon_of_finite(const Curve& curve, double delta, const ConversionOptions& options) {
  if (delta == 1) return {0, 1, Conversion::total_variation};
  if (delta == 0) return {curve.worst_max_loss().upper(), infinity, Conversion::pure};
  if (!options.orders) return epsilon_over_all(curve, delta, options.conversion);
  EpsilonBound best{infinity, options.orders->front(), options.conversion};
  for (const double order : *options.orders) {
    const EpsilonBound bound = epsilon_at_order(curve, order, delta, options.conversion);
    if (bound.epsilon < best.epsilon) best = bound;
  }
  return best;
}

DeltaBound delta_of_finite(const Curve& curve, double epsilon, const ConversionOptions& options) {
  if (std::isinf(epsilon)) return {0, infinity, Conversion::pure};
  // Delta falls with epsilon, and is out of the range of doubles long before products with epsilon are.
  const double asked = std::min(epsilon, 1e200);
  if (!options.orders) {
    if (epsilon >= curve.worst_max_loss().upper()) return {0, infinity, Conversion::pure};
    return delta_over_all(curve, asked, options.conversion);
  }
  DeltaBound best{1, options.orders->front(), options.conversion};
  for (const double order : *options.orders) {
    const DeltaBound bound = delta_at_order(curve, order, std::isinf(order) ? epsilon : asked, options.conversion);
    if (bound.delta < best.delta) best = bound;
  }
  return best;
}

// ---- losses that may be infinite (docs/math/infinite-loss.md, "The split")

DeltaBound delta_beside(const Apart& apart, const Curve& finite, double epsilon, const ConversionOptions& options) {
  if (apart.upper == 1 || !apart.has_shift()) return {1, infinity, options.conversion, apart.upper};
  const double moved = apart.shift_upper == 0 ? epsilon : numerics::next_down(epsilon - apart.shift_upper);
  DeltaBound bound = delta_of_finite(finite, std::abs(moved), options);
  if (moved < 0) bound.delta = account::beyond_zero_upper(-moved, bound.delta);
  bound.delta = apart.with_upper(bound.delta);
  bound.delta_apart = apart.upper;
  return bound;
}

// delta(e) <= d0 + (1-d0) delta'(e - shift) holds where delta'(e - shift) <= (delta - d0)/(1 - d0).
EpsilonBound epsilon_beside(const Apart& apart, const Curve& finite, double delta, const ConversionOptions& options) {
  const double left = apart.left_lower(delta);
  if (left < 0 || !apart.has_shift()) return {infinity, infinity, options.conversion, apart.upper};
  EpsilonBound bound = epsilon_of_finite(finite, left, options);
  const bool is_enough = apart.shift_upper > 0 && delta_beside(apart, finite, 0, options).delta <= delta;
  if (is_enough) {
    bound.epsilon = 0;
  } else if (apart.shift_upper != 0) {
    bound.epsilon = std::max(0.0, numerics::next_up(bound.epsilon + apart.shift_upper));
  }
  bound.delta_apart = apart.upper;
  return bound;
}

}  // namespace

EpsilonBound renyi_epsilon(const Curve& curve, double delta, const ConversionOptions& options) {
  check_probability(delta);
  check_options(options);
  const auto finite = curve.finite_part();
  if (!finite) return epsilon_of_finite(curve, delta, options);
  if (delta == 1) return {0, 1, Conversion::total_variation};
  const EpsilonBound remove = epsilon_beside(account::apart_of(curve, Direction::remove), *finite, delta, options);
  if (curve.is_symmetric()) return remove;
  const EpsilonBound add = epsilon_beside(account::apart_of(curve, Direction::add), *finite, delta, options);
  EpsilonBound larger = add.epsilon > remove.epsilon ? add : remove;
  larger.delta_apart = std::max(add.delta_apart, remove.delta_apart);
  return larger;
}

DeltaBound renyi_delta(const Curve& curve, double epsilon, const ConversionOptions& options) {
  check_epsilon(epsilon);
  check_options(options);
  const auto finite = curve.finite_part();
  if (!finite) return delta_of_finite(curve, epsilon, options);
  const DeltaBound remove = delta_beside(account::apart_of(curve, Direction::remove), *finite, epsilon, options);
  if (curve.is_symmetric()) return remove;
  const DeltaBound add = delta_beside(account::apart_of(curve, Direction::add), *finite, epsilon, options);
  DeltaBound larger = add.delta > remove.delta ? add : remove;
  larger.delta_apart = std::max(add.delta_apart, remove.delta_apart);
  return larger;
}

EpsilonBound renyi_epsilon(const Plan& plan, double delta, const ConversionOptions& options) {
  return renyi_epsilon(*compose(plan), delta, options);
}

DeltaBound renyi_delta(const Plan& plan, double epsilon, const ConversionOptions& options) {
  return renyi_delta(*compose(plan), epsilon, options);
}

}  // namespace renyi
