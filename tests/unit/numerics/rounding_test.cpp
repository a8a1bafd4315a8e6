#include "numerics/rounding.h"

#include <gtest/gtest.h>

#include <limits>

namespace renyi::numerics::rounding_test {
namespace {

TEST(Directed, ExactResultsStay) {
  EXPECT_EQ(sum_up(0.5, 0.25), 0.75);
  EXPECT_EQ(product_up(3, 0.125), 0.375);
  EXPECT_EQ(sqrt_up(2.25), 1.5);
  EXPECT_EQ(count_up(1'000'000), 1e6);
}

TEST(Directed, OthersAreAboveTheTruthByOneDoubleAtMost) {
  EXPECT_EQ(sum_up(1, 1e-30), next_up(1));
  EXPECT_EQ(product_up(0.1, 10), next_up(1));  // 0.1 is a little more than a tenth
  EXPECT_EQ(product_up(0.1, 3), 0.1 * 3);      // rounded up by itself
  const long double root = sqrt_up(2);
  EXPECT_GE(root * root, 2);
  EXPECT_LE(sqrt_up(2), next_up(std::sqrt(2.0)));
  EXPECT_EQ(count_up((std::int64_t{1} << 53) + 1), 0x1p53 + 2);
  EXPECT_EQ(count_up(std::numeric_limits<std::int64_t>::max()), 0x1p63);
}

// A cost that underflows must not become 0.
TEST(Directed, UnderflowIsNotZero) {
  EXPECT_GT(product_up(1e-300, 1e-300), 0);
  EXPECT_GE(sqrt_up(product_up(1e-300, 1e-300)), 1e-300);
  EXPECT_EQ(product_up(0, 1e300), 0);
}

TEST(Directed, InfinityStays) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sum_up(infinity, 1), infinity);
  EXPECT_EQ(product_up(1e300, 1e300), infinity);
  EXPECT_EQ(sqrt_up(infinity), infinity);
}

TEST(Directed, LogarithmsEncloseTheTruth) {
  for (const double p : {1e-300, 1e-5, 0.5, 1 - 0x1p-53}) {
    const long double truth = -std::log(static_cast<long double>(p));
    EXPECT_GE(static_cast<long double>(log_inverse_up(p)), truth);
    EXPECT_LE(static_cast<long double>(log_inverse_down(p)), truth);
  }
  EXPECT_EQ(log_inverse_up(1), 0);
}

TEST(Directed, ExactQuotientsStay) {
  EXPECT_EQ(quotient_up(1, 4), 0.25);
  EXPECT_EQ(quotient_down(1, 4), 0.25);
  EXPECT_EQ(quotient_down(6, 3), 2);
  EXPECT_EQ(product_down(3, 0.5), 1.5);
}

// Long double has eleven more bits, enough to see which side of a rounded result the exact one is on.
TEST(Directed, QuotientsMoveToTheirSideAndNoFurther) {
  for (int a = 1; a < 60; ++a) {
    for (int b = 1; b < 60; ++b) {
      const double x = a, y = 0.1 * b;
      const long double quotient = static_cast<long double>(x) / y;
      EXPECT_GE(quotient_up(x, y), quotient);
      EXPECT_LT(next_down(quotient_up(x, y)), quotient);
      EXPECT_LE(quotient_down(x, y), quotient);
      EXPECT_GT(next_up(quotient_down(x, y)), quotient);
      const long double product = static_cast<long double>(x) * y;
      EXPECT_LE(product_down(x, y), product);
      EXPECT_GT(next_up(product_down(x, y)), product);
    }
  }
}

}  // namespace
}  // namespace renyi::numerics::rounding_test
