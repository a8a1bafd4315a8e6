#include "certify/exact/line.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "certify/exact/estimate.h"

namespace renyi::certify {
namespace {

// Room for an estimate of delta that is off, and for other epsilons nearby.
constexpr double margin = 3, longer = 1.03;
constexpr double largest_rival = 1e6;

// ln of Chernoff's bound with the kernel's factor (Lemma K2), at epsilon.
double log_chernoff(const Steps& steps, Direction direction, double epsilon, double c) {
  return estimate_log_moment(steps, direction, c).value - c * epsilon + c * std::log(c) - (c + 1) * std::log1p(c);
}

// The smallest value of a function that first falls and then rises, on a logarithmic scale.
template <class F>
double where_least(const F& f, double from, double to) {
  constexpr double golden = 0.6180339887498949;
  double low = std::log(from);
  double high = std::log(to);
  double a = high - golden * (high - low);
  double b = low + golden * (high - low);
  double at_a = f(std::exp(a));
  double at_b = f(std::exp(b));
  for (int i = 0; i < 40; ++i) {
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - golden * (high - low);
      at_a = f(std::exp(a));
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + golden * (high - low);
      at_b = f(std::exp(b));
    }
  }
  return std::exp(low);
}

// So few bits that sums and multiples are exact.
double short_number(double x) {
  int power = 0;
  const double mantissa = std::frexp(x, &power);
  return std::ldexp(std::round(std::ldexp(mantissa, 20)), power - 20);
}

}  // namespace

// With X = 2 pi/h, copies below delta/e^G ask for c X >= G, those above for (c'-c) X >= G + f(c'), f being Chernoff's
// exponent. Both hold with equality for c = G/X, X = (2G + f(c'))/c': so the best c' makes that X least.
Line choose_line(const Steps& steps, Direction direction, const Place& place, double tolerance, Route route) {
  const double gap = margin - std::log(tolerance) - place.log_delta;
  const auto chernoff = [&](double c) { return log_chernoff(steps, direction, place.epsilon, c); };
  const double farthest = std::clamp(1e3 * place.saddle, 10.0, largest_rival);
  const double rival = where_least([&](double c) { return (2 * gap + chernoff(c)) / c; }, 1e-9, farthest);
  const double least = chernoff(rival);
  double c = rival * gap / (2 * gap + least);
  if (route == Route::second) c *= 0.87;
  const double period = longer * std::max(gap / c, (gap + least) / (rival - c));
  Line line;
  line.c = short_number(c);
  line.rival = short_number(rival);
  line.spacing = short_number(2 * std::numbers::pi / period);
  const Estimate k = estimate_log_moment(steps, direction, line.c);
  line.log_size = k.value - line.c * place.epsilon - place.log_delta;
  line.spread = std::sqrt(k.curvature);
  return line;
}

}  // namespace renyi::certify
