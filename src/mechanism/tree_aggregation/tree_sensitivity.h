// How far one record moves all nodes of the trees of a run together (docs/math/trees-and-matrices.md).
#pragma once

#include <cstdint>

#include "mechanism/participation.h"

namespace renyi::mechanism {

// Binary trees over the steps of a run: every complete node is released.
struct TreeRun {
  std::int64_t steps = 1;
  std::int64_t restart_every = 0;  // a new tree after so many steps; 0: one tree
  Participation participation{};
};

// Up to this many participations, and trees, the worst placement is found exactly.
inline constexpr std::int64_t most_placed_exactly = 64;
inline constexpr std::int64_t most_trees_placed_exactly = 64;

// The squared L2 sensitivity for contributions of norm 1: exact up to those numbers, and above the truth by a few
// percent beyond.
double squared_sensitivity(const TreeRun& run);

bool is_exact(const TreeRun& run);

// The bound for any number of participations: each height by itself.
double level_bound(const TreeRun& run);

}  // namespace renyi::mechanism
