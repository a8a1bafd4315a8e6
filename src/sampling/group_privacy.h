// Steps for a unit of privacy of several records. None of these steps is sampled.
#pragma once

#include <cstdint>

#include "renyi/mechanism.h"

namespace renyi::sampling {

// Bounds any step by the Renyi group bound of the next power of two (docs/math/guarantees.md, "Group privacy").
Mechanism by_group_bound(const Mechanism& mechanism, std::int64_t size);
bool is_group_bound(const Mechanism& mechanism);

// Uses the mechanism's own analysis of groups if it has one, and the group bound otherwise.
Mechanism for_group(const Mechanism& mechanism, std::int64_t size);

}  // namespace renyi::sampling
