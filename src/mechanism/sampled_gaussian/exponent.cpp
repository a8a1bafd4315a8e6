#include "mechanism/sampled_gaussian/exponent.h"

#include <algorithm>
#include <limits>

#include "numerics/rounding.h"

namespace renyi::sampled_gaussian {

namespace {

// Sums are scaled by exp(-shift) when the largest exponent exceeds this.
constexpr double scale_above = 600;
// The exponent of r^a Q at any x, to place the scale. Above the crossing it is
// written around C(a), as at the nodes: for large orders both then cancel alike.
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

// No exponent is larger: 1-q <= r <= max(1, e^t), and a t - x^2/(2 s^2) = (a (2x-1) - x^2)/(2 s^2) <= a (a-1)/(2 s^2).
bool may_need_scale(const Params& k, double power) {
  const double most = power > 0 ? power * (power - 1) * k.inv_2s2 : power * k.log_1mq;
  return !(most <= scale_above);
}

Order make_order(const Lattice& lattice, std::complex<double> z, Direction direction, const Peaks& peaks) {
  const Params& k = lattice.params();
  Order o{z.real(), z.imag(), power_of(z.real(), direction)};
  // The exponent changes with a at the rate of the loss. fl(1 + z) - 1 is exact for z >= 0, and so is what it misses of
  // z.
  if (direction == Direction::remove) o.power_noise = std::abs(z.real() - (o.power - 1)) / numerics::unit_roundoff;
  // ln q + (a-1)/(2 s^2) may nearly cancel while a is large: extended precision.
  const long double a = o.power, s = k.s, gain = (a - 1) / (2 * s * s);
  o.peak_exponent = static_cast<double>(a * (k.log_q_l + gain));
  const double lost_bits = std::ldexp(4.0, 53 - std::numeric_limits<long double>::digits);
  o.peak_noise = lost_bits * static_cast<double>(a * (gain - k.log_q_l)) + 4 * std::abs(o.peak_exponent);
  const double largest = may_need_scale(k, o.power) ? largest_exponent(k, o, peaks) : 0;
  if (largest > scale_above) {
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
