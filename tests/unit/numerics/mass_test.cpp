#include "numerics/mass.h"

#include <gtest/gtest.h>

namespace renyi::numerics::mass_test {
namespace {

TEST(Mass, KeepsWhatADoubleCannotHold) {
  const Mass tiny = Mass::of_log(-1000);
  EXPECT_EQ(tiny.value, 0);
  EXPECT_EQ(tiny.log, -1000);
  // A mass that is negligible under one distribution may be almost everything under the other.
  EXPECT_NEAR(tiny.tilted(999).value, std::exp(-1.0), 1e-13);
  EXPECT_NEAR(tiny.times(0.5).tilted(1000).value, 0.5, 1e-13);
  EXPECT_NEAR(Mass::of(0.25).tilted(-1000).log, std::log(0.25) - 1000, 1e-12);
  EXPECT_EQ(Mass::of(0.25).tilted(-1000).value, 0);
}

TEST(Mass, TakesTheBetterKnownOfValueAndLogarithm) {
  const Mass by_value = Mass::of(0.3, -1.2);
  EXPECT_EQ(by_value.value, 0.3);
  EXPECT_EQ(by_value.log, std::log(0.3));
  const Mass by_log = Mass::of(1e-310, -712);
  EXPECT_EQ(by_log.log, -712);
  EXPECT_EQ(by_log.value, std::exp(-712));
  EXPECT_EQ(Mass{}.value, 0);
  EXPECT_EQ(Mass{}.log, -std::numeric_limits<double>::infinity());
}

TEST(Mass, ScalesBothParts) {
  const Mass half = Mass::of(0.6).over(2);
  EXPECT_EQ(half.value, 0.3);
  EXPECT_EQ(half.log, std::log(0.3));
  EXPECT_EQ(Mass::of_log(-800).over(0.5).log, -800 + std::log(2.0));
}

}  // namespace
}  // namespace renyi::numerics::mass_test
