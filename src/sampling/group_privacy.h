// Steps seen by a person with several records. None of them is sampled.
#pragma once

#include <cstdint>

#include "renyi/mechanism.h"

namespace renyi::sampling {

// Any step, by the Renyi group bound of the next power of two (docs/math/guarantees.md, "Group privacy").
Mechanism by_group_bound(const Mechanism& mechanism, std::int64_t size);
bool is_group_bound(const Mechanism& mechanism);

// As the mechanism itself says where it knows, by the group bound otherwise.
Mechanism for_group(const Mechanism& mechanism, std::int64_t size);

}  // namespace renyi::sampling
