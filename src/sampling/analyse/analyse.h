// A step as the mathematics sees it under a relation (docs/math/sampling.md, "Who gets what").
#pragma once

#include "renyi/mechanism.h"

namespace renyi::sampling {

// A mechanism whose curve needs no relation. Throws Unsupported, with the reason, for what is not analysed.
Mechanism analyse(const Mechanism& mechanism, const Adjacency& relation);

}  // namespace renyi::sampling
