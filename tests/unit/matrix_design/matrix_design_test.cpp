#include "renyi/extras/matrix_design.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include "matrix_design/error_of_prefix_sums.h"
#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/limits.h"
#include "renyi/mechanisms.h"
#include "renyi/plan.h"

namespace renyi::matrix_design_test {
namespace {

using Matrix = std::vector<std::vector<double>>;

// The definition: B = A C^-1 for the whole matrices, by forward substitution, and the norms of its rows.
PrefixSumError by_whole_matrices(const std::vector<double>& c, std::size_t n) {
  Matrix inverse(n, std::vector<double>(n, 0));
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t row = column; row < n; ++row) {
      double rest = row == column ? 1 : 0;
      for (std::size_t k = column; k < row; ++k) rest -= (row - k < c.size() ? c[row - k] : 0) * inverse[k][column];
      inverse[row][column] = rest / c[0];
    }
  }
  PrefixSumError error;
  for (std::size_t i = 0; i < n; ++i) {
    double squares = 0;
    for (std::size_t column = 0; column < n; ++column) {
      double sum = 0;
      for (std::size_t row = 0; row <= i; ++row) sum += inverse[row][column];
      squares += sum * sum;
    }
    error.mean_squared += squares / static_cast<double>(n);
    error.largest_squared = std::max(error.largest_squared, squares);
  }
  return error;
}

// The recurrence over all rounds, without any shortcut.
PrefixSumError by_recurrence(const std::vector<double>& c, std::size_t n) {
  std::vector<double> w(n);
  PrefixSumError error;
  for (std::size_t j = 0; j < n; ++j) {
    double rest = 1;
    for (std::size_t k = 1; k < std::min(c.size(), j + 1); ++k) rest -= c[k] * w[j - k];
    w[j] = rest / c[0];
    error.largest_squared += w[j] * w[j];
    error.mean_squared += static_cast<double>(n - j) * w[j] * w[j] / static_cast<double>(n);
  }
  return error;
}

void expect_near(const PrefixSumError& a, const PrefixSumError& b, double share) {
  EXPECT_NEAR(a.mean_squared, b.mean_squared, share * b.mean_squared);
  EXPECT_NEAR(a.largest_squared, b.largest_squared, share * b.largest_squared);
}

TEST(PrefixSumError, IsThatOfTheWholeMatrices) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-0.5, 1);
  for (const std::size_t n : {1U, 2U, 5U, 12U}) {
    for (const std::size_t bands : {1U, 2U, 4U, 20U}) {
      std::vector<double> c(bands);
      std::generate(c.begin(), c.end(), [&] { return uniform(random); });
      c[0] = 1.5;
      expect_near(prefix_sum_error(c, static_cast<std::int64_t>(n)), by_whole_matrices(c, n), 1e-12);
      for (double& x : c) x = std::abs(x);
      std::sort(c.rbegin(), c.rend());
      expect_near(prefix_sum_error(c, static_cast<std::int64_t>(n)), by_whole_matrices(c, n), 1e-12);
    }
  }
}

