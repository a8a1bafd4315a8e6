// Any noise on a Poisson sample: P' = (1-q) Q + q P against Q, where (P, Q) is the pair of the noise itself.
#pragma once

#include <memory>

#include "mechanism/monotone/monotone_pair.h"

namespace renyi::sampling {

// Requires 0 < rate < 1 and a pair that can be mixed; throws InvalidArgument otherwise. The reading of that pair does
// not matter.
std::shared_ptr<const monotone::MonotonePair> mixed_pair(double rate,
                                                         std::shared_ptr<const monotone::MonotonePair> pair,
                                                         monotone::Reading reading);

}  // namespace renyi::sampling
