#include "divergence/discrete_model.h"

#include <algorithm>
#include <cmath>

#include "divergence/extended.h"
#include "numerics/exponentials.h"

namespace renyi::divergence_detail {
namespace {

using numerics::unit_roundoff;

// A term exp(log_p + z loss) above this is summed by its logarithm.
constexpr double large_exponent = 500;
// Units in the last place that one term's own operations cost.
constexpr double term_ulps = 64;

// [R(zl) + z R(-l)] / z, R(y) = exp(y) - 1 - y; its limit R(-l) at z = 0. Large losses directly: there the
// linear terms of R, which cancel between the two, would outweigh the rest.
double centred_term(double z, double l) {
  using numerics::exp_remainder;
  if (std::abs(l) > 0.5) return (z == 0 ? l : std::expm1(z * l) / z) + std::expm1(-l);
  return (z == 0 ? 0 : exp_remainder(z * l) / z) + exp_remainder(-l);
}

// |d/dl| of the term above: exp(zl) - exp(-l).
double centred_slope(double z, double l) { return std::abs(std::expm1(z * l) - std::expm1(-l)); }

// A sum, its rounding, and what the errors of the losses do to it.
struct Sum {
  long double value = 0;
  long double rounding = 0;
  long double through_losses = 0;
  double largest_loss_error = 0;

