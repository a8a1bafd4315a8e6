#include "mechanism/sampled_gaussian/order.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/extended.h"
#include "numerics/root.h"
#include "numerics/rounding.h"

namespace renyi::sampled_gaussian {

namespace order_file {
namespace {

using numerics::decreasing_root;
using numerics::ValueSlope;

// Returns the root of base + weight membership(x) = x on an interval where the difference decreases.
double balance(const Params& k, double base, double weight, double low, double high, double start) {
  const auto difference = [&](double x) -> ValueSlope {
    const double m = k.membership(x);
    return {base + weight * m - x, weight * m * (1 - m) * 2 * k.inv_2s2 - 1};
  };
  return decreasing_root(difference, low, high, start, 0.25 * k.s);
}

}  // namespace
}  // namespace order_file

// For u = r-1 > 0 the integrand is at most a(a-1)/2 u^2 max(1, r^(a-2)), and at
// least that up to a power of a. Where exp(t) >> 1 the logarithm of that envelope
// has slope (2 + (a-2) m(x) - x)/s^2 with m the membership: the peaks are the
// stable solutions of x = 2 + (a-2) m(x).
Peaks peaks_above_one(const Params& k, double a) {
  const double left = -k.s;
  const double weight = a - 2;
  if (weight <= 0) return {left, order_file::balance(k, 2, weight, a, 2, 2)};
  const double s2 = k.s * k.s;
  if (weight <= 4 * s2) return {left, order_file::balance(k, 2, weight, 2, a, 2 + weight * k.membership(2))};
  // Between the inflection points m(1-m) = s^2/weight the difference increases.
  const double root = std::sqrt(1 - 4 * s2 / weight);
  const double odds = s2 * std::log((1 + root) / (1 - root));
  const double lower_end = k.crossing - odds, upper_end = k.crossing + odds;
  const auto difference = [&](double x) { return 2 + weight * k.membership(x) - x; };
  const bool has_lower = lower_end > 2 && difference(lower_end) < 0;
  const bool has_upper = upper_end < a && difference(upper_end) > 0;
  if (!has_upper) return {left, order_file::balance(k, 2, weight, 2, std::max(2.0, lower_end), 2)};
  const double upper = order_file::balance(k, 2, weight, std::max(2.0, upper_end), a, a);
  if (!has_lower) return {left, upper};
  return {left, order_file::balance(k, 2, weight, 2, lower_end, 2), upper};
}

// On the left r^(-lambda) pulls the peak towards the solution of
// x = -(lambda+2) m(x). On the right the envelope lies between u and u^2: the
// peak is somewhere in [1, 2], found by summing from 1 onwards.
Peaks peaks_below_zero(const Params& k, double lambda) {
  const double weight = -(lambda + 2), s2 = k.s * k.s;
  // m(x) <= exp((x - crossing)/s^2), so the solution is not further left than this.
  const double reach = std::max(s2, s2 * std::log(-weight / s2) - k.crossing);
  const double lowest = std::max(weight, -reach);
  const double left = order_file::balance(k, 0, weight, lowest, 0, std::max(lowest, weight * k.membership(0)));
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

namespace order_file {
namespace {

// Sums are scaled by exp(-shift) when the largest exponent exceeds this.
constexpr double scale_above = 600;
// Returns the exponent of r^a Q at any x, from which the scale is chosen. Above the crossing it is written around C(a),
// as at the nodes, so that for large orders both cancel in the same way.
double rough_exponent(const Params& k, const Order& o, double x) {
  const double odds = (x - k.crossing) * 2 * k.inv_2s2;
  if (odds <= 0) return o.power * (k.log_1mq + std::log1p(std::exp(odds))) - x * x * k.inv_2s2;
  const double off = x - o.power;
  return o.peak_exponent - off * off * k.inv_2s2 + o.power * std::log1p(std::exp(-odds));
}

double largest_exponent(const Params& k, const Order& o, const Peaks& peaks) {
  return std::max({rough_exponent(k, o, peaks.left), rough_exponent(k, o, peaks.right),
                   rough_exponent(k, o, peaks.upper.value_or(peaks.right))});
}

}  // namespace
}  // namespace order_file

// No exponent exceeds this: 1-q <= r <= max(1, e^t), and a t - x^2/(2 s^2) = (a (2x-1) - x^2)/(2 s^2) <= a (a-1)/(2
// s^2).
bool may_need_scale(const Params& k, double power) {
  const double most = power > 0 ? power * (power - 1) * k.inv_2s2 : power * k.log_1mq;
  return !(most <= order_file::scale_above);
}

Order make_order(const Lattice& lattice, std::complex<double> z, Direction direction, const Peaks& peaks) {
  const Params& k = lattice.params();
  Order o{z.real(), z.imag(), power_of(z.real(), direction)};
  // The exponent changes with a at the rate of the loss. fl(1 + z) - 1 is exact for z >= 0, and so is its difference
  // from z.
  if (direction == Direction::remove) o.power_noise = std::abs(z.real() - (o.power - 1)) / numerics::unit_roundoff;
  // ln q + (a-1)/(2 s^2) may nearly cancel while a is large, so it is computed in extended precision.
  const long double a = o.power, s = k.s, gain = (a - 1) / (2 * s * s);
  o.peak_exponent = static_cast<double>(a * (k.log_q_l + gain));
  const double lost_bits = std::ldexp(4.0, 53 - numerics::extended_digits);
  o.peak_noise = lost_bits * static_cast<double>(a * (gain - k.log_q_l)) + 4 * std::abs(o.peak_exponent);
  const double largest = may_need_scale(k, o.power) ? order_file::largest_exponent(k, o, peaks) : 0;
  if (largest > order_file::scale_above) {
    o.shift = largest;
    o.unscale = std::exp(-largest);
  }
  o.peak_level = o.peak_exponent - o.shift + lattice.log_weight();
  return o;
}

Peaks peaks_of(const Params& params, double z, Direction direction) {
  return direction == Direction::remove ? peaks_above_one(params, z + 1) : peaks_below_zero(params, z);
}

}  // namespace renyi::sampled_gaussian
