#include "mechanism/random_allocation/moments.h"

#include <algorithm>
#include <cmath>

#include "numerics/exponentials.h"
#include "numerics/rounding.h"

namespace renyi::random_allocation {

using numerics::exp_remainder;
using numerics::unit_roundoff;

namespace moments_file {
namespace {

// The sums of 1 and R - 1 see the bulk of the density only; further out its error was measured
// (docs/math/random-allocation.md, "Accuracy").
constexpr double unseen_error = 1e-13, unseen_error_for_small_s = 2e-12, small_s = 0.6;
// Beyond this exponent, A is so large that A - 1 is A.
constexpr double large = 300;

double power_of(double z, Direction direction) { return direction == Direction::remove ? z + 1 : -z; }

// Sums of the terms of A - 1 and of its first two derivatives in z, A = E_Q[R^power], times exp(-scale).
struct Sums {
  double excess = 0;
  double slope = 0;
  double second = 0;
  double exponents = 0;  // sum of the terms of A - 1 times the size of their exponents
  double scale = 0;
};

// With x = ln R, the terms of A - 1 are R^(z+1) - 1 - (z+1)(R - 1) = R (rem(zx) + z rem(-x)) and
// R^(-z) - 1 + z (R - 1) = rem(-zx) + z rem(x), where rem(y) = exp(y) - 1 - y: none of them is negative, and nothing
// cancels.
Sums centred_sums(const Window& window, double z, Direction direction) {
  Sums sums;
  const bool remove = direction == Direction::remove;
  for (std::size_t i = 0; i < window.log_density.size(); ++i) {
    const double x = window.x(i), l = remove ? x : -x, level = window.log_density[i] + (remove ? x : 0);
    const double mass = window.step * std::exp(level), rest = exp_remainder(-l), grown = std::expm1(z * l);
    const double term = mass * (exp_remainder(z * l) + z * rest);
    sums.excess += term;
    sums.slope += mass * (l * grown + rest);
    sums.second += mass * (1 + grown) * l * l;
    sums.exponents += term * (std::abs(level) + std::abs(z * l));
  }
  return sums;
}

// The sums of A and of its derivatives.
Sums plain_sums(const Window& window, double z, Direction direction, double scale) {
  Sums sums;
  sums.scale = scale;
  const double power = power_of(z, direction);
  for (std::size_t i = 0; i < window.log_density.size(); ++i) {
    const double x = window.x(i), l = direction == Direction::remove ? x : -x;
    const double term = window.step * std::exp(window.log_density[i] + power * x - scale);
    sums.excess += term;
    sums.slope += term * l;
    sums.second += term * l * l;
    sums.exponents += term * (std::abs(window.log_density[i]) + std::abs(power * x));
  }
  return sums;
}

double largest_exponent(const Window& window, double power) {
  double largest = 0;
  for (std::size_t i = 0; i < window.log_density.size(); ++i)
    largest = std::max(largest, window.log_density[i] + power * window.x(i));
  return largest;
}

}  // namespace
}  // namespace moments_file

double density_error(const Window& window, double s) {
  double mass = 0, mean = 0, square = 0;
  for (std::size_t i = 0; i < window.log_density.size(); ++i) {
    const double p = window.step * std::exp(window.log_density[i]), r = std::expm1(window.x(i));
    mass += p;
    mean += p * r;
    square += p * r * std::min(r, 1.0);
  }
  const double seen = std::abs(mass - 1) + std::abs(mean) / std::sqrt(square);
  const double unseen = s < moments_file::small_s ? moments_file::unseen_error_for_small_s : moments_file::unseen_error;
  return unseen + 4 * seen;
}

LogMoment moment_of(const Window& window, double z, Direction direction, double s) {
  const double power = moments_file::power_of(z, direction);
  const double top = moments_file::largest_exponent(window, power);
  const bool plain = top > moments_file::large;
  const auto sums =
      plain ? moments_file::plain_sums(window, z, direction, top) : moments_file::centred_sums(window, z, direction);
  const double whole = plain ? sums.excess : 1 + sums.excess;
  const double relative = density_error(window, s) + 16 * unit_roundoff,
               error = relative * sums.excess + 4 * unit_roundoff * sums.exponents;
  LogMoment k;
  k.value = plain ? sums.scale + std::log(sums.excess) : std::log1p(sums.excess);
  k.error = error / whole + 8 * unit_roundoff * k.value;
  k.slope = sums.slope / whole;
  const double slope_relative = sums.excess > 0 ? error / sums.excess : relative;
  k.slope_error = std::abs(k.slope) * (2 * slope_relative + 16 * unit_roundoff);
  k.curvature = std::max(0.0, sums.second / whole - k.slope * k.slope);
  return k;
}

Bounded chernoff_of(const Window& window, double a, Direction direction, double s) {
  // E_P[(Q/P)^a] = E_Q[R^(1-a)].
  const double power = direction == Direction::remove ? a : 1 - a;
  double missing = 0, size = 0;
  for (std::size_t i = 0; i < window.log_density.size(); ++i) {
    const double x = window.x(i), p = window.step * std::exp(window.log_density[i]);
    const double convex = power * exp_remainder(x), less = exp_remainder(power * x);
    missing += p * (convex - less);
    size += p * (convex + less);
  }
  const double value = -std::log1p(-missing);
  return {value, (density_error(window, s) + 64 * unit_roundoff) * size / (1 - missing)};
}

Cumulants cumulants_of(const Window& window, const Bounded& mean, Direction direction, double s) {
  double second = 0, third = 0, size = 0;
  for (std::size_t i = 0; i < window.log_density.size(); ++i) {
    const double x = window.x(i), l = direction == Direction::remove ? x : -x;
    const double p = window.step * std::exp(window.log_density[i] + (direction == Direction::remove ? x : 0));
    const double off = l - mean.value;
    second += p * off * off;
    third += p * off * off * off;
    size += p * std::abs(off * off * off);
  }
  const double relative = density_error(window, s) + 64 * unit_roundoff;
  return {.mean = mean.value,
          .mean_error = mean.error,
          .variance = second,
          .variance_error = relative * second + mean.error * std::sqrt(second),
          .third = third,
          .third_error = relative * size + 3 * mean.error * second};
}

}  // namespace renyi::random_allocation
