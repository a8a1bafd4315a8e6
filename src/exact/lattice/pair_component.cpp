#include "exact/lattice/pair_component.h"

#include <cmath>

namespace renyi::exact::lattice {

namespace {

using sampling::MonotonePair;

constexpr double log_nothing = -60;

double far_end(const MonotonePair& pair) {
  return tail_begins(pair, log_nothing, [&](double x) { return pair.log_p_above(x); });
}

// P's mass at loss 0 of a symmetric pair: 1 - P(l > 0) - Q(l > 0).
double rest_of(const MonotonePair& pair) {
  double mass = pair.mass_above() > 0 ? pair.mass_above() * (1 + std::exp(pair.largest_loss().value)) : 0;
  integrate_pair(pair, place_at(pair, pair.zero()), place_at(pair, far_end(pair)),
                 [&](const sampling::PairPoint& at, double weight) {
                   mass += weight * (std::exp(at.log_q) + std::exp(at.log_q + at.loss));
                 });
  return std::max(0.0, 1 - mass);
}

// Q's mass outside [first, last] under either course.
void add_atoms(const MonotonePair& pair, double log_weight, Course course, std::vector<PairAtom>& atoms) {
  const auto add = [&](double mass, double l, double error) {
    if (!(mass > 0)) return;
    const bool rises = course == Course::rising;
    atoms.push_back({rises ? l : -l, error, log_weight + std::log(mass) + (rises ? l : 0)});
  };
  add(pair.mass_above(), pair.largest_loss().value, pair.largest_loss().error);
  if (!pair.is_symmetric()) add(pair.mass_below(), -pair.largest_fall().value, pair.largest_fall().error);
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
  if (pair.mass_above() > 0) {
    const double below = result.symmetric ? pair.largest_loss().value : pair.largest_fall().value;
    result.atom_distance = pair.largest_loss().value + below;
  }
  if (const double rest = result.symmetric ? rest_of(pair) : 0; rest > 0) {
    result.atoms.push_back({0, 0, log_weight + std::log(rest)});
  }
  return result;
}

double farthest_loss(const MonotonePair& pair) { return pair.loss(far_end(pair)); }

}  // namespace renyi::exact::lattice
