// Compares the exact divergences of all pairs of neighbours with the library's claims.
#pragma once

#include <functional>
#include <string>

#include "worlds/claim.h"

namespace renyi::worlds {

// The largest truth / claim over all pairs, at each order and each epsilon.
struct Nearness {
  std::array<long double, orders.size()> rdp{};
  std::array<long double, epsilons.size()> delta{};
};

// A function that returns the distribution of all outputs for a given dataset.
using World = std::function<Law(const Dataset&)>;

// Expects that no pair of neighbours is further apart than claimed: each direction by itself where the relation has
// directions, the worst in any case.
Nearness expect_dominated(const std::vector<Pair>& pairs, Neighbors relation, const World& world,
                          const std::string& plan);

}  // namespace renyi::worlds
