#include "exact/lattice/pair_component.h"

#include <cmath>

#include "numerics/rounding.h"

namespace renyi::exact::lattice {

namespace {

using sampling::MonotonePair;

using numerics::unit_roundoff;

constexpr double log_nothing = -60;
// What the quadrature leaves.
constexpr double least_rest_error = 1e-14;

double far_end(const MonotonePair& pair) {
  return tail_begins(pair, log_nothing, [&](double x) { return pair.log_p_above(x); });
}

// P's mass at loss 0 of a symmetric pair, 1 - P(l > 0) - Q(l > 0), and by how much it may be off.
Bounded rest_of(const MonotonePair& pair) {
  double mass = 0, error = least_rest_error;
  const auto add = [&](double log_mass, double log_error) {
    const double here = std::exp(log_mass);
    mass += here;
    error += here * (log_error + 4 * unit_roundoff * std::abs(log_mass));
  };
  if (pair.has_atom_above()) {
    const double log_q = pair.log_mass_above();
    const Bounded loss = pair.largest_loss();
    add(log_q, 0);
    add(log_q + loss.value, loss.error + 4 * unit_roundoff * loss.value);
  }
  integrate_pair(pair, place_at(pair, pair.zero()), place_at(pair, far_end(pair)),
                 [&](const sampling::PairPoint& at, double weight) {
                   add(at.log_q + std::log(weight), at.log_q_error);
                   add(at.log_p + std::log(weight), at.log_p_error);
                 });
  return {std::max(0.0, 1 - mass), error};
}

// Q's mass outside [first, last] under either course: exp(l) of it, where losses rise, carries the rounding of both.
void add_atoms(const MonotonePair& pair, double log_weight, Course course, std::vector<PairAtom>& atoms) {
  const auto add = [&](double log_mass, double l, double error) {
    if (!std::isfinite(log_mass)) return;
    const bool rises = course == Course::rising;
    const double rounding = 4 * unit_roundoff * (std::abs(log_mass) + std::abs(l));
    atoms.push_back({rises ? l : -l, error, log_weight + log_mass + (rises ? l : 0), rounding + (rises ? error : 0)});
  };
  add(pair.log_mass_above(), pair.largest_loss().value, pair.largest_loss().error);
  if (!pair.is_symmetric()) add(pair.log_mass_below(), -pair.largest_fall().value, pair.largest_fall().error);
}

}  // namespace

PairComponent pair_component(const sampling::WeightedPair& component, Direction direction) {
  const MonotonePair& pair = *component.pair;
  const double log_weight = std::log(component.weight);
  PairComponent result{.weight = component.weight, .symmetric = pair.is_symmetric()};
  for (const Course course : {Course::rising, Course::falling}) {
    if (!result.symmetric && (course == Course::rising) != (direction == Direction::remove)) continue;
    result.branches.emplace_back(component.pair, log_weight, course);
    add_atoms(pair, log_weight, course, result.atoms);
  }
  if (pair.has_atom_above()) {
    const double below = result.symmetric ? pair.largest_loss().value : pair.largest_fall().value;
    result.atom_distance = pair.largest_loss().value + below;
  }
  if (!result.symmetric) return result;
  const Bounded rest = rest_of(pair);
  result.rest_error = rest.error;
  if (rest.value > 0) result.atoms.push_back({.log_mass = log_weight + std::log(rest.value)});
  return result;
}

double farthest_loss(const MonotonePair& pair) { return pair.loss(far_end(pair)); }

}  // namespace renyi::exact::lattice
