#include "sampling/pairs/statistics.h"

#include <algorithm>
#include <cmath>

#include "sampling/pairs/sides.h"

namespace renyi::sampling {

namespace {

using numerics::exp_remainder;
using numerics::unit_roundoff;

constexpr double tolerance = 3e-13;

}  // namespace

// E_P[b R(-L) - R(-bL)] with b = 1-a <= 1/2: every term is >= 0, and at least half of the first.
Bounded lost_at(const MonotonePair& pair, double a, Direction direction) {
  const std::complex<double> power = power_of(0, pair, direction);
  const Cover where = cover(pair, power);
  const double b = 1 - a;
  const auto integrand = [&](const PairPoint& point) {
    Terms<1> terms;
    for_atoms(point, pair.reading(), direction, [&](const Atom& atom) {
      const double mass = std::exp(atom.log_mass), grown = b * centred(atom, mass, 0);
      const double rest = mass > 0 ? mass * exp_remainder(-b * atom.loss) : 0;
      terms.value[0] += std::max(0.0, grown - rest);
      terms.size[0] += grown + rest;
    });
    terms.noise = term_noise(point, power);
    return terms;
  };
  const Integrals<1> sum = with_ends<1>(pair, where, integrand, tolerance);
  return {sum.value[0], sum.error[0]};
}

// What the cover leaves out, and what is neither above nor below 0, counts as loss 0: its mass is the rest of 1.
CentralMoments central_moments(const MonotonePair& pair, double mean, Direction direction) {
  const std::complex<double> power = power_of(0, pair, direction);
  const Cover where = cover(pair, power);
  const auto integrand = [&](const PairPoint& point) {
    Terms<3> terms;
    double moved = 0;  // what the error of the loss does to the square
    for_atoms(point, pair.reading(), direction, [&](const Atom& atom) {
      const double mass = std::exp(atom.log_mass), off = atom.loss - mean, size = std::abs(off);
      terms.value[0] += mass;
      terms.value[1] += mass * off * off;
      terms.value[2] += mass * off * off * off;
      terms.size[2] += mass * size * size * size;
      if (size > 0) moved = std::max(moved, 3 * (point.loss_error + unit_roundoff * size) / size);
    });
    terms.size[0] = terms.value[0];
    terms.size[1] = terms.value[1];
    terms.noise = term_noise(point, power) + std::min(1.0, moved);
    return terms;
  };
  const Integrals<3> sum = with_ends<3>(pair, where, integrand, tolerance);
  const double rest = 1 - sum.value[0], error = sum.error[0] + unit_roundoff;
  return {sum.value[1] + rest * mean * mean, sum.error[1] + error * mean * mean,
          sum.value[2] - rest * mean * mean * mean, sum.error[2] + error * std::abs(mean * mean * mean)};
}

}  // namespace renyi::sampling
