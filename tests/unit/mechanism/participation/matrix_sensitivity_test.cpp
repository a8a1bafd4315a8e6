// Against the definition: the norm of C u over all patterns of participation and contributions u of norm 1.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mechanism/participation/sensitivity.h"
#include "support/participation_patterns.h"

namespace renyi::mechanism::matrix_sensitivity_test {
namespace {

using test::Pattern;
using Vector = std::vector<long double>;

Rows random_matrix(std::mt19937& random, std::size_t rows, std::size_t columns, double least) {
  std::uniform_real_distribution<double> entry(least, 1);
  Rows matrix(rows, std::vector<double>(columns));
  for (auto& row : matrix) {
    for (double& x : row) x = entry(random);
  }
  return matrix;
}

Rows lower_triangular(Rows matrix, std::size_t bands) {
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix[i].size(); ++j) {
      if (j > i || i - j >= bands) matrix[i][j] = 0;
    }
  }
  return matrix;
}

// |C u|_F^2 where contribution a of the pattern is u[a], a vector.
long double squared_norm(const Rows& matrix, const Pattern& pattern, const std::vector<Vector>& u) {
  long double total = 0;
  for (const auto& row : matrix) {
    for (std::size_t d = 0; d < u.front().size(); ++d) {
      long double sum = 0;
      for (std::size_t a = 0; a < pattern.size(); ++a) sum += row[pattern[a]] * u[a][d];
      total += sum * sum;
    }
  }
  return total;
}

Vector random_direction(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Vector v{normal(random), normal(random), normal(random)};
  const long double norm = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (long double& x : v) x /= norm;
  return v;
}

long double largest_of_equal_contributions(const Rows& matrix, const Participation& rule) {
  long double largest = 0;
  test::for_each_pattern(matrix.front().size(), static_cast<std::size_t>(rule.most),
                         static_cast<std::size_t>(rule.separation), [&](const Pattern& pattern) {
                           if (pattern.empty()) return;
                           largest = std::max(largest,
                                              squared_norm(matrix, pattern, std::vector<Vector>(pattern.size(), {1})));
                         });
  return largest;
}

// Vectors and signs at random, for every pattern.
long double largest_of_random_contributions(const Rows& matrix, const Participation& rule, std::mt19937& random) {
  long double largest = 0;
  test::for_each_pattern(matrix.front().size(), static_cast<std::size_t>(rule.most),
                         static_cast<std::size_t>(rule.separation), [&](const Pattern& pattern) {
                           if (pattern.empty()) return;
                           for (int trial = 0; trial < 4; ++trial) {
                             std::vector<Vector> u;
                             for (std::size_t a = 0; a < pattern.size(); ++a) u.push_back(random_direction(random));
                             largest = std::max(largest, squared_norm(matrix, pattern, u));
                             for (std::size_t a = 0; a < pattern.size(); ++a) u[a] = {random() % 2 == 0 ? 1.0L : -1.0L};
                             largest = std::max(largest, squared_norm(matrix, pattern, u));
                           }
                         });
  return largest;
}

void expect_just_above(double found, long double truth) {
  EXPECT_GE(found, truth * (1 - 1e-18L));
  EXPECT_LE(found, truth * (1 + 1e-13L));
}

constexpr Participation rules[] = {{1, 1}, {2, 1}, {2, 3}, {3, 2}, {4, 2}, {9, 1}, {100, 3}};

TEST(MatrixSensitivity, IsAttainedWhereNoEntryIsNegative) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const Rows full = random_matrix(random, 4 + trial % 5, 3 + trial % 6, 0);
    for (const Participation& rule : rules) {
      expect_just_above(squared_matrix_sensitivity(full, rule, Order::any), largest_of_equal_contributions(full, rule));
    }
  }
}

