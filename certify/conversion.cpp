// What one order proves about epsilon and delta (docs/math/conversion.md), z = order - 1.
#include <cmath>

#include "certify/divergence.h"
#include "certify/figure.h"
#include "certify/text.h"
#include "renyi/error.h"

namespace renyi {
namespace certify {
namespace {

// Mironov 2017, Proposition 3: epsilon = D + ln(1/delta)/z. Tight (Canonne, Kamath, Steinke 2020, Proposition 12):
// less ln(1+z)/z + ln(1 + 1/z).
Ball gain(Conversion conversion, const Ball& z) {
  return conversion == Conversion::tight ? log1p(z) / z + log1p(1 / z) : Ball(0);
}

Ball epsilon_at(Conversion conversion, const Ball& z, const Ball& divergence, const Ball& delta) {
  if (divergence.is_infinite() || arb_is_zero(delta.raw()) != 0) return Ball::infinity();
  if (!divergence.is_finite()) return Ball::unknown();
  return max(0, divergence - log(delta) / z - gain(conversion, z));
}

// ln delta = z (D - epsilon - the same gain).
Ball delta_at(Conversion conversion, const Ball& z, const Ball& divergence, const Ball& epsilon) {
  if (divergence.is_infinite()) return 1;
  if (!divergence.is_finite()) return Ball::unknown();
  return min(1, exp(z * (divergence - epsilon - gain(conversion, z))));
}

// Bretagnolle and Huber: delta(0) <= sqrt(1 - exp(-D)).
Ball total_variation(const Ball& divergence) {
  if (divergence.is_infinite()) return 1;
  if (!divergence.is_finite()) return Ball::unknown();
  return sqrt(-expm1(-divergence));
}

// One of two exact figures, by what `x <= y` proves; neither while that is open.
Ball decided(const Ball& x, const Ball& y, const Ball& if_at_most, const Ball& if_above) {
  if (surely_at_most(x, y)) return if_at_most;
  if (surely_less(y, x)) return if_above;
  return Ball::unknown();
}

Ball epsilon_of(Conversion conversion, double order, const Ball& divergence, const Ball& delta) {
  switch (conversion) {
    case Conversion::pure: return divergence;
    case Conversion::total_variation: return decided(total_variation(divergence), delta, 0, Ball::infinity());
    default: return epsilon_at(conversion, Ball(order) - 1, divergence, delta);
  }
}

Ball delta_of(Conversion conversion, double order, const Ball& divergence, const Ball& epsilon) {
  switch (conversion) {
    case Conversion::pure: return decided(divergence, epsilon, 0, 1);
    case Conversion::total_variation: return total_variation(divergence);
    default: return delta_at(conversion, Ball(order) - 1, divergence, epsilon);
  }
}

// No delta is above 1, whatever a margin adds.
Certified at_most_one(Certified delta) {
  if (surely_less(1, ball_of(delta.value.upper))) delta.value.upper = {"1", 0};
  return delta;
}

[[noreturn]] void refuse(const char* field, double value, const char* allowed) {
  throw InvalidArgument(field, text_of(value), allowed);
}

// Best orders of small plans are large: no end but that of the fast curves.
void check_order(Conversion conversion, double order) {
  switch (conversion) {
    case Conversion::pure:
      if (!(order == HUGE_VAL)) refuse("order", order, "inf, for the conversion pure");
      return;
    case Conversion::total_variation:
      if (!(order >= 1 && order <= largest_order)) refuse("order", order, "a number in [1, 1e100]");
      return;
    default:
      if (!(order > 1 && order <= largest_order)) refuse("order", order, "a number in (1, 1e100]");
  }
}

}  // namespace
}  // namespace certify

using certify::Ball;

Certified certified_renyi_epsilon(const Plan& plan, double order, Conversion conversion, double delta, Route route) {
  certify::check_order(conversion, order);
  if (!(delta >= 0 && delta <= 1)) certify::refuse("delta", delta, "a number in [0, 1]");
  const auto steps = plan.analysed();
  const auto figure = [&] {
    return certify::epsilon_of(conversion, order, certify::larger_divergence(steps, order, route), delta);
  };
  return certify::certified_figure(figure, route,
                                   certify::methods_of(steps, {Direction::remove, Direction::add}, order, route),
                                   "a certified epsilon of one order");
}

Certified certified_renyi_delta(const Plan& plan, double order, Conversion conversion, double epsilon, Route route) {
  certify::check_order(conversion, order);
  if (!(epsilon >= 0)) certify::refuse("epsilon", epsilon, "a number of at least 0, or inf");
  const auto steps = plan.analysed();
  const auto figure = [&]() -> Ball {
    if (std::isinf(epsilon)) return 0;
    return certify::delta_of(conversion, order, certify::larger_divergence(steps, order, route), epsilon);
  };
  return certify::at_most_one(certify::certified_figure(
      figure, route, certify::methods_of(steps, {Direction::remove, Direction::add}, order, route),
      "a certified delta of one order"));
}

}  // namespace renyi
