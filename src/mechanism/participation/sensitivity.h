// The sensitivity of a run of several steps, by how often one record takes part and at what distance
// (docs/math/trees-and-matrices.md): of C g for a matrix C, of C g for a matrix C with constant diagonals, and of
// trees.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "renyi/extras/parameter.h"

namespace renyi::mechanism {

// How often one record takes part in a run of several steps, and at what distance.
struct Participation {
  std::int64_t most = 1;        // largest number of steps that one record takes part in
  std::int64_t separation = 1;  // least distance from one of these steps to the next

  // Returns the number of participations that fit into a run: the steps 0, b, 2b, ... below `steps`.
  std::int64_t most_in(std::int64_t steps) const { return std::min(most, (steps - 1) / separation + 1); }
};

// The assumption of all values for such runs if a record is added or removed (docs/math/trees-and-matrices.md).
inline constexpr std::string_view rounds_are_kept =
    "a record more or less leaves a gap: the other records keep their rounds, as if it were zeroed out";

// Up to this many patterns of participation are tried one by one.
inline constexpr double most_patterns_tried = 1 << 15;

enum class Order { any, fixed };  // fixed: a record's steps are exactly `separation` apart

// Returns the squared L2 sensitivity of C g, rounded up, for contributions of norm 1 (columns are steps). It is exact
// up to rounding where no two columns of a pattern have a negative inner product and the search is complete, which
// holds for one participation, for columns of a pattern that are orthogonal, for a fixed order and for few patterns;
// otherwise it is an upper bound.
double squared_matrix_sensitivity(const Rows& matrix, const Participation& participation, Order order);

// Returns the largest relative amount by which the squared sensitivity may exceed the exact value where it is attained.
double squared_sensitivity_rounding(const Rows& matrix);

// True if some record is known to move the query that far.
bool is_attained(const Rows& matrix, const Participation& participation, Order order);

// Returns the upper bound for any number of patterns and any order.
double bound_for_all_patterns(const Rows& matrix, const Participation& participation);

// Returns the squared L2 sensitivity of C g, rounded up, for contributions of norm 1, where C is the lower triangular
// steps x steps matrix with constant diagonals and this first column (zeros below). It is exact up to rounding for one
// participation, for at most `separation` coefficients, and where the coefficients are non-negative and none is larger
// than the one before; otherwise it is an upper bound.
double squared_toeplitz_sensitivity(std::span<const double> coefficients, std::int64_t steps,
                                    const Participation& participation);

// Returns the largest relative amount by which the squared sensitivity may exceed the exact value where it is attained.
double squared_sensitivity_rounding(std::span<const double> coefficients);

// True if some record is known to move the query that far.
bool is_attained(std::span<const double> coefficients, std::int64_t steps, const Participation& participation);

// Binary trees over the steps of a run: every complete node is released.
struct TreeRun {
  std::int64_t steps = 1;
  std::int64_t restart_every = 0;  // a new tree starts after this many steps; 0: one tree
  Participation participation{};
};

// Up to this many participations, and trees, the worst placement is computed exactly.
inline constexpr std::int64_t most_placed_exactly = 64;
inline constexpr std::int64_t most_trees_placed_exactly = 64;

// Returns the squared L2 sensitivity of all nodes of the trees of a run together, for contributions of norm 1. It is
// exact up to those numbers, and exceeds the exact value by a few percent beyond them.
double squared_sensitivity(const TreeRun& run);

bool is_exact(const TreeRun& run);

// Returns the upper bound for any number of participations, which treats each height separately.
double level_bound(const TreeRun& run);

}  // namespace renyi::mechanism