TEST(PrefixSumError, ManyRoundsAndBandsAreThoseOfTheRecurrence) {
  expect_near(prefix_sum_error(square_root_coefficients(4), 1'000'000),
              by_recurrence(square_root_coefficients(4), 1'000'000), 1e-9);
  expect_near(prefix_sum_error(square_root_coefficients(300), 60'000),
              by_recurrence(square_root_coefficients(300), 60'000), 1e-9);
  expect_near(prefix_sum_error(square_root_coefficients(3000), 3000),
              by_recurrence(square_root_coefficients(3000), 3000), 1e-9);
  // A zero of c lies on the unit circle: the weights alternate and never settle.
  expect_near(prefix_sum_error(std::vector<double>{1, 1}, 5001), by_recurrence({1, 1}, 5001), 1e-12);
}

// All zeros of c lie on the unit circle, and only the last weights are kept.
TEST(PrefixSumError, WeightsThatNeverSettleAreThoseOfTheRecurrence) {
  for (const std::size_t bands : {2U, 3U, 48U, 60U, 5000U}) {
    const std::vector<double> c(bands, 1);
    const std::size_t rounds = bands < 5000 ? 300'001 : 30'001;
    expect_near(prefix_sum_error(c, static_cast<std::int64_t>(rounds)), by_recurrence(c, rounds), 1e-9);
  }
  const std::vector<double> negative{1, -0.5, 0.25, 0.1};
  expect_near(prefix_sum_error(negative, 100'003), by_recurrence(negative, 100'003), 1e-12);
}

// Without memory for all weights, and with time for a small part of the rounds.
TEST(PrefixSumError, KeepsItsLimits) {
  const std::vector<double> alternating{1, 1};
  {
    const LimitScope small(Limits{.memory = std::size_t{1} << 20});
    EXPECT_DOUBLE_EQ(prefix_sum_error(alternating, 1'000'000).largest_squared, 500'000);
    EXPECT_THROW(static_cast<void>(prefix_sum_error(square_root_coefficients(20'000), 100'000'000)), LimitReached);
  }
  const LimitScope at_once(Limits{.time = std::chrono::nanoseconds(0)});
  EXPECT_THROW(static_cast<void>(prefix_sum_error(alternating, 100'000'000)), LimitReached);
  EXPECT_THROW(static_cast<void>(prefix_sum_error(square_root_coefficients(5000), 100'000'000)), LimitReached);
}

TEST(PrefixSumError, IndependentNoiseAddsUp) {
  const PrefixSumError error = prefix_sum_error(std::vector<double>{2}, 1000);
  EXPECT_DOUBLE_EQ(error.mean_squared, 1001.0 / 2 / 4);
  EXPECT_DOUBLE_EQ(error.largest_squared, 1000.0 / 4);
}

TEST(PrefixSumError, RefusesWhatItCannotCompute) {
  EXPECT_THROW(static_cast<void>(prefix_sum_error(std::vector<double>{0, 1}, 10)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(prefix_sum_error({}, 10)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(prefix_sum_error(std::vector<double>{1, HUGE_VAL}, 10)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(prefix_sum_error(std::vector<double>{1}, 0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(prefix_sum_error(std::vector<double>{1, -3}, 10'000)), Unsupported);  // grows as 3^n
  EXPECT_THROW(static_cast<void>(prefix_sum_error(std::vector<double>(1000, -0.5), 100'000'000)), Unsupported);
}

TEST(MeanErrorGradient, IsThatOfDifferences) {
  for (const auto& [bands, rounds] :
       {std::pair{3, 7}, std::pair{5, 4000}, std::pair{70, 300}, std::pair{60, 100'000}}) {
    std::vector<double> c = square_root_coefficients(bands);
    const auto found = matrix_design::mean_error_gradient(c, rounds);
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}, c.size() - 1}) {
      constexpr double h = 1e-5;
      const double at = c[k];
      c[k] = at + h;
      const double above = matrix_design::mean_error_gradient(c, rounds).mean_squared;
      c[k] = at - h;
      const double below = matrix_design::mean_error_gradient(c, rounds).mean_squared;
      c[k] = at;
      EXPECT_NEAR(found.gradient[k], (above - below) / (2 * h), 1e-6 * std::abs(found.gradient[k]) + 1e-6)
          << bands << " " << rounds << " " << k;
    }
  }
}

// The zero of 1 + 1.5 x lies within the unit circle: the weights grow, and no search goes on from there.
TEST(MeanErrorGradient, IsInfiniteWhereWeightsDoNotSettle) {
  const auto found = matrix_design::mean_error_gradient(std::vector<double>{1, 1.5}, 100'000'000);
  EXPECT_EQ(found.mean_squared, HUGE_VAL);
  EXPECT_EQ(found.gradient, std::vector<double>(2, 0));
}

TEST(SquareRoot, ItsSquareIsTheMatrixOfOnes) {
  const std::vector<double> c = square_root_coefficients(50);
  for (std::size_t i = 0; i < c.size(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k <= i; ++k) sum += c[k] * c[i - k];
    EXPECT_NEAR(sum, 1, 1e-14);
  }
}

// For two rounds and two bands the objective has one variable, which a scan minimises.
TEST(Optimal, IsTheMinimumOfAScan) {
  double best = HUGE_VAL, where = 0;
  for (double x = 0; x <= 1; x += 1e-4) {
    const double value = (1 + x * x) * (2 + (1 - x) * (1 - x)) / 2;
    if (value < best) best = value, where = x;
  }
  const std::vector<double> found = optimal_coefficients(2, {.rounds = 2});
  EXPECT_EQ(found[0], 1);
  EXPECT_NEAR(found[1], where, 2e-4);
}

TEST(Optimal, IsBetterThanTheSquareRootAndNearbyCoefficients) {
  for (const ParticipationRule& rule :
       {ParticipationRule{.rounds = 500}, ParticipationRule{.rounds = 500, .participations = 5, .min_separation = 100},
        ParticipationRule{.rounds = 500, .participations = 20, .min_separation = 7}}) {
    const auto figure = [&](const std::vector<double>& c) {
      const double s = toeplitz_sensitivity(c, rule);
      return s * s * prefix_sum_error(c, rule.rounds).mean_squared;
    };
    std::vector<double> c = optimal_coefficients(20, rule);
    const double best = figure(c);
    EXPECT_LT(best, figure(square_root_coefficients(20)));
    for (const std::size_t k : {1U, 5U, 19U}) {
      for (const double factor : {0.99, 1.01}) {
        std::vector<double> other = c;
        other[k] *= factor;
        EXPECT_GT(figure(other), best * (1 - 1e-4)) << k << " " << factor;
      }
    }
  }
}

TEST(DesignMatrix, TheNoiseMeetsTheTarget) {
  const MatrixDesign design = design_matrix({.rounds = 400,
                                             .bands = {1, 8, 200},
                                             .dataset_size = 10'000,
                                             .batch_size = 100,
                                             .target = Target{.epsilon = 2, .delta = 1e-6}});
  EXPECT_EQ(design.rule.participations, 4);
  EXPECT_EQ(design.rule.min_separation, 100);
  ASSERT_EQ(design.matrices.size(), 6U);
  for (const DesignedMatrix& matrix : design.matrices) {
    if (matrix.bands == 200 && matrix.amplified) {
      EXPECT_NE(matrix.obstacle, "");  // a group would have 50 records, and a batch 100
      EXPECT_FALSE(matrix.noise_multiplier);
      continue;
    }
    ASSERT_TRUE(matrix.noise_multiplier && matrix.epsilon) << matrix.obstacle;
    EXPECT_LE(*matrix.epsilon, 2);
    EXPECT_GT(*matrix.epsilon, 1.999);
    EXPECT_DOUBLE_EQ(*matrix.rms_error, *matrix.noise_multiplier * std::sqrt(matrix.error.mean_squared));
  }
  // Without bands, sampling is DP-SGD, and costs less than the same noise without sampling.
  EXPECT_LT(*design.matrices[1].noise_multiplier, *design.matrices[0].noise_multiplier);
  ASSERT_TRUE(design.best);
  for (const DesignedMatrix& matrix : design.matrices) {
    EXPECT_GE(matrix.rms_error.value_or(HUGE_VAL), *design.matrices[*design.best].rms_error);
  }
}

// What a design takes does not grow with the rounds.
TEST(DesignMatrix, ManyRoundsTakeNoMoreMemory) {
  const LimitScope small(Limits{.memory = std::size_t{4} << 20});
  const MatrixDesign design = design_matrix({.rounds = 100'000'000, .bands = {16}});
  const double figure = design.matrices[0].sensitivity * std::sqrt(design.matrices[0].error.mean_squared);
  const std::vector<double> root = square_root_coefficients(16);
  EXPECT_LT(figure, toeplitz_sensitivity(root, {.rounds = 100'000'000}) *
                        std::sqrt(prefix_sum_error(root, 100'000'000).mean_squared));
}

TEST(DesignMatrix, KeepsItsLimits) {
  const LimitScope small(Limits{.memory = std::size_t{4} << 20});
  EXPECT_THROW(static_cast<void>(design_matrix({.rounds = 100'000'000, .bands = {most_designed_bands}})), LimitReached);
  const LimitScope at_once(Limits{.time = std::chrono::nanoseconds(0)});
  EXPECT_THROW(static_cast<void>(design_matrix({.rounds = 10'000, .bands = {3000}, .participations = 1000})),
               LimitReached);
  // The matrix is known; only its noise is not.
  const MatrixDesign design = design_matrix({.rounds = 1000,
                                             .method = MatrixMethod::given,
                                             .coefficients = {1, 0.5},
                                             .dataset_size = 1000,
                                             .batch_size = 10,
                                             .target = Target{.epsilon = 2, .delta = 1e-6}});
  ASSERT_EQ(design.matrices.size(), 2U);
  EXPECT_GT(design.matrices[1].error.mean_squared, 0);
}

TEST(DesignMatrix, CoefficientsAtHand) {
  const MatrixDesign design = design_matrix({.rounds = 100,
                                             .method = MatrixMethod::given,
                                             .coefficients = {1, 0.5},
                                             .participations = 4,
                                             .min_separation = 25,
                                             .noise_multiplier = 4,
                                             .delta = 1e-5});
  ASSERT_EQ(design.matrices.size(), 1U);
  EXPECT_NEAR(design.matrices[0].sensitivity, std::sqrt(4 * 1.25), 1e-12);
  const Plan plan = Plan().add(Gaussian{4 / std::sqrt(5.0)});
  EXPECT_NEAR(*design.matrices[0].epsilon, epsilon(plan, 1e-5).upper(), 1e-6);
}

TEST(DesignMatrix, RefusesWhatDoesNotFit) {
  EXPECT_THROW(static_cast<void>(design_matrix({.rounds = 10})), InvalidArgument);  // no bands
  EXPECT_THROW(static_cast<void>(design_matrix({.rounds = 0, .bands = {1}})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(design_matrix({.rounds = 10, .bands = {0}})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(design_matrix({.rounds = 10, .bands = {1}, .dataset_size = 10})), InvalidArgument);
}

}  // namespace
}  // namespace renyi::matrix_design_test
