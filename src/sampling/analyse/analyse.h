// Analyses a step under a neighbouring relation (docs/math/sampling.md, "Who gets what").
#pragma once

#include "renyi/mechanism.h"

namespace renyi::sampling {

// Returns a mechanism whose curve does not depend on the relation. Throws Unsupported, with the reason, for what is not
// analysed.
Mechanism analyse(const Mechanism& mechanism, const Adjacency& relation);

}  // namespace renyi::sampling
