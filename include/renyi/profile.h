// Where to read a plan's profile delta(epsilon) off: the values themselves are ExactAccountant's.
#pragma once

#include <vector>

#include "renyi/analysis.h"

namespace renyi {

// Epsilons evenly spaced by a round number, from 0 to where delta has surely fallen to 1e-10:
// about ten. Only 0 where the plan costs nothing; up to 10 where it costs infinitely much.
std::vector<double> profile_epsilons(const Analysis& analysis);

}  // namespace renyi
