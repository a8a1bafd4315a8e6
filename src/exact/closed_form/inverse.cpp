#include "exact/closed_form/inverse.h"

#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>

namespace renyi::exact {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Stands for the logarithm of 0: below that of any quotient of doubles.
constexpr double log_of_nothing = -2000;

// ln(value/delta), of the right sign also where the quotient rounds to 1.
double excess(double value, double delta) {
  if (value == delta) return 0;
  if (value == 0) return log_of_nothing;
  const double log = std::log(value / delta), least = std::numeric_limits<double>::min();
  return value > delta ? std::max(log, least) : std::min(log, -least);
}

// Neighbouring points around the sign change of a decreasing function on [0, high], where it is
// positive at 0 and not at `high`. Steps down from there grow until they cross it.
template <class F>
std::pair<double, double> sign_change(const F& f, double at_zero, double high, double step) {
  double at_high = f(high), low = 0, at_low = at_zero;
  for (; at_high < 0 && step < high; step *= 8) {
    const double x = high - step, at_x = f(x);
    if (at_x > 0) {
      low = x;
      at_low = at_x;
      break;
    }
    high = x;
    at_high = at_x;
  }
  if (!(at_high < 0)) return {high, high};
  std::uintmax_t evaluations = 200;
  const auto near = [](double a, double b) { return b - a <= 4 * numerics::unit_roundoff * std::abs(b); };
  return boost::math::tools::toms748_solve(f, low, high, at_low, at_high, near, evaluations);
}

// Where the profile's upper end is at most delta, not far above `start` if possible.
double proved_above(const Profile& profile, double delta, double start) {
  double x = std::max(start, std::numeric_limits<double>::min());
  while (std::isfinite(x) && profile(x).upper > delta) x *= 2;
  return x;
}

}  // namespace

Ends epsilon_of(const Profile& profile, double delta, double start) {
  const Ends at_zero = profile(0);
  if (at_zero.upper <= delta) return {0, 0};
  const auto upper_excess = [&](double x) { return excess(profile(x).upper, delta); };
  const auto lower_excess = [&](double x) { return excess(profile(x).lower, delta); };
  const double above = proved_above(profile, delta, start);
  if (std::isinf(above)) return {0, infinity};
  const double upper = sign_change(upper_excess, excess(at_zero.upper, delta), above, 0x1p-8 * above).second;
  // The profile falls strictly until it is 0: where its lower end is still delta, epsilon is no smaller.
  if (at_zero.lower <= delta) return {0, upper};
  const double lower = sign_change(lower_excess, excess(at_zero.lower, delta), upper, 0x1p-46 * upper).first;
  return {lower, upper};
}

}  // namespace renyi::exact
