#include "mechanism/sampled_gaussian/windows.h"

#include <algorithm>
#include <cmath>

#include "numerics/root.h"

namespace renyi::sampled_gaussian {

namespace {

using numerics::decreasing_root;
using numerics::ValueSlope;

// Root of base + weight membership(x) = x on an interval where the difference decreases.
double balance(const Params& k, double base, double weight, double low, double high, double start) {
  const auto difference = [&](double x) -> ValueSlope {
    const double m = k.membership(x);
    return {base + weight * m - x, weight * m * (1 - m) * 2 * k.inv_2s2 - 1};
  };
  return decreasing_root(difference, low, high, start, 0.25 * k.s);
}

}  // namespace

// For u = r-1 > 0 the integrand is at most a(a-1)/2 u^2 max(1, r^(a-2)), and at
// least that up to a power of a. Where exp(t) >> 1 the logarithm of that envelope
// has slope (2 + (a-2) m(x) - x)/s^2 with m the membership: the peaks are the
// stable solutions of x = 2 + (a-2) m(x).
Peaks peaks_above_one(const Params& k, double a) {
  const double left = -k.s;
  const double weight = a - 2;
  if (weight <= 0) return {left, balance(k, 2, weight, a, 2, 2)};
  const double s2 = k.s * k.s;
  if (weight <= 4 * s2) return {left, balance(k, 2, weight, 2, a, 2 + weight * k.membership(2))};
  // Between the inflection points m(1-m) = s^2/weight the difference increases.
  const double root = std::sqrt(1 - 4 * s2 / weight);
  const double odds = s2 * std::log((1 + root) / (1 - root));
  const double lower_end = k.crossing - odds, upper_end = k.crossing + odds;
  const auto difference = [&](double x) { return 2 + weight * k.membership(x) - x; };
  const bool has_lower = lower_end > 2 && difference(lower_end) < 0;
  const bool has_upper = upper_end < a && difference(upper_end) > 0;
  if (!has_upper) return {left, balance(k, 2, weight, 2, std::max(2.0, lower_end), 2)};
  const double upper = balance(k, 2, weight, std::max(2.0, upper_end), a, a);
  if (!has_lower) return {left, upper};
  return {left, balance(k, 2, weight, 2, lower_end, 2), upper};
}

// On the left r^(-lambda) pulls the peak towards the solution of
// x = -(lambda+2) m(x). On the right the envelope lies between u and u^2: the
// peak is somewhere in [1, 2], found by summing from 1 onwards.
Peaks peaks_below_zero(const Params& k, double lambda) {
  const double weight = -(lambda + 2), s2 = k.s * k.s;
  // m(x) <= exp((x - crossing)/s^2), so the solution is not further left than this.
  const double reach = std::max(s2, s2 * std::log(-weight / s2) - k.crossing);
  const double lowest = std::max(weight, -reach);
  const double left = balance(k, 0, weight, lowest, 0, std::max(lowest, weight * k.membership(0)));
  return {left - k.s, 1};
}

// The solutions of x = 2 + (a-2) m(x) lie between 2 and a.
std::optional<Reach> near_above_one(const Params& k, double a, double near) {
  const double last = std::max(a, 2.0);
  if (!(last <= near)) return {};
  return Reach{-k.s, 0.5, last};
}

// m(x) <= q for x <= 1/2, so the solution of x = -(lambda+2) m(x) is not further left than -(lambda+2) q.
std::optional<Reach> near_below_zero(const Params& k, double lambda) {
  const double most = (lambda + 2) * k.q;
  if (!(most <= k.s)) return {};
  return Reach{-most - k.s, 0.5, 1};
}

}  // namespace renyi::sampled_gaussian
