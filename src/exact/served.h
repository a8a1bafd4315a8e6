// The steps of a plan as the engines see them.
#pragma once

#include <vector>

#include "renyi/plan.h"

namespace renyi::exact {

struct Served {
  std::vector<CountedMechanism> steps;
  bool changed = false;
};

// Steps given that their loss is finite, and pairs that dominate those known by bounds on their divergences.
Served served_by_engines(std::vector<CountedMechanism> steps);

}  // namespace renyi::exact