  void add(double term, double term_rounding) {
    value += term;
    rounding += term_rounding + std::numeric_limits<double>::denorm_min();
  }
};

void add_atom(Sum& sum, const Atom& atom, double z) {
  const double exponent = z * atom.loss;
  sum.largest_loss_error = std::max(sum.largest_loss_error, atom.loss_error);
  if (z > 0 && exponent > large_exponent) {
    // The rest of the term is below rounding; p exp(zl) is formed at once, since exp(zl) may overflow.
    const double term = std::exp(atom.p.log + exponent) / z;
    sum.add(term, (term_ulps + 2 * (exponent - atom.p.log)) * unit_roundoff * term);
    sum.through_losses += z * term * atom.loss_error;
  } else if (atom.loss < -large_exponent) {
    // Q's mass outweighs P's, and exp(-l) may overflow: q + p [exp(zl) - 1]/z - p with every product formed at once.
    const double q = std::exp(atom.p.log - atom.loss), moment = std::exp(atom.p.log + exponent);
    const double grown = z == 0 ? atom.p.value * atom.loss : (moment - atom.p.value) / z;
    const double size = q + std::abs(grown) + atom.p.value;
    sum.add(q + grown - atom.p.value, (term_ulps + 4 * (std::abs(atom.p.log) - atom.loss)) * unit_roundoff * size);
    sum.through_losses += (q + moment) * atom.loss_error;
  } else {
    const double term = centred_term(z, atom.loss);
    sum.add(atom.p.value * term, atom.p.value * (term_ulps + 2 * std::max(exponent, 0.0)) * unit_roundoff * term);
    sum.through_losses += atom.p.value * centred_slope(z, atom.loss) * atom.loss_error;
    sum.rounding += std::numeric_limits<double>::denorm_min() * term;
  }
}

// (E_P[exp(zL)] - 1)/z = sum p [R(zl)/z + R(-l)] + Q(p = 0) - (1+z)/z P(q = 0); P(q = 0) > 0 only for z < 0.
Sum centred_moment(const Atoms& atoms, double z) {
  Sum sum;
  for (const Atom& atom : atoms.shared) add_atom(sum, atom, z);
  const double lost = atoms.p_only == 0 ? 0 : -(1 + z) / z * atoms.p_only;
  sum.add(atoms.q_only, 4 * unit_roundoff * atoms.q_only);
  sum.add(lost, 8 * unit_roundoff * lost);
  // Every term is >= 0, so partial sums are at most the sum.
  sum.rounding += static_cast<long double>(atoms.shared.size() + 2) * long_epsilon * sum.value;
  return sum;
}

double largest_exponent(const Atoms& atoms, double z) {
  double most = -infinity;
  for (const Atom& atom : atoms.shared) most = std::max(most, atom.p.log + z * atom.loss);
  return most;
}

// ln sum p exp(zl), for moments far from 1: every term is positive, and the logarithm of a sum moves by no more
// than its terms' logarithms do. Terms far below the largest count for nothing.
Bounded by_logarithm(const Atoms& atoms, double z, double most) {
  long double sum = 0, error = 0;
  for (const Atom& atom : atoms.shared) {
    const double exponent = atom.p.log + z * atom.loss;
    const double size = std::abs(atom.p.log) + std::abs(z * atom.loss) + 1;
    const double own_error = 8 * unit_roundoff * size + std::abs(z) * atom.loss_error;
    if (exponent + own_error < most - 200) continue;
    sum += std::exp(static_cast<long double>(exponent) - most);
    error = std::max(error, static_cast<long double>(own_error));
  }
  error += static_cast<long double>(atoms.shared.size()) * (long_epsilon + 1e-80L);
  const long double size = std::abs(static_cast<long double>(z));
  return to_bounded((most + std::log(sum)) / z, (error + 4 * long_epsilon * std::abs(most)) / size);
}

}  // namespace

DiscreteModel::DiscreteModel(Atoms atoms, Atoms swapped_atoms)
    : DiscreteModel(std::make_shared<const Atoms>(std::move(atoms)),
                    std::make_shared<const Atoms>(std::move(swapped_atoms))) {}

DiscreteModel::DiscreteModel(std::shared_ptr<const Atoms> atoms, std::shared_ptr<const Atoms> other)
    : atoms_(std::move(atoms)), swapped_atoms_(std::move(other)) {}

std::shared_ptr<const PairModel> DiscreteModel::swapped() const {
  return std::shared_ptr<const PairModel>(new DiscreteModel(swapped_atoms_, atoms_));
}

Bounded DiscreteModel::largest_loss() const {
  double most = 0, low = 0, high = 0;  // some loss is >= 0
  for (const Atom& atom : atoms_->shared) {
    most = std::max(most, atom.loss);
    low = std::max(low, numerics::next_down(atom.loss - atom.loss_error));
    high = std::max(high, atom.loss_error == 0 ? atom.loss : numerics::next_up(atom.loss + atom.loss_error));
  }
  return to_bounded(most, std::max(high - most, most - low));
}

Bounded DiscreteModel::renyi(double z) const {
  if (atoms_->never_meet()) return exactly(infinity);
  if (atoms_->are_one_law()) return exactly(0);
  if (atoms_->p_only > 0 && z >= 0) return exactly(infinity);
  if (std::isinf(z)) return largest_loss();
  const double most = largest_exponent(*atoms_, z);
  if (most > large_exponent) return by_logarithm(*atoms_, z, most);
  const Sum s = centred_moment(*atoms_, z);
  const long double moment = 1 + z * s.value;
  if (moment < 0.25L) return by_logarithm(*atoms_, z, most);
  const long double value = z == 0 ? s.value : std::log1p(z * s.value) / z;
  // D moves by no more than the losses do: the better estimate where z times their errors is not small.
  const bool linear = z * s.largest_loss_error < 0.01;
  const long double through_losses = linear ? 1.05L * s.through_losses / moment : s.largest_loss_error;
  return to_bounded(value, 1.05L * s.rounding / moment + through_losses + 4 * long_epsilon * value);
}

// sum over losses above epsilon of p (1 - exp(epsilon - l)).
Bounded DiscreteModel::hockey_stick(double epsilon) const {
  if (atoms_->are_one_law()) return exactly(0);
  long double value = atoms_->p_only, error = 4 * unit_roundoff * atoms_->p_only;
  if (value > 0) error += std::numeric_limits<double>::denorm_min();
  if (std::isinf(epsilon)) return to_bounded(value, error);
  for (const Atom& atom : atoms_->shared) {
    const double excess = atom.loss - epsilon;
    const double off = atom.loss_error + unit_roundoff * std::abs(excess);
    if (excess < -off) continue;
    const double term = -std::expm1(-std::max(excess, 0.0));
    value += static_cast<long double>(atom.p.value) * term;
    error += atom.p.value * (8 * unit_roundoff * term + off) + std::numeric_limits<double>::denorm_min();
  }
  error += static_cast<long double>(atoms_->shared.size() + 1) * long_epsilon * value;
  return to_bounded(value, error);
}

}  // namespace renyi::divergence_detail
