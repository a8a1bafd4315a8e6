#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "renyi/explain.h"

namespace renyi::factor_test {
namespace {

TEST(LargestFactor, IsTheExponentialRoundedUp) {
  EXPECT_EQ(largest_factor(0), 1);
  for (const double epsilon : {1e-300, 1e-9, 0.1, 1.0, 8.0, 700.0}) {
    const long double exact = std::exp(static_cast<long double>(epsilon));
    EXPECT_GE(static_cast<long double>(largest_factor(epsilon)), exact) << epsilon;
    EXPECT_LE(static_cast<long double>(largest_factor(epsilon)), exact * (1 + 3e-15L)) << epsilon;
  }
  EXPECT_EQ(largest_factor(1000), std::numeric_limits<double>::infinity());
  EXPECT_EQ(largest_factor(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace renyi::factor_test
