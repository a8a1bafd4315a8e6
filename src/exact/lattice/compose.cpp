#include "exact/lattice/compose.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "numerics/extended.h"
#include "numerics/fft.h"
#include "numerics/rounding.h"
#include "renyi/limits.h"

namespace renyi::exact::lattice {

namespace compose_file {
namespace {

using numerics::unit_roundoff;

enum class Side { upper, lower };

const Masses& side_of(const CountedMasses& step, Side side) { return side == Side::upper ? step.upper : step.lower; }

// The smallest and the largest sum of the losses.
struct Support {
  double low = 0;
  double high = 0;
};

Support support_of(const std::vector<CountedMasses>& steps, Side side, double h) {
  Support support;
  for (const CountedMasses& step : steps) {
    const Masses& masses = side_of(step, side);
    support.low += step.count * (masses.offset + static_cast<double>(masses.first) * h);
    support.high += step.count * (masses.offset + static_cast<double>(masses.last()) * h);
  }
  return support;
}

// Powers are computed by multiplication, and from scratch once per block, so that their error stays below 2^7
// roundings.
constexpr std::size_t block = 64;

// ln of sum w_j exp(a j h) / sum w_j, where j is counted from the lowest mass.
double log_moment_above_first(const std::vector<double>& w, double step) {
  const std::size_t n = w.size();
  const double factor = std::exp(-std::abs(step));
  const auto at = [&](std::size_t i) { return step > 0 ? w[n - 1 - i] : w[i]; };  // the largest power first
  double sum = 0, total = 0;
  for (std::size_t start = 0; start < n; start += block) {
    double power = std::exp(-std::abs(step) * static_cast<double>(start));
    const std::size_t end = std::min(n, start + block);
    for (std::size_t i = start; i < end; ++i, power *= factor) {
      sum += at(i) * power;
      total += at(i);
    }
  }
  if (!(sum > 0)) return HUGE_VAL;  // all powers underflow: no bound
  return std::log(sum / total) + (step > 0 ? step * static_cast<double>(n - 1) : 0);
}

// Computes the moments for Chernoff bounds on the composed tilted law from the masses of its steps: ln E[exp(a S)] of
// the sum S of all steps under the tilted law, for any real a.
double log_tilted_moment(const std::vector<CountedMasses>& steps, Side side, double a, double h) {
  double sum = 0;
  for (const CountedMasses& step : steps) {
    const Masses& masses = side_of(step, side);
    const double lowest = masses.offset + static_cast<double>(masses.first) * h;
    sum += step.count * (log_moment_above_first(masses.w, a * h) + a * lowest);
  }
  return sum;
}

// The bounds on the tails are to be at most exp(-tail_level).
constexpr double tail_level = 26;

// Returns the order a at which (M(a) + level)/a is smallest, by a golden-section search: beyond that position the
// Chernoff bound is at most exp(-level).
double best_order(const std::vector<CountedMasses>& steps, Side side, double sign, double h) {
  const auto position = [&](double log_a) {
    const double a = std::exp(log_a);
    return (log_tilted_moment(steps, side, sign * a, h) + tail_level) / a;
  };
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  const Support support = support_of(steps, side, h);
  const double middle = -std::log(std::max(support.high - support.low, h));
  double low = middle - 2, high = middle + 14;
  double x = high - golden * (high - low), y = low + golden * (high - low);
  double at_x = position(x), at_y = position(y);
  for (int i = 0; i < 14; ++i) {
    if (at_x < at_y) {
      high = y, y = x, at_y = at_x;
      x = high - golden * (high - low), at_x = position(x);
    } else {
      low = x, x = y, at_x = at_y;
      y = low + golden * (high - low), at_y = position(y);
    }
  }
  return std::exp(0.5 * (low + high));
}

template <class Real>
constexpr double roundoff = static_cast<double>(numerics::epsilon_of<Real>) / 2;

// The complex product without the standard library's treatment of infinities.
template <class Real>
std::complex<Real> times(std::complex<Real> x, std::complex<Real> y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

// Returns z^n for |z| of at most about 1: at most n - 1 products enter, each with an error of sqrt(5) u.
template <class Real>
std::complex<Real> power(std::complex<Real> z, std::uint64_t n) {
  std::complex<Real> result = 1;
  for (; n > 0; n >>= 1) {
    if ((n & 1) != 0) result = times(result, z);
    z = times(z, z);
    if (std::norm(z) < 1e-250) return n > 1 ? Real(0) : result;  // negligible, and subnormals are slow
  }
  return result;
}

struct Window {
  double low = 0;
  double high = 0;
};

Window window_of(const std::vector<CountedMasses>& steps, double h, const TailOrders& orders) {
  const Support above = support_of(steps, Side::upper, h), below = support_of(steps, Side::lower, h);
  const double high = (log_tilted_moment(steps, Side::upper, orders.up, h) + tail_level) / orders.up;
  // Mass that wraps round from below would have too small a tilted weight where it lands, so neither side may have any.
  const double moment = std::max(log_tilted_moment(steps, Side::lower, -orders.down, h),
                                 log_tilted_moment(steps, Side::upper, -orders.down, h));
  const double low = -(moment + tail_level) / orders.down;
  return {std::max(std::min(below.low, above.low), low) - h, std::min(above.high, high) + h};
}

double total(const Masses& masses) {
  double sum = 0;
  for (const double w : masses.w) sum += w;
  return sum;
}

// Stores both sides as the real and the imaginary part of one sequence, folded to `size` points.
template <class Real>
void fold(const CountedMasses& step, std::vector<std::complex<Real>>& out) {
  using Complex = std::complex<Real>;
  std::fill(out.begin(), out.end(), Complex(0));
  const std::size_t mask = out.size() - 1;
  const auto add = [&](const Masses& masses, Complex unit) {
    const Complex scale = unit / static_cast<Real>(total(masses));
    auto at = static_cast<std::size_t>(masses.first) & mask;
    for (const double w : masses.w) {
      out[at] += static_cast<Real>(w) * scale;
      at = (at + 1) & mask;
    }
  };
  add(step.upper, {1, 0});
  add(step.lower, {0, 1});
}

template <class Real>
double norm_of(const std::vector<std::complex<Real>>& z) {
  Real sum = 0;
  for (const auto& x : z) sum += std::norm(x);
  return static_cast<double>(std::sqrt(sum));
}

// The transforms of both composed sides at the first half of the frequencies.
template <class Real>
struct Spectrum {
  using Complex = std::complex<Real>;
  std::vector<Complex> upper;
  std::vector<Complex> lower;
  double error = 0;   // the error in the Euclidean norm, divided by sqrt(size)
  double growth = 0;  // the growth of moduli that should be at most 1, as an exponent

  explicit Spectrum(std::size_t size) : upper(size / 2 + 1, Complex(1)), lower(size / 2 + 1, Complex(1)) {}

  // |(x+e)^n - x^n| <= n |e| (|x|+|e|)^(n-1), and all other factors are at most 1 + |e| each.
  void multiply(const std::vector<Complex>& z, double count, double norm, const numerics::Fft<Real>& fft) {
    const std::size_t n = fft.size();
    const auto times_run = static_cast<std::uint64_t>(count);
    for (std::size_t k = 0; k <= n / 2; ++k) {
      const Complex here = z[k], mirror = std::conj(z[(n - k) & (n - 1)]);
      const Complex sum = Real(0.5) * (here + mirror), difference = Real(0.5) * (here - mirror);
      upper[k] = times(upper[k], power(sum, times_run));
      lower[k] = times(lower[k], power(Complex(difference.imag(), -difference.real()), times_run));
    }
    const double each = (fft.relative_error() + 2 * roundoff<Real>)*norm;
    error += count * each;
    growth += count * (each * std::sqrt(static_cast<double>(n)) + 4 * roundoff<Real>);
  }

  // Builds the conjugate of the sequence whose transform has both sides as its real and imaginary parts.
  void pack(std::vector<Complex>& z) const {
    const std::size_t n = z.size();
    for (std::size_t k = 0; k <= n / 2; ++k) {
      const Complex u = upper[k], l = lower[k];
      z[k] = std::conj(u + Complex(-l.imag(), l.real()));
      z[(n - k) & (n - 1)] = std::conj(std::conj(u) + Complex(l.imag(), l.real()));
    }
  }
};

// Returns the composed law of one side without its masses.
Composed frame(const std::vector<CountedMasses>& steps, Side side, const Grid& grid, const TailOrders& orders,
               double low, std::size_t n) {
  Composed law;
  law.h = grid.h;
  law.c = grid.c;
  double offset = 0;
  for (const CountedMasses& step : steps) {
    stop_if_asked();
    const Masses& m = side_of(step, side);
    const double reach =
        std::abs(m.offset) + grid.h * static_cast<double>(std::max(std::abs(m.first), std::abs(m.last())));
    const double log_total = std::log(total(m));
    offset += step.count * m.offset;
    law.log_scale += step.count * (m.log_scale + log_total);
    law.infinite += step.count * std::exp(m.log_infinite);
    law.slack += step.count * (m.slack + 32 * unit_roundoff * (1 + reach) + 2e-12 * grid.h);
    law.relative += step.count * (m.relative + 4 * unit_roundoff * (16 + grid.c * reach + std::abs(m.log_scale)));
  }
  law.origin = offset + std::floor((low - offset) / grid.h) * grid.h;
  const double end = law.origin + grid.h * static_cast<double>(n - 1);
  law.slack += 8 * unit_roundoff * (std::abs(offset) + std::abs(law.origin) + std::abs(end));
  const Support support = support_of(steps, side, grid.h);
  if (support.high > end + 0.5 * grid.h) {
    law.beyond = std::exp(log_tilted_moment(steps, side, orders.up, grid.h) - orders.up * (end + grid.h - law.slack));
  }
  for (const CountedMasses& step : steps) {
    stop_if_asked();
    const Masses& m = side_of(step, side);
    law.beyond += step.count * m.dropped / total(m);
  }
  law.outside = law.beyond;
  if (support.low < law.origin - 0.5 * grid.h) {
    law.outside += std::exp(log_tilted_moment(steps, side, -orders.down, grid.h) +
                            orders.down * (law.origin - grid.h + law.slack));
  }
  return law;
}

// Moves the masses of one side from their indices modulo n to their positions in the window.
template <class Real, class Part>
void unfold(const std::vector<CountedMasses>& steps, Side side, const std::vector<std::complex<Real>>& z,
            const Part& part, Composed& law) {
  double offset = 0;
  for (const CountedMasses& step : steps) offset += step.count * side_of(step, side).offset;
  const std::size_t n = z.size();
  const auto first = static_cast<std::int64_t>(std::llround((law.origin - offset) / law.h));
  auto at = static_cast<std::size_t>(first) & (n - 1);
  law.w.resize(n);
  for (std::size_t k = 0; k < n; ++k, at = (at + 1) & (n - 1)) {
    law.w[k] =
        std::max(0.0, static_cast<double>(part(z[at])) / static_cast<double>(n));  // exact masses are not negative
  }
}

template <class Real>
std::optional<BothComposed> compose_in(const std::vector<CountedMasses>& steps, const Grid& grid,
                                       const TailOrders& orders, std::size_t most_points) {
  using Complex = std::complex<Real>;
  const Window window = window_of(steps, grid.h, orders);
  const double needed = (window.high - window.low) / grid.h + 4;
  if (!(needed <= static_cast<double>(most_points))) return std::nullopt;
  std::size_t n = 64;
  while (static_cast<double>(n) < needed) n *= 2;
  if (n > most_points) return std::nullopt;
  const double low = window.low - 0.5 * grid.h * (static_cast<double>(n) - needed);

  numerics::Fft<Real> fft(n);
  std::vector<Complex> z(n), transformed(n);
  Spectrum<Real> spectrum(n);
  for (const CountedMasses& step : steps) {
    stop_if_asked();
    fold(step, z);
    const double norm = norm_of(z);
    fft.forward(z.data(), transformed.data());
    spectrum.multiply(transformed, step.count, norm, fft);
  }
  if (!(spectrum.growth < 0.1)) return std::nullopt;
  spectrum.pack(z);
  const double norm = norm_of(z) / std::sqrt(static_cast<double>(n));
  fft.forward(z.data(), transformed.data());

  BothComposed both{frame(steps, Side::upper, grid, orders, low, n), frame(steps, Side::lower, grid, orders, low, n),
                    needed};
  unfold(
      steps, Side::upper, transformed, [](Complex x) { return x.real(); }, both.upper);
  unfold(
      steps, Side::lower, transformed, [](Complex x) { return -x.imag(); }, both.lower);
  const double rounding = spectrum.growth + fft.relative_error() + 8 * roundoff<Real>;
  double counts = 0;
  for (const CountedMasses& step : steps) counts += step.count;
  both.upper.error = both.lower.error =
      1.2 * spectrum.error + (fft.relative_error() + (3 * counts + 8) * roundoff<Real>)*norm * (1 + rounding);
  return both;
}

}  // namespace
}  // namespace compose_file

TailOrders tail_orders(const std::vector<CountedMasses>& steps, double h) {
  return {compose_file::best_order(steps, compose_file::Side::upper, 1, h),
          compose_file::best_order(steps, compose_file::Side::lower, -1, h)};
}

std::optional<BothComposed> compose(const std::vector<CountedMasses>& steps, const Grid& grid, const TailOrders& orders,
                                    std::size_t most_points, Precision precision) {
  return precision == Precision::plain ? compose_file::compose_in<double>(steps, grid, orders, most_points)
                                       : compose_file::compose_in<long double>(steps, grid, orders, most_points);
}

Composed alone(const CountedMasses& step, bool upper, const Grid& grid) {
  const compose_file::Side side = upper ? compose_file::Side::upper : compose_file::Side::lower;
  const Masses& masses = compose_file::side_of(step, side);
  const double low = masses.offset + static_cast<double>(masses.first) * grid.h;
  std::vector<CountedMasses> once{step};
  once.front().count = 1;
  Composed law = compose_file::frame(once, side, grid, {}, low + 0.5 * grid.h, masses.w.size());
  const double sum = compose_file::total(masses);
  law.w = masses.w;
  for (double& w : law.w) w /= sum;
  return law;
}

}  // namespace renyi::exact::lattice
