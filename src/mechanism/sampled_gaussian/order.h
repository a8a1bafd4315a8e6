// Quantities that the sum for one order needs: where its integrand is not negligible, and the exponent of h r^a Q at
// the nodes.
#pragma once

#include <cmath>
#include <complex>
#include <optional>

#include "mechanism/sampled_gaussian/lattice.h"
#include "renyi/extras/curve.h"

namespace renyi::sampled_gaussian {

// Peaks of the centred integrand r^a - 1 - a (r-1) times the density of N(0, s^2),
// each to within a fraction of s (docs/math/sampled-gaussian.md, "Windows").
// `left` lies in x < 1/2, the others in x >= 1/2.
struct Peaks {
  double left = 0;
  double right = 0;               // the peak, or the lower one of two
  std::optional<double> upper{};  // a second one, near x = a
};

// a >= 1 (direction remove).
Peaks peaks_above_one(const Params& params, double a);
// a = -lambda <= 0 (direction add).
Peaks peaks_below_zero(const Params& params, double lambda);

// Where to sum: as Peaks, but the peaks in x >= 1/2 that are not `upper` lie somewhere in [right, right_end].
struct Reach {
  double left = 0;
  double right = 0;
  double right_end = 0;
  std::optional<double> upper{};
};

// Return a value if all peaks are so near to the origin that summing the nodes up to the last of them takes less time
// than finding it; `near` is the largest distance for which that holds. a >= 1 and a = -lambda <= 0, as above.
std::optional<Reach> near_above_one(const Params& params, double a, double near);
std::optional<Reach> near_below_zero(const Params& params, double lambda);

// Quantities of one order that are the same at every node.
struct Order {
  double z = 0;              // real part
  double imag = 0;           // imaginary part
  double power = 0;          // exponent of r under Q: z+1 (remove) or -z (add), real part
  double power_noise = 0;    // its rounding error, in units of 2^-53
  double peak_exponent = 0;  // C(a) = a (ln q + (a-1)/(2 s^2)): the exponent at x = a
  double peak_noise = 0;     // its rounding error, in units of 2^-53
  double shift = 0;          // the sum is scaled by exp(-shift)
  double unscale = 1;        // exp(-shift)
  double peak_level = 0;     // C(a) - shift + ln(h / (s sqrt(2 pi)))
};

// True if the sums may need a scale; otherwise make_order does not use the peaks.
bool may_need_scale(const Params& params, double power);

Order make_order(const Lattice& lattice, std::complex<double> z, Direction direction, const Peaks& peaks);

Peaks peaks_of(const Params& params, double z, Direction direction);

// Returns the power of r under Q.
inline double power_of(double z, Direction direction) { return direction == Direction::remove ? z + 1 : -z; }

// The exponent of h r^a Q exp(-shift) at a node, and its rounding error in units of 2^-53.
struct Exponent {
  double value = 0;
  double noise = 0;
};

template <Direction direction>
Exponent exponent(const Order& o, const Params& k, const Chunk& c, std::size_t i) {
  if (direction == Direction::remove && c.x(i) > k.crossing) {
    const double off = c.x(i) - o.power;
    const double bell = off * off * k.inv_2s2, lift = o.power * c.rho[i];
    return {o.peak_level - bell + lift,
            o.peak_noise + 4 * bell + lift * c.noise(i) + o.power_noise * std::abs(c.loss[i])};
  }
  const double tilt = o.power * c.loss[i];
  const double log_q = c.log_q(i);
  return {log_q + tilt - o.shift, 4 * std::abs(log_q) + 0.25 * std::abs(tilt) * c.noise(i)};
}

}  // namespace renyi::sampled_gaussian
