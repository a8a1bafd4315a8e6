// Atoms that lie anywhere, rounded down to a grid by merging (docs/math/discrete-noise.md, "Atoms rounded down").
#pragma once

#include <span>

#include "exact/lattice/cells.h"
#include "mechanism/atomic_curve.h"

namespace renyi::exact::lattice {

// Cells without mass, and atoms at points, of a pair below the one given: outcomes are split and merged, so that both
// masses are kept and the ratio is that of a point. The grid hangs on the heaviest atom.
Cells merged_atoms(std::span<const mechanism::LossAtom> atoms, const Grid& grid, double log_scale);

}  // namespace renyi::exact::lattice
