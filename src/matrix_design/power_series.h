// Truncated power series with real coefficients: products, inverses and correlations, in time n log n.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace renyi::matrix_design {

using Series = std::vector<double>;

// Returns the first `length` coefficients of a(x) b(x).
Series product(std::span<const double> a, std::span<const double> b, std::size_t length);

// Returns the first `length` coefficients of 1 / c(x), by Newton's iteration. The absolute error is some units of
// roundoff of the largest intermediate norms, so it is meant for inverses whose coefficients do not grow.
Series inverse(std::span<const double> c, std::size_t length);

// Returns sum_j a[j] b[j - k] for k = 0, ..., lags - 1.
Series correlation(std::span<const double> a, std::span<const double> b, std::size_t lags);

}  // namespace renyi::matrix_design
