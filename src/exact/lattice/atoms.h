// The sum of several lattice laws as a list of atoms.
#pragma once

#include <optional>
#include <vector>

#include "exact/lattice/compose.h"

namespace renyi::exact::lattice {

struct Atoms {
  std::vector<double> s{0.0};
  std::vector<double> w{1.0};  // tilted masses, about 1 in all
  double log_scale = 0;
  double slack = 0;
  double relative = 0;
  double unsure = 0;    // tilted mass that may be missing, or too much
  double infinite = 0;  // P-mass of infinite loss, at most
};

// All sums of an atom of the list and one of the law; nothing if they are too many. Those lighter than
// `negligible` are added to what is unsure.
std::optional<Atoms> convolved(const Atoms& atoms, const Composed& law, double negligible);

}  // namespace renyi::exact::lattice
