// How far one record moves C g (docs/math/trees-and-matrices.md, "Matrices").
#pragma once

#include "mechanism/participation.h"
#include "renyi/parameter.h"

namespace renyi::mechanism {

// Up to this many patterns of participation are tried one by one.
inline constexpr double most_patterns_tried = 1 << 15;

enum class Order { any, fixed };  // fixed: the steps of a record are exactly `separation` apart

// The squared L2 sensitivity, rounded up, for contributions of norm 1 (columns are steps). Exact up to rounding where
// no two columns of a pattern have a negative inner product and one participation, columns of a pattern that are
// orthogonal, a fixed order or few patterns make the search complete; above the truth otherwise.
double squared_matrix_sensitivity(const Rows& matrix, const Participation& participation, Order order);

// By which share of itself it may be above the truth where it is attained.
double squared_sensitivity_rounding(const Rows& matrix);

// Whether some record is known to move the query so far.
bool is_attained(const Rows& matrix, const Participation& participation, Order order);

// The bound for any number of patterns, for any order.
double bound_for_all_patterns(const Rows& matrix, const Participation& participation);

}  // namespace renyi::mechanism
