#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mechanism/participation/sensitivity.h"

namespace renyi::mechanism::toeplitz_sensitivity_test {
namespace {

Rows whole_matrix(const std::vector<double>& coefficients, std::size_t steps) {
  Rows matrix(steps, std::vector<double>(steps, 0));
  for (std::size_t i = 0; i < steps; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (i - j < coefficients.size()) matrix[i][j] = coefficients[i - j];
    }
  }
  return matrix;
}

constexpr Participation rules[] = {{1, 1}, {2, 1}, {2, 3}, {3, 2}, {5, 2}, {9, 1}, {4, 4}, {100, 3}};

// The dense search tries all patterns of these.
TEST(ToeplitzSensitivity, OfFallingCoefficientsIsExact) {
  const std::vector<std::vector<double>> columns{
      {1}, {1, 0.5}, {1, 0.5, 0.375, 0.3125}, {3, 3, 3, 1, 1, 0.25, 0}, {2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};
  for (const auto& coefficients : columns) {
    for (std::size_t steps = 1; steps <= 11; ++steps) {
      for (const Participation& rule : rules) {
        const double dense = squared_matrix_sensitivity(whole_matrix(coefficients, steps), rule, Order::any);
        EXPECT_NEAR(squared_toeplitz_sensitivity(coefficients, static_cast<std::int64_t>(steps), rule) / dense, 1,
                    1e-13)
            << coefficients.size() << " coefficients, " << steps << " steps, " << rule.most << " at "
            << rule.separation;
      }
    }
  }
}

TEST(ToeplitzSensitivity, OfOthersIsNeverBelow) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> entry(-1, 1);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> coefficients(1 + static_cast<std::size_t>(trial) % 8);
    for (double& x : coefficients) x = entry(random);
    for (const Participation& rule : rules) {
      const double dense = squared_matrix_sensitivity(whole_matrix(coefficients, 9), rule, Order::any);
      const double found = squared_toeplitz_sensitivity(coefficients, 9, rule);
      EXPECT_GE(found, dense * (1 - 1e-13));
      const bool exact = rule.most == 1 || static_cast<std::int64_t>(coefficients.size()) <= rule.separation;
      if (exact) {
        EXPECT_NEAR(found / dense, 1, 1e-13);
      }
    }
  }
}

// Row by row from the definition: columns 0, b, 2b, ... of a long run.
TEST(ToeplitzSensitivity, OfLongRunsIsTheSumOfItsRows) {
  std::vector<double> coefficients;
  for (int i = 0; i < 300; ++i) coefficients.push_back(1 / std::sqrt(i + 1.0));
  for (const std::int64_t steps : {50, 300, 1000, 5000}) {
    for (const Participation& rule :
         {Participation{3, 7}, Participation{50, 11}, Participation{1000, 1}, Participation{12, 64}}) {
      long double truth = 0;
      for (std::int64_t r = 0; r < steps; ++r) {
        long double row = 0;
        for (std::int64_t a = 0; a < rule.most_in(steps); ++a) {
          const std::int64_t i = r - a * rule.separation;
          if (i >= 0 && i < 300) row += coefficients[static_cast<std::size_t>(i)];
        }
        truth += row * row;
      }
      const double found = squared_toeplitz_sensitivity(coefficients, steps, rule);
      EXPECT_GE(found, truth * (1 - 1e-18L));
      EXPECT_LE(found, truth * (1 + 1e-14L)) << steps << " steps, " << rule.most << " at " << rule.separation;
    }
  }
}

// 1e9 rounds of a band: k whole columns.
TEST(ToeplitzSensitivity, IsQuickForLongRuns) {
  const std::vector<double> band{1, 0.5};
  EXPECT_NEAR(squared_toeplitz_sensitivity(band, 1'000'000'000, {1'000'000'000, 2}), 1.25 * 5e8, 1e-4);
  EXPECT_NEAR(squared_toeplitz_sensitivity(band, 1'000'000'000, {1'000'000'000, 1}), 1 + 2.25 * (1e9 - 1), 1e-3);
}

}  // namespace
}  // namespace renyi::mechanism::toeplitz_sensitivity_test