TEST(MatrixSensitivity, IsNeverBelowAnyContributions) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 40; ++trial) {
    const Rows matrix = random_matrix(random, 3 + trial % 5, 3 + trial % 5, -1);
    for (const Participation& rule : rules) {
      const double found = squared_matrix_sensitivity(matrix, rule, Order::any);
      EXPECT_GE(found, largest_of_random_contributions(matrix, rule, random));
      EXPECT_GE(found, largest_of_equal_contributions(matrix, rule));
      EXPECT_GE(bound_for_all_patterns(matrix, rule), found * (1 - 1e-13));
    }
  }
}

// Fewer bands than the separation: columns of a pattern are orthogonal, whatever their signs.
TEST(MatrixSensitivity, OfBandsIsTheSumOfTheColumns) {
  std::mt19937 random(3);
  for (const std::size_t bands : {1U, 2U, 3U}) {
    const Rows matrix = lower_triangular(random_matrix(random, 9, 9, -1), bands);
    for (const std::int64_t most : {1, 2, 3, 9}) {
      const Participation rule{most, static_cast<std::int64_t>(bands)};
      const long double truth = largest_of_equal_contributions(matrix, rule);
      expect_just_above(squared_matrix_sensitivity(matrix, rule, Order::any), truth);
      expect_just_above(bound_for_all_patterns(matrix, rule), truth);
    }
  }
}

TEST(MatrixSensitivity, InFixedOrderTriesEveryStart) {
  std::mt19937 random(4);
  for (const std::int64_t separation : {1, 2, 3, 5}) {
    const Rows matrix = lower_triangular(random_matrix(random, 11, 11, 0), 11);
    long double truth = 0;
    for (std::size_t first = 0; first < 11; ++first) {
      Pattern pattern;
      for (std::size_t j = first; j < 11 && pattern.size() < 3; j += static_cast<std::size_t>(separation)) {
        pattern.push_back(j);
      }
      truth = std::max(truth, squared_norm(matrix, pattern, std::vector<Vector>(pattern.size(), {1})));
    }
    const Participation rule{3, separation};
    expect_just_above(squared_matrix_sensitivity(matrix, rule, Order::fixed), truth);
    EXPECT_LE(truth, squared_matrix_sensitivity(matrix, rule, Order::any));
  }
}

// Many patterns: the bound, above what equal contributions on 0, b, 2b, ... make.
TEST(MatrixSensitivity, OfManyPatternsIsABoundThatIsClose) {
  Rows matrix(200, std::vector<double>(200));
  for (std::size_t i = 0; i < 200; ++i) {
    for (std::size_t j = 0; j <= i; ++j) matrix[i][j] = 1 / std::sqrt(static_cast<double>(i - j + 1));
  }
  for (const Participation& rule :
       {Participation{5, 30}, Participation{10, 20}, Participation{50, 2}, Participation{7, 1}}) {
    Pattern regular;
    for (std::int64_t a = 0; a < rule.most; ++a) regular.push_back(static_cast<std::size_t>(a * rule.separation));
    const long double attained = squared_norm(matrix, regular, std::vector<Vector>(regular.size(), {1}));
    const double found = squared_matrix_sensitivity(matrix, rule, Order::any);
    EXPECT_GE(found, attained);
    EXPECT_LE(found, 1.15L * attained) << rule.most << " at " << rule.separation;
  }
}

TEST(MatrixSensitivity, OfTheIdentityCountsParticipations) {
  Rows identity(6, std::vector<double>(6, 0));
  for (std::size_t i = 0; i < 6; ++i) identity[i][i] = 1;
  for (const std::int64_t most : {1, 2, 3}) {
    EXPECT_NEAR(squared_matrix_sensitivity(identity, {most, 2}, Order::any), static_cast<double>(most), 1e-13);
  }
  EXPECT_NEAR(squared_matrix_sensitivity(identity, {6, 4}, Order::any), 2, 1e-13);
}

}  // namespace
}  // namespace renyi::mechanism::matrix_sensitivity_test
