// K(z) = log1p( E_P[ R(z L) + z R(-L) ] ), R(y) = exp(y) - 1 - y: the centred form
// (docs/math/log-moment-curve.md), a sum of terms >= 0 for real z >= 0, so that
// curves down to 1e-200 keep their relative accuracy. The expectation is the
// trapezoidal rule over the lattice (docs/math/sampled-gaussian.md).
#include "mechanism/sampled_gaussian/quadrature.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>

#include "mechanism/sampled_gaussian/kernels.h"
#include "mechanism/sampled_gaussian/order.h"
#include "mechanism/sampled_gaussian/summation.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"

namespace renyi::sampled_gaussian {

namespace quadrature_file {
namespace {

using numerics::exp_remainder;

// Roundings of a term that comes from one large exponential.
constexpr double large_term_noise = 16;

// The sum for a complex order.
template <Direction direction>
struct ComplexSum {
  const Order& order;
  const Params& params;
  Parity<std::complex<double>> moment{};
  double modulus = 0;  // sum of the moduli of the terms
  std::int64_t nodes = 0;
  double noise = 0;

  double add(const Chunk& c, std::size_t i, std::int64_t j) {
    const View n = view<direction>(c, i);
    const std::complex<double> z{order.z, order.imag}, y = z * n.loss;
    std::complex<double> term;
    double size = 0;
    if (y.real() < 1) {
      const std::complex<double> rest = exp_remainder(y);
      term = order.unscale * (n.weight * rest + z * n.centred);
      size = order.unscale * (n.weight * std::abs(rest) + std::abs(z) * n.centred);
      noise += size * c.noise(i) * (1 + std::abs(y.imag()));
    } else {
      const Exponent e = exponent<direction>(order, params, c, i);
      const double large = std::exp(e.value);
      term = std::polar(large, y.imag()) - order.unscale * (n.weight * (1.0 + y) - z * n.centred);
      size = large;
      noise += large * (e.noise + large_term_noise + 0.25 * std::abs(y.imag()) * c.noise(i));
    }
    ++nodes;
    moment.add(j, term);
    modulus += size;
    return size;
  }
  double size() const { return modulus; }
};

// Up to this many chunks are summed without a search for the peaks in them.
constexpr int near_chunks = 3;

std::optional<Reach> near_reach(const Lattice& lattice, double z, Direction direction) {
  const Params& k = lattice.params();
  if (may_need_scale(k, power_of(z, direction))) return {};
  if (direction == Direction::add) return near_below_zero(k, z);
  return near_above_one(k, z + 1, near_chunks * Chunk::size * lattice.step() - 2 * k.s);
}

LogMoment real_moment(const Lattice& lattice, double z, Direction direction) {
  std::optional<Reach> reach = near_reach(lattice, z, direction);
  Peaks peaks;
  if (!reach) {
    peaks = peaks_of(lattice.params(), z, direction);
    reach = {peaks.left, peaks.right, peaks.right, peaks.upper};
  }
  const Order order = make_order(lattice, z, direction, peaks);
  RealSum sum(order, lattice.params(), direction);
  sum_chunks(lattice, sum, *reach);
  const double s = sum.moment(), m = s + order.unscale;
  const double from_step = step_error(direction, sum.coarse_error(), s);
  // At z = 0 the moment vanishes; its error relative to the slope is the slope's.
  const double relative =
      s > 0 ? sum_error(lattice, sum.noise(), sum.nodes(), from_step, s) / s
            : least_step_error + dropped_share(lattice) + (3e3 + sum.nodes()) * numerics::unit_roundoff;
  LogMoment k;
  k.value = order.shift == 0 ? std::log1p(s) : order.shift + std::log(m);
  k.error = relative * s / m + 4 * numerics::unit_roundoff * k.value;
  k.slope = sum.slope() / m;
  k.slope_error = 2 * relative * k.slope;
  k.curvature = std::max(0.0, sum.curvature() / m - k.slope * k.slope);
  return k;
}

template <Direction direction>
SummedMoment complex_moment(const Lattice& lattice, std::complex<double> z, const Peaks& peaks) {
  const Order order = make_order(lattice, z, direction, peaks);
  ComplexSum<direction> sum{order, lattice.params()};
  sum_windows(lattice, sum, peaks);
  const std::complex<double> s = sum.moment.total();
  const double from_step = step_error(direction, sum.moment.coarse_error(), sum.modulus);
  const double error = sum_error(lattice, sum, from_step, sum.modulus);
  const std::complex<double> value = order.shift == 0 ? numerics::log1p(s) : order.shift + std::log(s + order.unscale);
  SummedMoment k;
  k.value = value;
  k.error = error / std::abs(s + order.unscale) + 4 * numerics::unit_roundoff * std::abs(value);
  k.step_error = from_step;
  return k;
}

}  // namespace
}  // namespace quadrature_file

// 2 pi / h exceeds the frequencies of the integrand: |Im z|/s^2 from the phase, 10.5/s from the Gaussian, 12/s^2 from
// the branch points at crossing +- i pi s^2. With so little noise that neither part of P reaches the crossing, the last
// one does not occur. For negative powers the peak may lie as far out as the crossing, at -s^2 ln(q/(1-q)) for rates
// close to 1, and is narrower there: the second derivative of its logarithm is at most (1 + |x|/s^2)/s^2, instead of
// 1/s^2.
double sufficient_step(const Params& k, double imaginary, Direction direction) {
  const bool apart = std::min(k.crossing, 1 - k.crossing) > 10 * k.s + 40 * k.s * k.s;
  const double branch = apart ? 0 : 12;
  const double odds = direction == Direction::add ? std::clamp(k.log_q - k.log_1mq, 0.0, 40.0) : 0;
  const double narrow = std::sqrt(1 + odds);
  const double step = 2 * std::numbers::pi / ((std::abs(imaginary) + branch) * 2 * k.inv_2s2 + 10.5 * narrow / k.s);
  return direction == Direction::remove ? step : 0.5 * step;
}

LogMoment moment_on(const Lattice& lattice, double z, Direction direction) {
  return quadrature_file::real_moment(lattice, z, direction);
}

SummedMoment moment_on(const Lattice& lattice, std::complex<double> z, Direction direction) {
  const Peaks peaks = peaks_of(lattice.params(), z.real(), direction);
  return direction == Direction::remove ? quadrature_file::complex_moment<Direction::remove>(lattice, z, peaks)
                                        : quadrature_file::complex_moment<Direction::add>(lattice, z, peaks);
}

namespace quadrature_file {
namespace {

// Sums a power of L - mean under P.
template <Direction direction, int power>
struct CentralSum {
  double mean = 0;
  Parity<double> moment{};
  double modulus = 0;  // sum of the moduli of the terms
  std::int64_t nodes = 0;
  double noise = 0;

