#include "sampling/pairs/moments.h"

#include <algorithm>
#include <cmath>

#include "sampling/pairs/sides.h"

namespace renyi::sampling {

namespace {

using numerics::exp_remainder;

// Moments are scaled when the largest exponent exceeds this.
constexpr double scale_above = 500;
constexpr double tolerance = 3e-13;
constexpr double coarsest = 1e-10;
// On a vertical line the terms cancel: every digit counts.
constexpr double complex_tolerance = 1e-14;

double shift_of(const Cover& cover) { return cover.peak > scale_above ? cover.peak : 0; }

// K is about the shift where there is one: errors beside it count less.
double tolerance_at(double shift) { return std::min(coarsest, tolerance * std::max(1.0, shift)); }

enum RealPart { moment, slope, curvature };

void add_real(const Atom& atom, double z, double shift, Terms<3>& terms) {
  const double mass = std::exp(atom.log_mass - shift), y = z * atom.loss, rest = centred(atom, mass, shift);
  if (y < 1) {
    const double remainder = exp_remainder(y), grown = y > -1 ? remainder + y : std::expm1(y);  // exp(y) - 1
    terms.value[moment] += mass * remainder + z * rest;
    terms.value[slope] += mass * atom.loss * grown + rest;
    terms.value[curvature] += mass * atom.loss * atom.loss * (1 + grown);
  } else {
    const double large = std::exp(atom.log_mass + y - shift);
    terms.value[moment] += large - (mass * (1 + y) - z * rest);
    terms.value[slope] += atom.loss * large - (mass * atom.loss - rest);
    terms.value[curvature] += atom.loss * atom.loss * large;
  }
}

void add_complex(const Atom& atom, std::complex<double> z, double shift, std::complex<double>& sum, double& size) {
  const double mass = std::exp(atom.log_mass - shift), rest = centred(atom, mass, shift);
  const std::complex<double> y = z * atom.loss;
  if (y.real() < 1) {
    const std::complex<double> remainder = exp_remainder(y);
    sum += mass * remainder + z * rest;
    size += mass * std::abs(remainder) + std::abs(z) * rest;
  } else {
    const double large = std::exp(atom.log_mass + y.real() - shift);
    sum += std::polar(large, y.imag()) - (mass * (1.0 + y) - z * rest);
    size += large + mass * (1 + std::abs(y)) + std::abs(z) * rest;
  }
}

}  // namespace

RealMoment real_moment(const MonotonePair& pair, double z, Direction direction) {
  const std::complex<double> power = power_of(z, pair, direction);
  const Cover where = cover(pair, power);
  const double shift = shift_of(where);
  const auto integrand = [&](const PairPoint& point) {
    Terms<3> terms;
    for_atoms(point, pair.reading(), direction, [&](const Atom& atom) { add_real(atom, z, shift, terms); });
    terms.size = terms.value;
    terms.noise = term_noise(point, power);
    return terms;
  };
  const Integrals<3> sum = with_ends<3>(pair, where, integrand, tolerance_at(shift));
  return {shift, sum.value[moment], sum.error[moment], sum.value[slope], sum.error[slope], sum.value[curvature]};
}

ComplexMoment complex_moment(const MonotonePair& pair, std::complex<double> z, Direction direction) {
  const std::complex<double> power = power_of(z, pair, direction);
  const Cover where = cover(pair, power);
  const double shift = shift_of(where);
  const auto integrand = [&](const PairPoint& point) {
    std::complex<double> sum;
    double size = 0;
    for_atoms(point, pair.reading(), direction, [&](const Atom& atom) { add_complex(atom, z, shift, sum, size); });
    return Terms<2>{{sum.real(), sum.imag()}, {size, size}, term_noise(point, power)};
  };
  const Integrals<2> sum = with_ends<2>(pair, where, integrand, complex_tolerance);
  return {shift, {sum.value[0], sum.value[1]}, sum.error[0] + sum.error[1]};
}

}  // namespace renyi::sampling
