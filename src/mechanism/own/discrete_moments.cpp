#include "mechanism/own/discrete_moments.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/exponentials.h"
#include "numerics/rounding.h"

namespace renyi::mechanism {

namespace {

using numerics::unit_roundoff;

// Up to here exp(z l) is formed by itself.
constexpr double large_exponent = 500;
// Losses up to this are centred: their sum cancels to second order.
constexpr double small_loss = 0.5;
constexpr double term_ulps = 64;

struct Sum {
  long double value = 0;
  long double error = 0;
};

// E_P[L exp(zL)] = sum p [l expm1(zl) + R(-l)] + Q(p = 0), R(y) = exp(y) - 1 - y: every term is >= 0
// (docs/math/log-moment-curve.md, "centred moments"). A large loss by p l exp(zl) + q - p.
Sum centred_mean(const DiscreteLoss& loss, double z) {
  Sum sum{loss.model->atoms().q_only, 4 * unit_roundoff * loss.model->atoms().q_only};
  const double summation = summation_rounding(loss.atoms.size() + 1);
  for (const LossAtom& atom : loss.atoms) {
    const double l = atom.loss, grown = std::expm1(z * l);
    const double moved = std::abs(grown) + z * std::abs(l) * (1 + grown);
    const double ulps = (term_ulps + 2 * z * std::abs(l)) * unit_roundoff + summation;
    if (std::abs(l) <= small_loss) {
      const double term = atom.p.value * (l * grown + numerics::exp_remainder(-l));
      sum.value += term;
      sum.error += ulps * term + atom.p.value * (moved + std::abs(std::expm1(-l))) * atom.loss_error;
    } else {
      const double q = std::exp(atom.p.log - l), tilted = atom.p.value * l * (1 + grown);
      sum.value += tilted + q - atom.p.value;
      sum.error += ulps * (1 + std::abs(atom.p.log)) * (std::abs(tilted) + q + atom.p.value) +
                   (atom.p.value * (1 + moved) + q) * atom.loss_error;
    }
  }
  return sum;
}

// p exp(zl) of an atom beside that of the heaviest: differences lose nothing where z l is large.
double weight(const LossAtom& atom, const LossAtom& top, double z) {
  return std::exp((atom.p.log - top.p.log) + z * (atom.loss - top.loss));
}

// Relative, and that of the loss of the heaviest with it.
double weight_error(const LossAtom& atom, const LossAtom& top, double z) {
  const double size = 1 + std::abs(atom.p.log) + std::abs(top.p.log) + z * std::abs(atom.loss - top.loss);
  return 4 * unit_roundoff * size + z * (atom.loss_error + top.loss_error);
}

// Its loss and what the others take off.
Sum weighted_mean(const std::vector<LossAtom>& atoms, const LossAtom& top, double z, long double total) {
  Sum sum{top.loss, top.loss_error};
  const double summation = summation_rounding(2 * atoms.size());  // of this sum and of the total
  for (const LossAtom& atom : atoms) {
    const long double share = weight(atom, top, z) / total, off = static_cast<long double>(atom.loss) - top.loss;
    const double exponent = 1 + std::abs(atom.p.log) + std::abs(top.p.log) + z * std::abs(atom.loss - top.loss);
    const double errors = atom.loss_error + top.loss_error;
    sum.value += share * off;
    sum.error += share * (errors + std::abs(off) * (8 * unit_roundoff * exponent + summation + z * errors));
  }
  return sum;
}

}  // namespace

const LossAtom& heaviest(const std::vector<LossAtom>& atoms, double z) {
  return *std::max_element(atoms.begin(), atoms.end(), [z](const LossAtom& a, const LossAtom& b) {
    return a.p.log + z * a.loss < b.p.log + z * b.loss;
  });
}

TiltedMoments tilted_moments(const DiscreteLoss& loss, double z) {
  const LossAtom& top = heaviest(loss.atoms, z);
  long double total = 0, moved = 0;  // by the errors of their exponents
  for (const LossAtom& atom : loss.atoms) {
    const double w = weight(atom, top, z);
    total += w;
    moved += w * weight_error(atom, top, z);
  }
  const bool centred = z * loss.atoms.back().loss < large_exponent;
  Sum mean = centred ? centred_mean(loss, z) : weighted_mean(loss.atoms, top, z, total);
  if (centred) {
    const long double moment = total * std::exp(static_cast<long double>(top.p.log + z * top.loss));
    const double largest = 1 + std::abs(top.p.log) + z * std::abs(top.loss);
    const long double relative = moved / total + 4 * unit_roundoff * largest + summation_rounding(loss.atoms.size());
    mean.value /= moment;
    mean.error = mean.error / moment + 2 * relative * std::abs(mean.value);
  }
  long double variance = 0;
  for (const LossAtom& atom : loss.atoms) {
    const long double off = atom.loss - mean.value;
    variance += weight(atom, top, z) / total * off * off;
  }
  const auto value = static_cast<double>(mean.value);
  return {value, static_cast<double>(mean.error) + 64 * unit_roundoff * std::abs(value), static_cast<double>(variance)};
}

}  // namespace renyi::mechanism
