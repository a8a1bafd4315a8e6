// The sensitivities of trees and matrices against every pattern of participation, at random.
#include <gtest/gtest.h>

#include <cmath>

#include "mechanism/participation/sensitivity.h"
#include "support/participation_patterns.h"
#include "support/random_inputs.h"

namespace renyi::mechanism::participation_property_test {
namespace {

using test::Pattern;
using test::RandomInputs;

// A pattern as a matrix sees it: |sum of its columns|^2, each with its sign.
long double squared_norm(const Rows& matrix, const Pattern& pattern, const std::vector<int>& signs) {
  long double total = 0;
  for (const auto& row : matrix) {
    long double sum = 0;
    for (std::size_t a = 0; a < pattern.size(); ++a) sum += signs[a] * static_cast<long double>(row[pattern[a]]);
    total += sum * sum;
  }
  return total;
}

template <class Signs>
long double largest(const Rows& matrix, const Participation& rule, const Signs& signs) {
  long double result = 0;
  test::for_each_pattern(
      matrix.front().size(), static_cast<std::size_t>(rule.most), static_cast<std::size_t>(rule.separation),
      [&](const Pattern& pattern) { result = std::max(result, squared_norm(matrix, pattern, signs(pattern.size()))); });
  return result;
}

std::vector<int> all_equal(std::size_t n) { return std::vector<int>(n, 1); }

Participation random_rule(RandomInputs& random, std::size_t columns) {
  return {static_cast<std::int64_t>(1 + random.below(5)), static_cast<std::int64_t>(1 + random.below(columns))};
}

// The nodes of all trees as rows of zeros and ones.
Rows nodes_of(const TreeRun& run) {
  Rows rows;
  const std::int64_t every = run.restart_every == 0 ? run.steps : run.restart_every;
  for (std::int64_t start = 0; start < run.steps; start += every) {
    const std::int64_t end = std::min(run.steps, start + every);
    for (std::int64_t size = 1; size <= end - start; size *= 2) {
      for (std::int64_t first = start; first + size <= end; first += size) {
        rows.emplace_back(static_cast<std::size_t>(run.steps), 0.0);
        for (std::int64_t i = first; i < first + size; ++i) rows.back()[static_cast<std::size_t>(i)] = 1;
      }
    }
  }
  return rows;
}

// A tree is the matrix of its nodes.
TEST(ParticipationProperty, TreesCostTheirWorstPlacement) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const std::size_t steps = 1 + random.below(20);
    TreeRun run{static_cast<std::int64_t>(steps), static_cast<std::int64_t>(random.below(steps + 1)),
                random_rule(random, steps)};
    const Rows nodes = nodes_of(run);
    EXPECT_EQ(squared_sensitivity(run), static_cast<double>(largest(nodes, run.participation, all_equal)));
    EXPECT_GE(level_bound(run), squared_sensitivity(run));
    EXPECT_NEAR(squared_matrix_sensitivity(nodes, run.participation, Order::any) / squared_sensitivity(run), 1, 1e-11);
  });
}

TEST(ParticipationProperty, MatricesAreNeverUnderestimated) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const std::size_t columns = 1 + random.below(9);
    const bool negative = random.chance(0.5);
    Rows matrix(1 + random.below(9), std::vector<double>(columns));
    for (auto& row : matrix) {
      for (double& x : row) x = random.chance(0.3) ? 0 : random.uniform(negative ? -1 : 0, 1);
    }
    matrix[0][0] = 1;
    const Participation rule = random_rule(random, columns);
    const double found = squared_matrix_sensitivity(matrix, rule, Order::any);
    const auto at_random = [&](std::size_t n) {
      std::vector<int> signs;
      while (signs.size() < n) signs.push_back(random.chance(0.5) ? 1 : -1);
      return signs;
    };
    const long double attained = largest(matrix, rule, all_equal);
    EXPECT_GE(found, attained * (1 - 1e-18L));
    EXPECT_GE(found, largest(matrix, rule, at_random) * (1 - 1e-18L));
    EXPECT_GE(bound_for_all_patterns(matrix, rule), found * (1 - 1e-13));
    EXPECT_GE(found, squared_matrix_sensitivity(matrix, rule, Order::fixed) * (1 - 1e-13));
    if (!negative) {
      EXPECT_LE(found, attained * (1 + 1e-13L));
    }
  });
}

TEST(ParticipationProperty, ToeplitzMatricesAreMatrices) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const std::size_t steps = 1 + random.below(10);
    std::vector<double> coefficients{random.uniform(0.5, 1)};
    const bool falling = random.chance(0.5);
    while (random.chance(0.8))
      coefficients.push_back(falling ? coefficients.back() * random.uniform() : random.uniform(-1, 1));
    Rows matrix(steps, std::vector<double>(steps, 0));
    for (std::size_t i = 0; i < steps; ++i) {
      for (std::size_t j = 0; j <= i; ++j) matrix[i][j] = i - j < coefficients.size() ? coefficients[i - j] : 0;
    }
    const Participation rule = random_rule(random, steps);
    const double found = squared_toeplitz_sensitivity(coefficients, static_cast<std::int64_t>(steps), rule);
    const long double attained = largest(matrix, rule, all_equal);
    EXPECT_GE(found, attained * (1 - 1e-18L));
    EXPECT_GE(found, squared_matrix_sensitivity(matrix, rule, Order::any) * (1 - 1e-13));
    if (falling) {
      EXPECT_LE(found, attained * (1 + 1e-14L));
    }
  });
}

}  // namespace
}  // namespace renyi::mechanism::participation_property_test
