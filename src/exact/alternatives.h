// Parallel parts: a record lies in one of them, so a plan is one of several, and the largest figure counts.
#pragma once

#include <vector>

#include "renyi/plan.h"

namespace renyi::exact {

bool has_parallel(const std::vector<CountedMechanism>& steps);

// Every choice of one part of each parallel step. Throws Unsupported for more
// than most_alternatives.
std::vector<std::vector<CountedMechanism>> alternatives(const std::vector<CountedMechanism>& steps);
inline constexpr std::size_t most_alternatives = 64;

}  // namespace renyi::exact
