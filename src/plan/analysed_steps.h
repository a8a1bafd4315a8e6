// Steps merged, and each of them analysed once: parts of parallel steps may hold parallel steps.
#pragma once

#include <vector>

#include "renyi/plan.h"

namespace renyi::plan {

// Nesting multiplied out, equal mechanisms merged, in order of first use.
std::vector<CountedMechanism> merged_steps(const Steps& steps);

std::vector<CountedMechanism> analysed_steps(const Steps& steps, const Adjacency& adjacency);

}  // namespace renyi::plan
