#include "numerics/quotient.h"

#include <gtest/gtest.h>

namespace renyi::numerics {
namespace {

TEST(Quotient, ExactResultsStayAsTheyAre) {
  EXPECT_EQ(quotient_up(1, 4), 0.25);
  EXPECT_EQ(quotient_down(1, 4), 0.25);
  EXPECT_EQ(quotient_down(6, 3), 2);
  EXPECT_EQ(product_down(3, 0.5), 1.5);
}

// Long double has eleven more bits, enough to see which side of a rounded result the exact one is on.
TEST(Quotient, OthersMoveToTheirSideAndNoFurther) {
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
}  // namespace renyi::numerics
