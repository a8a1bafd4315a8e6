// One component of a revealed mixture of pairs, in one direction: its branches and its atoms.
#pragma once

#include <vector>

#include "exact/lattice/pair_branch.h"
#include "sampling/pairs/pairs_curve.h"

namespace renyi::exact::lattice {

struct PairAtom {
  double loss = 0;
  double loss_error = 0;
  double log_mass = 0;  // of P, the component's weight included
  double log_mass_error = 0;
};

struct PairComponent {
  double weight = 0;
  bool symmetric = false;
  std::vector<PairBranch> branches{};
  std::vector<PairAtom> atoms{};
  double atom_distance = 0;  // of its outermost atoms
  double rest_error = 0;     // of the mass at loss 0 of a symmetric pair, beside the component's weight
};

PairComponent pair_component(const sampling::WeightedPair& component, Direction direction);

// The loss beyond which P has next to nothing; too large for cells above some bound, nothing to speak of below another.
double farthest_loss(const sampling::MonotonePair& pair);
inline constexpr double most_loss = 1e4, least_loss = 1e-12;

}  // namespace renyi::exact::lattice
