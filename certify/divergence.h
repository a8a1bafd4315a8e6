// Divergences of whole plans, in balls.
#pragma once

#include <string>
#include <vector>

#include "certify/ball.h"
#include "renyi/plan.h"

namespace renyi::certify {

// Sum of count times D_order, in one direction.
Ball divergence(const std::vector<CountedMechanism>& steps, Direction direction, double order, Route route);
// The larger direction: both are composed through all steps first.
Ball larger_divergence(const std::vector<CountedMechanism>& steps, double order, Route route);

// "finite sum + closed form": every method used, each once.
std::string methods_of(const std::vector<CountedMechanism>& steps, const std::vector<Direction>& directions,
                       double order, Route route);

}  // namespace renyi::certify
