#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "renyi/error.h"
#include "renyi/explain.h"

namespace renyi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// (10, 0.1)-RDP and probability 0.001, in 30 digits by the formulas
// e^(-0.1) 0.001^(10/9) and (e^0.1 0.001)^(9/10).
TEST(OutcomeAtOrder, EndsAreRoundedOutwardsAndTight) {
  const ProbabilityRange range = outcome_at_order(10, 0.1, 1e-3);
  EXPECT_LE(range.lower, 0.00041998832557907280919L);
  EXPECT_GE(range.lower, 0.00041998832557907280919L * (1 - 1e-13));
  EXPECT_GE(range.upper, 0.0021831647142850737081L);
  EXPECT_LE(range.upper, 0.0021831647142850737081L * (1 + 1e-13));
}

// The exponent of the upper end is (a-1)/a. With a/(a-1), as some notes have it, the
// "bound" would lie below the baseline itself.
TEST(OutcomeAtOrder, TheUpperExponentIsBelowOne) {
  const double p = 1e-6, epsilon = 0.1, order = 2;
  const double misprint = std::pow(std::exp(epsilon) * p, order / (order - 1));
  EXPECT_LT(misprint, p);
  EXPECT_GT(outcome_at_order(order, epsilon, p).upper, p);
  EXPECT_NEAR(outcome_at_order(order, epsilon, p).upper, std::sqrt(std::exp(0.1) * 1e-6), 1e-15);
}

TEST(OutcomeAtOrder, SmallNumbersComeOutWhole) {
  EXPECT_NEAR(outcome_at_order(1.1, 0.1, 1e-6).lower / 9.0483741803607015e-67, 1, 1e-12);
  const ProbabilityRange tiny = outcome_at_order(100, 0.1, 1e-300);
  EXPECT_NEAR(std::log(tiny.upper), 0.99 * (0.1 + std::log(1e-300)), 1e-9);
  EXPECT_NEAR(std::log(tiny.lower), -0.1 + std::log(1e-300) / 0.99, 1e-9);
}

TEST(OutcomeAtOrder, OrderInfinityIsPure) {
  const ProbabilityRange range = outcome_at_order(infinity, 0.5, 0.01);
  EXPECT_NEAR(range.lower, std::exp(-0.5) * 0.01, 1e-15);
  EXPECT_NEAR(range.upper, std::exp(0.5) * 0.01, 1e-15);
  EXPECT_EQ(outcome_at_order(infinity, 5, 0.5).upper, 1);
}

TEST(OutcomeAtOrder, WhatSaysNothingIsTheWholeRange) {
  for (const auto& [order, epsilon] : {std::pair{1.0, 0.1}, {2.0, infinity}, {infinity, infinity}, {1e100, 1e200}}) {
    const ProbabilityRange range = outcome_at_order(order, epsilon, 0.3);
    EXPECT_EQ(range.lower, 0);
    EXPECT_EQ(range.upper, 1);
  }
}

TEST(OutcomeAtOrder, RefusesWhatIsNoGuaranteeOrNoBaseline) {
  for (const double baseline : {0.0, 1.0, -0.1, 1.1, std::nan("")}) {
    EXPECT_THROW(outcome_at_order(2, 0.1, baseline), InvalidArgument) << baseline;
    EXPECT_THROW(outcome_by_dp(0.1, 0, baseline), InvalidArgument) << baseline;
  }
  EXPECT_THROW(outcome_at_order(0.9, 0.1, 0.5), InvalidArgument);
  EXPECT_THROW(outcome_at_order(2, -0.1, 0.5), InvalidArgument);
  EXPECT_THROW(outcome_at_order(2, std::nan(""), 0.5), InvalidArgument);
}

}  // namespace
}  // namespace renyi
