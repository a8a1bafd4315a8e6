// Where to hang the grid of a law that has a whole half-line of outcomes next to one loss.
#pragma once

#include <vector>

#include "exact/lattice/pair_branch.h"

namespace renyi::exact::lattice {

// Branches of one course and of the same least l, each with a half-line or an atom there. The y in (0, h] such that
// what they have up to y above it, merged into the point at y, balances the half of the next cell that is merged with
// it (docs/math/lattice.md): then nothing is lost.
double balanced_start(const std::vector<const PairBranch*>& branches, const Grid& grid, double log_scale);

}  // namespace renyi::exact::lattice
