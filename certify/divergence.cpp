// Certified divergences of whole plans, and the epsilon and delta that one order proves.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "certify/log_moment.h"
#include "certify/mechanism/closed_form.h"
#include "certify/mechanism/guarantee.h"
#include "certify/random_allocation/moment.h"
#include "certify/text.h"
#include "renyi/error.h"
#include "renyi/plan.h"

namespace renyi {
namespace certify {
namespace divergence_file {
namespace {

constexpr long most_bits = 8192;
constexpr long kept_bits = 80;  // the precision of the endpoints

struct Aim {
  long first_bits = 0;
  double relative_radius = 0;
  double margin = 0;  // relative to the value
};
constexpr Aim stated{.first_bits = 128, .relative_radius = 1e-15, .margin = 4e-15};
constexpr Aim verifying{.first_bits = 192, .relative_radius = 1e-17, .margin = 0};

bool is_exact(const Ball& value) { return arb_is_exact(value.raw()) != 0 && arf_is_nan(arb_midref(value.raw())) == 0; }

Enclosure enclosure(const Ball& value, double margin) {
  if (is_exact(value)) return enclosure_of(value, kept_bits);
  return enclosure_of(value * Ball(1).widen(margin), kept_bits);
}

// Computes a certified value from a function that returns a ball: the precision doubles until the enclosure is narrow.
// `figure` computes at the working precision. The enclosure of the first route is widened, so that the second one, of
// another method and precision, fits inside; zeros, infinities and other exact values stay exact. Throws NotConverged,
// naming `what`, if the largest precision does not suffice.
Certified certified_figure(const std::function<Ball()>& figure, Route route, std::string method, const char* what) {
  const Aim& aim = route == Route::first ? stated : verifying;
  for (long bits = aim.first_bits; bits <= most_bits; bits *= 2) {
    const Precision precision(bits);
    const Ball value = figure();
    if (!is_exact(value) && !(value.relative_radius() <= aim.relative_radius)) continue;
    return {.value = enclosure(value, aim.margin), .method = std::move(method), .precision = bits};
  }
  throw NotConverged(std::string(what) + ": no narrow enclosure within " + std::to_string(most_bits) + " bits");
}

// Returns the sum of count times D_order, in one direction.
Ball composed_divergence(const std::vector<CountedMechanism>& steps, Direction direction, double order, Route route) {
  Ball sum;
  for (const CountedMechanism& step : steps) {
    const Ball one = divergence(step.mechanism, direction, order, route);
    if (one.is_infinite()) return Ball::infinity();
    sum += Ball(step.count) * one;
  }
  return sum;
}

// Returns the larger direction; both are composed over all steps first.
Ball larger_divergence(const std::vector<CountedMechanism>& steps, double order, Route route) {
  const Ball remove = composed_divergence(steps, Direction::remove, order, route);
  const Ball add = composed_divergence(steps, Direction::add, order, route);
  if (remove.is_infinite() || add.is_infinite()) return Ball::infinity();
  return max(remove, add);
}

// Returns "finite sum + closed form": every method used, each once.
std::string methods_of(const std::vector<CountedMechanism>& steps, const std::vector<Direction>& directions,
                       double order, Route route) {
  std::vector<Method> used;
  for (const CountedMechanism& step : steps) {
    for (const Direction direction : directions) used.push_back(method_of(step.mechanism, direction, order, route));
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::string names;
  for (const Method method : used) names.append(names.empty() ? "" : " + ").append(to_string(method));
  return names.empty() ? std::string(to_string(Method::closed_form)) : names;
}

// Conversions (docs/math/conversion.md), where z = order - 1.

// Mironov 2017, Proposition 3, is epsilon = D + ln(1/delta)/z. The tight conversion (Canonne, Kamath, Steinke 2020,
// Proposition 12) subtracts ln(1+z)/z + ln(1 + 1/z).
Ball gain(Conversion conversion, const Ball& z) {
  return conversion == Conversion::tight ? log1p(z) / z + log1p(1 / z) : Ball(0);
}

Ball epsilon_at(Conversion conversion, const Ball& z, const Ball& divergence, const Ball& delta) {
  if (divergence.is_infinite() || arb_is_zero(delta.raw()) != 0) return Ball::infinity();
  if (!divergence.is_finite()) return Ball::unknown();
  return max(0, divergence - log(delta) / z - gain(conversion, z));
}

// ln delta = z (D - epsilon - gain), with the same gain.
Ball delta_at(Conversion conversion, const Ball& z, const Ball& divergence, const Ball& epsilon) {
  if (divergence.is_infinite()) return 1;
  if (!divergence.is_finite()) return Ball::unknown();
  return min(1, exp(z * (divergence - epsilon - gain(conversion, z))));
}

// Bretagnolle and Huber proved delta(0) <= sqrt(1 - exp(-D)).
Ball total_variation(const Ball& divergence) {
  if (divergence.is_infinite()) return 1;
  if (!divergence.is_finite()) return Ball::unknown();
  return sqrt(-expm1(-divergence));
}

// Returns one of two exact values, depending on whether `x <= y` is proven true or false; an unknown ball if neither is
// proven.
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

// Limits delta to 1, whatever a margin adds.
Certified at_most_one(Certified delta) {
  if (surely_less(1, ball_of(delta.value.upper))) delta.value.upper = {"1", 0};
  return delta;
}

[[noreturn]] void refuse(const char* field, double value, const char* allowed) {
  throw InvalidArgument(field, text_of(value), allowed);
}

// The best orders of small plans are large, so that the only limit is that of the floating-point curves.
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
}  // namespace divergence_file
}  // namespace certify

using certify::Ball;
namespace divergence_file = certify::divergence_file;

bool same_in_both_directions(const Plan& plan) {
  const auto steps = certify::steps_to_certify(plan);
  return std::all_of(steps.begin(), steps.end(), [](const CountedMechanism& step) {
    return !certify::allocated_gaussian(step.mechanism) &&
           (certify::has_closed_moment(step.mechanism) || certify::guarantee_of(step.mechanism));
  });
}

Certified certified::divergence(const Plan& plan, double order, Direction direction, Route route) {
  constexpr double largest = 1e4;
  if (!(order >= 1 && (order <= largest || std::isinf(order)))) {
    throw InvalidArgument("order", certify::text_of(order), "a number in [1, 10000], or inf");
  }
  const auto steps = certify::steps_to_certify(plan);
  return divergence_file::certified_figure(
      [&] { return divergence_file::composed_divergence(steps, direction, order, route); }, route,
      divergence_file::methods_of(steps, {direction}, order, route), "a certified divergence");
}

Certified certified::renyi_epsilon(const Plan& plan, double order, Conversion conversion, double delta, Route route) {
  divergence_file::check_order(conversion, order);
  if (!(delta >= 0 && delta <= 1)) divergence_file::refuse("delta", delta, "a number in [0, 1]");
  const auto steps = certify::steps_to_certify(plan);
  const auto figure = [&] {
    return divergence_file::epsilon_of(conversion, order, divergence_file::larger_divergence(steps, order, route),
                                       delta);
  };
  return divergence_file::certified_figure(
      figure, route, divergence_file::methods_of(steps, {Direction::remove, Direction::add}, order, route),
      "a certified epsilon of one order");
}

Certified certified::renyi_delta(const Plan& plan, double order, Conversion conversion, double epsilon, Route route) {
  divergence_file::check_order(conversion, order);
  if (!(epsilon >= 0)) divergence_file::refuse("epsilon", epsilon, "a number of at least 0, or inf");
  const auto steps = certify::steps_to_certify(plan);
  const auto figure = [&]() -> Ball {
    if (std::isinf(epsilon)) return 0;
    return divergence_file::delta_of(conversion, order, divergence_file::larger_divergence(steps, order, route),
                                     epsilon);
  };
  return divergence_file::at_most_one(divergence_file::certified_figure(
      figure, route, divergence_file::methods_of(steps, {Direction::remove, Direction::add}, order, route),
      "a certified delta of one order"));
}

}  // namespace renyi
