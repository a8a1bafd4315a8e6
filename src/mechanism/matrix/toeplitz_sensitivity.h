// How far one record moves C g, for C lower triangular with constant diagonals (docs/math/trees-and-matrices.md).
#pragma once

#include <cstdint>
#include <span>

#include "mechanism/participation.h"

namespace renyi::mechanism {

// The squared L2 sensitivity, rounded up, of the steps x steps matrix with this first column (zeros below), for
// contributions of norm 1. Exact up to rounding for one participation, for at most `separation` coefficients, and where
// the coefficients are non-negative and none is larger than the one before; above the truth otherwise.
double squared_toeplitz_sensitivity(std::span<const double> coefficients, std::int64_t steps,
                                    const Participation& participation);

// By which share of itself it may be above the truth where it is attained.
double squared_sensitivity_rounding(std::span<const double> coefficients);

// Whether some record is known to move the query so far.
bool is_attained(std::span<const double> coefficients, std::int64_t steps, const Participation& participation);

}  // namespace renyi::mechanism
