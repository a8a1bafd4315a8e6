#include "mechanism/atomic_curve.h"

#include <algorithm>
#include <cmath>

#include "numerics/rounding.h"

namespace renyi::mechanism {

using numerics::unit_roundoff;

// sum over losses above epsilon of p (1 - exp(epsilon - l)).
Bounded listed_hockey_stick(const AtomicCurve& curve, double epsilon, Direction direction) {
  long double value = 0, error = std::exp(curve.left_out(direction).log_above);
  const auto& atoms = curve.atoms(direction);
  for (const LossAtom& atom : atoms) {
    const double excess = atom.loss - epsilon, off = atom.loss_error + unit_roundoff * std::abs(excess);
    if (excess < -off) continue;
    const double term = -std::expm1(-std::max(excess, 0.0));
    // The mass is as good as its exponent.
    const double ulps = (16 + 4 * std::abs(atom.p.log)) * unit_roundoff;
    value += static_cast<long double>(atom.p.value) * term;
    error += atom.p.value * (ulps * term + off) + std::numeric_limits<double>::denorm_min();
  }
  error += static_cast<long double>(atoms.size() + 1) * std::numeric_limits<long double>::epsilon() * value;
  const auto rounded = static_cast<double>(value);
  return {rounded, static_cast<double>(error) + unit_roundoff * rounded + std::numeric_limits<double>::denorm_min()};
}

std::shared_ptr<const AtomicCurve> atomic_curve_of(const Mechanism& mechanism) {
  if (mechanism.sampling() != nullptr) return nullptr;
  return std::dynamic_pointer_cast<const AtomicCurve>(mechanism.curve());
}

}  // namespace renyi::mechanism
