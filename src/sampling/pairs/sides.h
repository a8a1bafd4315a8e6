// The points of a pair as atoms of the loss: which of P and Q a direction looks from.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>

#include "numerics/exponentials.h"
#include "numerics/rounding.h"
#include "sampling/pairs/monotone_pair.h"
#include "sampling/pairs/quadrature.h"

namespace renyi::sampling {

// The mass exp(log_mass) at loss L of the law that the loss is taken under.
struct Atom {
  double log_mass = 0;
  double loss = 0;
  double log_other = 0;  // log_mass - loss: the mass under the other law
};

inline Atom removed(const PairPoint& point) { return {point.log_p, point.loss, point.log_q}; }
inline Atom added(const PairPoint& point) { return {point.log_q, -point.loss, point.log_p}; }

// Calls `term` with the atoms of one point.
template <class Term>
void for_atoms(const PairPoint& point, Reading reading, Direction direction, const Term& term) {
  if (reading == Reading::symmetric || direction == Direction::remove) term(removed(point));
  if (reading == Reading::symmetric || direction == Direction::add) term(added(point));
}

// Beyond this loss, exp of it is not multiplied by masses.
constexpr double large_loss = 40;

// Relative error of terms |r^p - 1 - p (r - 1)|: from the loss, with which their logarithm changes by 2/|l| and what
// their exponential does at most, from the densities that count, and from their own exponents.
inline double term_noise(const PairPoint& point, std::complex<double> power) {
  const double size = std::abs(point.loss), near = size < large_loss ? 1 : 0;
  const double p = point.loss > -large_loss ? point.log_p_error : 0;
  const double q = point.loss < large_loss ? point.log_q_error : 0;
  const double tilt =
      near + std::abs(power.imag()) + (point.loss > 0 ? std::max(0.0, power.real() - 1) : std::max(0.0, -power.real()));
  const double own = std::abs(point.loss > 0 ? point.log_p : point.log_q) + tilt * size + 12;
  const double from_loss = size > 0 ? (tilt + 2 / size) * point.loss_error : 0;
  return std::min(1.0, from_loss + std::max(p, q) + 2 * numerics::unit_roundoff * own);
}

// mass R(-L) exp(-shift), where exp(-L) may overflow but the product does not.
inline double centred(const Atom& atom, double mass, double shift) {
  if (atom.loss > -large_loss) return mass * numerics::exp_remainder(-atom.loss);
  return std::exp(atom.log_other - shift) - mass * (1 - atom.loss);
}

// The integrals over a cover, and the two atoms at its ends, which are as points of width 1.
template <std::size_t n, class Integrand>
Integrals<n> with_ends(const MonotonePair& pair, const Cover& cover, const Integrand& integrand, double tolerance) {
  Integrals<n> sum = integrate<n>(pair, cover.panels, integrand, tolerance);
  const auto add = [&](double x, double log_mass) {
    PairPoint point = pair.at(x);
    point.log_q = log_mass;
    point.log_q_error = (4 + 2 * std::abs(log_mass)) * numerics::unit_roundoff;
    point.log_p = log_mass + point.loss;
    point.log_p_error = point.log_q_error + 2 * point.loss_error;
    const Terms<n> terms = integrand(point);
    for (std::size_t i = 0; i < n; ++i) {
      sum.value[i] += terms.value[i];
      sum.size[i] += terms.size[i];
      sum.error[i] += terms.size[i] * (terms.noise + 16 * numerics::unit_roundoff);
    }
  };
  // Where only positive losses count, the lower atom is none of them.
  if (pair.has_atom_below() && !pair.is_symmetric()) add(pair.first(), pair.log_mass_below());
  if (pair.has_atom_above()) add(pair.last(), pair.log_mass_above());
  return sum;
}

inline std::complex<double> power_of(std::complex<double> z, const MonotonePair& pair, Direction direction) {
  return pair.is_symmetric() || direction == Direction::remove ? z + 1.0 : -z;
}

}  // namespace renyi::sampling
