// Bounds on factorisations of prefix sums. Mathias 1993, as quoted by Fichtenberger, Henzinger, Upadhyay 2023
// (arXiv:2202.11205): no factorisation has sensitivity times largest error below (1/2 + 1/(2n)) g, with g = (1/n) sum_j
// 1/|sin((2j-1) pi/(2n))|. The square root of the matrix of ones has at most 1 + ln((4n-1)/3)/pi, and approaches (ln n
// + gamma + ln 16)/pi (docs/math/banded-matrices.md).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "renyi/extras/matrix_design.h"

namespace renyi::matrix_factorisation_test {
namespace {

double lower_bound_of_mathias(std::int64_t n) {
  double g = 0;
  for (std::int64_t j = 1; j <= n; ++j) {
    g += 1 / std::sin(static_cast<double>(2 * j - 1) * std::numbers::pi / (2 * static_cast<double>(n)));
  }
  return (0.5 + 0.5 / static_cast<double>(n)) * g / static_cast<double>(n);
}

double largest_error(const std::vector<double>& c, std::int64_t rounds) {
  return toeplitz_sensitivity(c, {.rounds = rounds}) * std::sqrt(prefix_sum_error(c, rounds).largest_squared);
}

TEST(MatrixFactorisation, TheSquareRootLiesBetweenThePublishedBounds) {
  for (const std::int64_t n : {1, 2, 10, 1000, 100'000}) {
    const double found = largest_error(square_root_coefficients(n), n);
    EXPECT_GE(found, lower_bound_of_mathias(n) * (1 - 1e-9)) << n;
    const auto rounds = static_cast<double>(n);
    EXPECT_LE(found, 1 + std::log((4 * rounds - 1) / 3) / std::numbers::pi + 1e-9) << n;
    const double limit = (std::log(rounds) + std::numbers::egamma + std::log(16)) / std::numbers::pi;
    EXPECT_NEAR(found, limit, 0.1 / rounds) << n;
  }
}

TEST(MatrixFactorisation, NoBandedMatrixIsBelowTheLowerBound) {
  for (const std::int64_t n : {10, 200}) {
    for (const std::int64_t bands : {std::int64_t{1}, std::int64_t{4}, n}) {
      EXPECT_GE(largest_error(optimal_coefficients(bands, {.rounds = n}), n), lower_bound_of_mathias(n)) << n;
    }
  }
}

}  // namespace
}  // namespace renyi::matrix_factorisation_test
