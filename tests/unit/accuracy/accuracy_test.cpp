// The question `accuracy`: half-widths, rounding, and what is refused.
#include "renyi/accuracy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "renyi/error.h"
#include "renyi/plan.h"

namespace renyi::accuracy_test {
namespace {

void expect_close(const Interval& found, double expected, double width) {
  EXPECT_LE(found.lower, expected * (1 + 1e-14));
  EXPECT_GE(found.upper, expected * (1 - 1e-14));
  EXPECT_LE(found.upper - found.lower, width * found.upper);
}

TEST(Accuracy, HalfWidthsOfSingleNoises) {
  const Accuracy normal = accuracy(Plan().add(Gaussian{10}), {.levels = {0.5, 0.95}});
  expect_close(normal.stddev, 10, 1e-15);
  expect_close(normal.half_widths[0].width, 6.744897501960817, 1e-13);
  expect_close(normal.half_widths[1].width, 19.599639845400545, 1e-13);
  const Accuracy laplace = accuracy(Plan().add(Laplace{10}));
  expect_close(laplace.stddev, 10 * std::sqrt(2.0), 1e-15);
  expect_close(laplace.half_widths[0].width, -10 * std::log(0.05), 1e-13);
  EXPECT_EQ(laplace.half_widths[0].level, 0.95);
}

TEST(Accuracy, HalfWidthsInvertTheTails) {
  const std::vector<double> levels{1e-3, 0.3, 0.9, 0.999, 1 - 1e-12};
  for (const Plan& plan :
       {Plan().add(Laplace{1}).add(Gaussian{1}), Plan().add(Laplace{2}, 7),
        Plan().add(DiscreteGaussian{2, 1}).add(Gaussian{1}), Plan().add(Gaussian{1e-50}), Plan().add(Laplace{1e50})}) {
    const Accuracy found = accuracy(plan, {.levels = levels});
    for (const auto& [level, width] : found.half_widths) {
      const Accuracy at = accuracy(plan, {.bounds = {width.lower, width.upper}});
      EXPECT_GE(at.probabilities[0].probability.upper, 1 - level);
      EXPECT_LE(at.probabilities[1].probability.lower, 1 - level);
      EXPECT_LE(width.upper - width.lower, 1e-8 * width.upper) << level;
    }
  }
}

TEST(Accuracy, HalfWidthsOnTheIntegersAreTheSmallest) {
  for (const Plan& plan : {Plan().add(DiscreteGaussian{3, 1}), Plan().add(DiscreteLaplace{2, 1}, 3),
                           Plan().add(Skellam{10, 1}), Plan().add(DiscreteLaplace{0.1, 1})}) {
    const Accuracy found = accuracy(plan, {.levels = {0.1, 0.5, 0.95, 0.9999}});
    for (const auto& [level, width] : found.half_widths) {
      ASSERT_EQ(width.lower, width.upper);
      ASSERT_EQ(width.lower, std::floor(width.lower));
      EXPECT_LE(accuracy(plan, {.bounds = {width.upper}}).probabilities[0].probability.upper, 1 - level);
      if (width.upper == 0) continue;
      EXPECT_GT(accuracy(plan, {.bounds = {width.upper - 1}}).probabilities[0].probability.lower, 1 - level);
    }
  }
}

TEST(Accuracy, CountsAndGroupsAreSums) {
  const Steps group{{Mechanism(Laplace{3}), 2}, {Mechanism(Gaussian{4}), 1}};
  const Accuracy nested = accuracy(Plan().add(group, 5)),
                 flat = accuracy(Plan().add(Laplace{3}, 10).add(Gaussian{4}, 5));
  EXPECT_EQ(nested.stddev, flat.stddev);
  EXPECT_EQ(nested.half_widths[0].width, flat.half_widths[0].width);
  expect_close(nested.stddev, std::sqrt(260.0), 1e-15);
}

TEST(Accuracy, VariancesOfDiscreteLaws) {
  // 2 q/(1-q)^2 with q = exp(-1/2).
  expect_close(accuracy(Plan().add(DiscreteLaplace{2, 1})).stddev, 2.7991777682143604, 1e-14);
  expect_close(accuracy(Plan().add(Skellam{10, 1}, 3)).stddev, std::sqrt(30.0), 1e-15);
  double mass = 1, second = 0;
  for (int x = 1; x < 60; ++x) {
    mass += 2 * std::exp(-x * x / 2.0);
    second += 2 * x * x * std::exp(-x * x / 2.0);
  }
  expect_close(accuracy(Plan().add(DiscreteGaussian{1, 1})).stddev, std::sqrt(second / mass), 1e-14);
  // The other formula, which is used below 1.
  EXPECT_NEAR(accuracy(Plan().add(DiscreteGaussian{0.99999999, 1})).stddev.upper, std::sqrt(second / mass), 2e-8);
}

TEST(Accuracy, RoundingMovesByHalfAStep) {
  const Plan plan = Plan().add(Gaussian{2}, 3).add(DiscreteLaplace{1, 1});
  const Accuracy found = accuracy(plan, {.levels = {0.9}, .bounds = {5, 0.01}, .grid = 0.25});
  ASSERT_TRUE(found.rounded);
  EXPECT_EQ(found.rounded->roundings, 3);
  EXPECT_EQ(found.rounded->largest_shift, 0.375);
  EXPECT_LE(found.rounded->half_widths[0].width.lower, found.half_widths[0].width.lower - 0.375);
  EXPECT_GE(found.rounded->half_widths[0].width.upper, found.half_widths[0].width.upper + 0.375);
  const Accuracy moved = accuracy(plan, {.bounds = {4.625, 5.375}});
  const Interval rounded = found.rounded->probabilities[0].probability;
  EXPECT_NEAR(rounded.upper, moved.probabilities[0].probability.upper, 1e-13);
  EXPECT_NEAR(rounded.lower, moved.probabilities[1].probability.lower, 1e-13);
  EXPECT_EQ(found.rounded->probabilities[1].probability.upper, 1);
  EXPECT_GT(found.rounded->stddev.lower, found.stddev.upper);
}

std::string field(const Plan& plan, const AccuracyOptions& options = {}) {
  try {
    static_cast<void>(accuracy(plan, options));
  } catch (const Error& error) {
    return std::string(to_string(error.kind())) + " " + error.path();
  }
  return "no error";
}

TEST(Accuracy, BadInputIsNamed) {
  const Plan plan = Plan().add(Laplace{1});
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double level : {0.0, 1.0, -1.0, nan}) {
    EXPECT_EQ(field(plan, {.levels = {0.5, level}}), "invalid_argument levels[1]");
  }
  for (const double bound : {-1.0, infinity, nan}) {
    EXPECT_EQ(field(plan, {.bounds = {bound}}), "invalid_argument bounds[0]");
  }
  for (const double grid : {0.0, -2.0, 3.0, nan, infinity, 5e-324}) {
    EXPECT_EQ(field(plan, {.grid = grid}), "invalid_argument grid") << grid;
  }
  EXPECT_EQ(field(Plan().add(Skellam{1, 1}), {.grid = 1.0}), "invalid_argument grid");
  EXPECT_EQ(field(Plan()), "invalid_argument steps");
}

TEST(Accuracy, StepsWithoutNoiseAreUnsupported) {
  EXPECT_EQ(field(Plan().add(PureDp{1})), "unsupported steps");
  EXPECT_EQ(field(Plan().add(Laplace{1}).add(SampledGaussian{0.01, 1})), "unsupported steps");
  EXPECT_EQ(field(Plan().add(Mechanism(Laplace{1}).sampled_by(Sampling::poisson(0.1)))), "unsupported steps");
  const Steps part{{Mechanism(Laplace{1}), 1}};
  EXPECT_EQ(field(Plan().add(Parallel(std::vector<Steps>{part, part}))), "unsupported steps");
  EXPECT_EQ(field(Plan().add(DiscreteLaplace{1e9, 1}, 1'000'000'000'000)), "unsupported steps");
}

}  // namespace
}  // namespace renyi::accuracy_test
