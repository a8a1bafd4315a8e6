// Few copies of a discrete loss with few atoms: every sum of losses is listed, and nothing is rounded to a grid.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "exact/lattice/atoms.h"
#include "mechanism/atomic_curve.h"

namespace renyi::exact::lattice {

struct Listed {
  std::shared_ptr<const mechanism::AtomicCurve> curve{};
  std::int64_t count = 1;
  Direction direction = Direction::remove;
};

// How many multisets of atoms there are: (n+k-1)! / (n! (k-1)!), or infinity.
double outcomes(const Listed& step);

// All sums of an atom of the list and one of the step's, under the tilt c. Those lighter than `negligible` are added to
// what is unsure.
Atoms convolved(const Atoms& atoms, const Listed& step, double c, double negligible);

}  // namespace renyi::exact::lattice
