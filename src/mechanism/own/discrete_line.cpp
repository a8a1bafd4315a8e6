#include "mechanism/own/discrete_line.h"

#include <algorithm>
#include <cmath>

#include "mechanism/own/discrete_moments.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"

namespace renyi::mechanism {

using numerics::unit_roundoff;

// Weights p exp(c l) that sum to 1.
DiscreteLine::DiscreteLine(const DiscreteCurve& curve, double c, Direction direction)
    : PointwiseLine(curve, c, direction) {
  const auto& atoms = curve.atoms(direction);
  const LossAtom& top = heaviest(atoms, c);
  long double total = 0, error = 0;
  for (const LossAtom& atom : atoms) {
    const double weight = std::exp((atom.p.log - top.p.log) + c * (atom.loss - top.loss));
    const double size = 4 + std::abs(atom.p.log) + std::abs(top.p.log) + c * std::abs(atom.loss - top.loss);
    atoms_.push_back(
        {atom.loss, atom.loss_error, weight, 4 * unit_roundoff * size + c * (atom.loss_error + top.loss_error)});
    total += weight;
    error += weight * atoms_.back().relative;
  }
  // The sum's own error moves all weights alike; sums over them, here and along the line, round once a term.
  const double summation = 2 * summation_rounding(atoms.size());
  for (Tilted& atom : atoms_) {
    atom.weight = static_cast<double>(atom.weight / total);
    atom.relative += static_cast<double>(error / total) + 2 * unit_roundoff + summation;
  }
}

// phi(y) - 1 = sum w (exp(ix) - 1), x = y l, exp(ix) - 1 = -2 sin(x/2)^2 + i sin(x).
ComplexLogMoment DiscreteLine::log_phi(double y) const {
  long double re = 0, im = 0, error = 0;
  for (const Tilted& atom : atoms_) {
    const double x = y * atom.loss, half = std::sin(0.5 * x), whole = std::sin(x);
    re -= 2 * atom.weight * half * half;
    im += atom.weight * whole;
    const double turned = std::min(2.0, std::abs(y) * (atom.loss_error + unit_roundoff * std::abs(atom.loss)));
    error += atom.weight * ((atom.relative + 8 * unit_roundoff) * 2 * std::abs(half) + turned);
  }
  const std::complex<double> s(static_cast<double>(re), static_cast<double>(im));
  const double off = static_cast<double>(error) + 2 * unit_roundoff * std::abs(s), modulus = std::abs(1.0 + s);
  if (!(off < 0.5 * modulus)) return {{std::min(0.0, std::log(modulus + off)), 0}, HUGE_VAL};
  return {numerics::log1p(s), 2 * off / modulus + 4 * unit_roundoff * std::abs(s)};
}

}  // namespace renyi::mechanism