  double add(const Chunk& c, std::size_t i, std::int64_t j) {
    const View n = view<direction>(c, i);
    const double off = n.loss - mean, square = n.weight * off * off;
    const double term = power == 2 ? square : square * off, size = std::abs(term);
    moment.add(j, term);
    modulus += size;
    // The loss carries `noise` roundings of its own size.
    noise += size * (c.noise(i) + 4) + n.weight * std::pow(std::abs(off), power - 1) * std::abs(n.loss) * c.noise(i);
    ++nodes;
    // The term vanishes where the loss crosses its mean, which must not end the sum.
    return n.weight * std::pow(std::abs(n.loss) + mean, power);
  }
  double size() const { return modulus; }
};

// Sums b R(-L) - R(-b L) with b = 1-a <= 1/2, whose terms have one sign: its expectation is 1 - E_Q[(P/Q)^a].
template <Direction direction>
struct LostSum {
  double b = 0;
  Parity<double> lost{};
  std::int64_t nodes = 0;
  double noise = 0;

  double add(const Chunk& c, std::size_t i, std::int64_t j) {
    const View n = view<direction>(c, i);
    const double grown = b * n.centred, rest = n.weight * exp_remainder(-b * n.loss);
    // If the weight is 0, P has so little mass here that e^(-b L) times it vanishes.
    const double term = n.weight > 0 ? std::max(0.0, grown - rest) : grown;
    lost.add(j, term);
    noise += (grown + rest) * c.noise(i);
    ++nodes;
    return term;
  }
  double size() const { return lost.total(); }
};

struct Moment {
  double value, error;
};

// The same errors apply to the value and to the modulus; the caller includes the error of the mean.
template <Direction direction, int power>
Moment central_moment(const Lattice& lattice, double mean) {
  const Params& k = lattice.params();
  CentralSum<direction, power> sum{.mean = mean};
  sum_windows(lattice, sum, direction == Direction::remove ? peaks_above_one(k, 1) : peaks_below_zero(k, 0));
  const double coarse = step_error(direction, sum.moment.coarse_error(), sum.modulus);
  return {sum.moment.total(), sum_error(lattice, sum, coarse, sum.modulus)};
}

template <Direction direction>
Cumulants cumulants_in(const Lattice& lattice, const Bounded& mean) {
  const Moment second = central_moment<direction, 2>(lattice, mean.value);
  const Moment third = central_moment<direction, 3>(lattice, mean.value);
  // With the mean off by d, E(L-m)^2 is off by d^2 and E(L-m)^3 by 3 d variance + d^3.
  const double d = mean.error;
  return {.mean = mean.value,
          .mean_error = d,
          .variance = second.value,
          .variance_error = second.error + d * d,
          .third = third.value,
          .third_error = third.error + 3 * d * (second.value + d * d)};
}

template <Direction direction>
Bounded chernoff_in(const Lattice& lattice, double a) {
  const Params& k = lattice.params();
  const Peaks peaks = direction == Direction::remove ? peaks_above_one(k, a) : peaks_below_zero(k, 1 - a);
  LostSum<direction> sum{.b = 1 - a};
  sum_windows(lattice, sum, peaks);
  const double lost = sum.lost.total(), kept = 1 - lost;
  const double error = sum_error(lattice, sum, step_error(direction, sum.lost.coarse_error(), lost), lost) / kept;
  const double value = -std::log1p(-lost);
  // P >= (1-q) Q, so E_Q[(P/Q)^a] >= (1-q)^a and E_P[(Q/P)^a] >= (1-q)^(1-a).
  const double most = -(direction == Direction::remove ? a : 1 - a) * k.log_1mq;
  if (!(kept > 0 && error < 0.1)) return {0.5 * most, 0.5 * most};
  return {value, error + 4 * numerics::unit_roundoff * value};
}

}  // namespace
}  // namespace quadrature_file

Cumulants cumulants_on(const Lattice& lattice, const Bounded& mean, Direction direction) {
  return direction == Direction::remove ? quadrature_file::cumulants_in<Direction::remove>(lattice, mean)
                                        : quadrature_file::cumulants_in<Direction::add>(lattice, mean);
}

Bounded chernoff_on(const Lattice& lattice, double a, Direction direction) {
  return direction == Direction::remove ? quadrature_file::chernoff_in<Direction::remove>(lattice, a)
                                        : quadrature_file::chernoff_in<Direction::add>(lattice, a);
}

}  // namespace renyi::sampled_gaussian
