#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "renyi/error.h"
#include "renyi/explain.h"

namespace renyi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// K = rho z (z+1): the exponent under P is a-1, so order 2 gives exp(2 rho).
TEST(BayesMoment, IsTheExponentialOfTheCurve) {
  const auto curve = Gaussian{.stddev = 2}.curve();
  EXPECT_GE(bayes_moment(*curve, 2), std::exp(0.25));
  EXPECT_NEAR(bayes_moment(*curve, 2), std::exp(0.25), 1e-14);
  EXPECT_EQ(bayes_moment(*curve, 1), 1);
  EXPECT_EQ(bayes_moment(*curve, 1e6), infinity);
  EXPECT_EQ(bayes_moment(*curve, infinity), infinity);
  EXPECT_EQ(bayes_moment(*compose(Plan()), infinity), 1);
}

// Best order of (e^(rho a)/b)^(a-1): exp(-(ln b - rho)^2 / (4 rho)); the truth is a normal tail.
TEST(BayesTail, GaussianHasAClosedForm) {
  const double rho = 1.0 / 32;
  const auto curve = Gaussian{.stddev = 4}.curve();
  for (const double b : {1.5, 2.0, 10.0, 100.0}) {
    const DeltaBound tail = bayes_tail(*curve, b);
    EXPECT_NEAR(std::log(tail.delta), -std::pow(std::log(b) - rho, 2) / (4 * rho), 1e-9);
    EXPECT_GT(tail.delta, 0.5 * std::erfc((std::log(b) - rho) / (2 * std::sqrt(rho))));
    EXPECT_EQ(tail.conversion, Conversion::classical);
  }
}

TEST(BayesTail, AboveTheLargestFactorNothingHappens) {
  EXPECT_EQ(bayes_tail(*PureDp{.epsilon = 1}.curve(), 3).delta, 0);
  EXPECT_GT(bayes_tail(*PureDp{.epsilon = 1}.curve(), 2.7).delta, 0.7);
  EXPECT_EQ(bayes_tail(*PureDp{.epsilon = 1}.curve(), 1).delta, 1);
}

TEST(BayesTail, RefusesFactorsBelowOne) {
  for (const double factor : {0.5, 0.0, -1.0, infinity, std::nan("")}) {
    EXPECT_THROW(bayes_tail(*Gaussian{}.curve(), factor), InvalidArgument) << factor;
  }
}

}  // namespace
}  // namespace renyi
