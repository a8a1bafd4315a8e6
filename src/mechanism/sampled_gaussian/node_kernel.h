// The columns of a chunk, computed for several nodes at once.
#pragma once

#include "mechanism/sampled_gaussian/lattice.h"
#include "numerics/simd/dispatch.h"

namespace renyi::sampled_gaussian {

// Fills the nodes x = j step for j from `first` on; `log_weight` is ln(step / (s sqrt(2 pi))).
using FillNodes = void (*)(const Params& params, double step, double log_weight, long first, Chunk& chunk);

// The version for an instruction set, or the best that is compiled below it.
FillNodes fill_nodes_for(numerics::simd::Target target);

// That of this processor.
void fill_nodes(const Params& params, double step, double log_weight, long first, Chunk& chunk);

}  // namespace renyi::sampled_gaussian
