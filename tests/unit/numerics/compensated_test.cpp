#include "numerics/compensated.h"

#include <gtest/gtest.h>

#include <limits>

#include "numerics/rounding.h"

namespace renyi::numerics::compensated_test {
namespace {

TEST(CompensatedSum, OfOneThirdOften) {
  CompensatedSum sum;
  double plain = 0;
  for (int i = 0; i < 300'000; ++i) {
    sum.add(1.0 / 3);
    plain += 1.0 / 3;
  }
  const long double truth = 300'000 * static_cast<long double>(1.0 / 3);  // 19 bits more than a double has: rounds once
  EXPECT_EQ(sum.value(), static_cast<double>(truth));
  EXPECT_NE(plain, static_cast<double>(truth)) << "the test would not notice a plain sum";
}

TEST(CompensatedSum, KeepsWhatIsSmallerThanItsRounding) {
  for (const bool large_first : {true, false}) {
    CompensatedSum sum;
    if (large_first) sum.add(1);
    for (int i = 0; i < 1024; ++i) sum.add(0x1p-60);
    if (!large_first) sum.add(1);
    EXPECT_EQ(sum.value(), 1 + 0x1p-50);
    EXPECT_TRUE(sum.is_exact());
  }
}

TEST(CompensatedSum, SaysWhenSomethingWasRoundedOff) {
  CompensatedSum sum;
  sum.add(1);
  sum.add(0x1p-60);
  EXPECT_TRUE(sum.is_exact());
  sum.add(0x1p-120);
  EXPECT_FALSE(sum.is_exact());
}

TEST(CompensatedSum, OverflowsToInfinity) {
  CompensatedSum sum;
  for (int i = 0; i < 3; ++i) sum.add(std::numeric_limits<double>::max());
  EXPECT_EQ(sum.value(), std::numeric_limits<double>::infinity());
  EXPECT_FALSE(sum.is_exact());
}

}  // namespace
}  // namespace renyi::numerics::compensated_test
