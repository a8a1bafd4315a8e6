// Steps seen by a person with several records. None of them is sampled.
#pragma once

#include <cstdint>
#include <optional>

#include "renyi/mechanism.h"

namespace renyi::sampling {

// The step with the effect of one record `size` times as large, where it is known to allow that; else nothing.
std::optional<Mechanism> scaled(const Mechanism& mechanism, double size);

// Any step, by the Renyi group bound of the next power of two (docs/math/promises.md, "Group privacy").
Mechanism by_group_bound(const Mechanism& mechanism, std::int64_t size);
bool is_group_bound(const Mechanism& mechanism);

// Scaled where that is known, by the group bound otherwise.
Mechanism for_group(const Mechanism& mechanism, std::int64_t size);

}  // namespace renyi::sampling
