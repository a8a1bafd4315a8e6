// How far one record moves what a run of several steps releases, by how often it takes part and how far apart
// (docs/math/trees-and-matrices.md): of C g for a matrix C, of that for C with constant diagonals, and of trees.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "renyi/extras/parameter.h"

namespace renyi::mechanism {

// How often one record takes part in a run of several steps, and how far apart.
struct Participation {
  std::int64_t most = 1;        // steps that one record takes part in
  std::int64_t separation = 1;  // from one of them to the next, at least

  // As many as fit into a run: the steps 0, b, 2b, ... below `steps`.
  std::int64_t most_in(std::int64_t steps) const { return std::min(most, (steps - 1) / separation + 1); }
};

// What figures of such runs assume where a record is added or removed (docs/math/trees-and-matrices.md).
inline constexpr std::string_view rounds_are_kept =
    "a record more or less leaves a gap: the other records keep their rounds, as if it were zeroed out";

// Up to this many patterns of participation are tried one by one.
inline constexpr double most_patterns_tried = 1 << 15;

enum class Order { any, fixed };  // fixed: the steps of a record are exactly `separation` apart

// Of C g: the squared L2 sensitivity, rounded up, for contributions of norm 1 (columns are steps). Exact up to rounding
// where no two columns of a pattern have a negative inner product and one participation, columns of a pattern that are
// orthogonal, a fixed order or few patterns make the search complete; above the truth otherwise.
double squared_matrix_sensitivity(const Rows& matrix, const Participation& participation, Order order);

// By which share of itself it may be above the truth where it is attained.
double squared_sensitivity_rounding(const Rows& matrix);

// Whether some record is known to move the query so far.
bool is_attained(const Rows& matrix, const Participation& participation, Order order);

// The bound for any number of patterns, for any order.
double bound_for_all_patterns(const Rows& matrix, const Participation& participation);

// Of C g for C lower triangular with constant diagonals: the squared L2 sensitivity, rounded up, of the steps x steps
// matrix with this first column (zeros below), for
// contributions of norm 1. Exact up to rounding for one participation, for at most `separation` coefficients, and where
// the coefficients are non-negative and none is larger than the one before; above the truth otherwise.
double squared_toeplitz_sensitivity(std::span<const double> coefficients, std::int64_t steps,
                                    const Participation& participation);

// By which share of itself it may be above the truth where it is attained.
double squared_sensitivity_rounding(std::span<const double> coefficients);

// Whether some record is known to move the query so far.
bool is_attained(std::span<const double> coefficients, std::int64_t steps, const Participation& participation);

// Binary trees over the steps of a run: every complete node is released.
struct TreeRun {
  std::int64_t steps = 1;
  std::int64_t restart_every = 0;  // a new tree after so many steps; 0: one tree
  Participation participation{};
};

// Up to this many participations, and trees, the worst placement is found exactly.
inline constexpr std::int64_t most_placed_exactly = 64;
inline constexpr std::int64_t most_trees_placed_exactly = 64;

// Of all nodes of the trees of a run together: the squared L2 sensitivity for contributions of norm 1, exact up to
// those numbers, and above the truth by a few percent beyond.
double squared_sensitivity(const TreeRun& run);

bool is_exact(const TreeRun& run);

// The bound for any number of participations: each height by itself.
double level_bound(const TreeRun& run);

}  // namespace renyi::mechanism
