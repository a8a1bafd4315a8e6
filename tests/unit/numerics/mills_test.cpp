#include "numerics/mills.h"

#include <gtest/gtest.h>

#include <cmath>

namespace renyi::numerics::mills_test {
namespace {

void expect_right(const Approximation& got, long double truth) {
  EXPECT_LE(std::abs(got.value - truth), got.relative_error * truth);
  EXPECT_LT(got.relative_error, 4e-16L);
}

// 25 digits of erfc(x/sqrt 2) exp(x^2/2) sqrt(pi/2).
TEST(Mills, RatioHoldsItsDigitsOnBothSidesOfTheFraction) {
  struct {
    double x;
    long double ratio;
  } const rows[] = {
      {-1.0, 3.477051811703694466925521L},   {0.0, 1.253314137315500251207883L},
      {0.5, 0.8763644564536923467278531L},   {3.75, 0.2507611114439650266300946L},
      {4.0, 0.2366523829135606706239859L},   {4.25, 0.2239905946538288083204983L},
      {38.0, 0.02629760297425296437758412L}, {1e6, 0.000000999999999999000000000003L},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.x);
    expect_right(mills_ratio(row.x), row.ratio);
  }
  EXPECT_EQ(mills_ratio(HUGE_VALL).value, 0);
}

TEST(Mills, DifferenceIsAccurateRelativeToItself) {
  struct {
    double x, w;
    long double difference;
  } const rows[] = {
      {-1.0, 1e-20, 4.477051811703694221334105e-20L}, {0.0, 1e-8, 9.999999937334293676783925e-9L},
      {3.5, 0.125, 0.008133374656185246005383893L},   {3.5, 1.0, 0.05399718852619196692673353L},
      {4.0, 0.25, 0.01266178825973186230348768L},     {38.0, 0.001, 0.0000006910688299658621630186179L},
      {38.0, 5.0, 0.00305434617764795120687106L},     {38.0, 1e-30, 6.910869783873537093962997e-34L},
      {-0.5, 1e4, 1.963917490358743891164202L},       {10.0, 2.75, 0.02107105193604472197912393L},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.x);
    expect_right(mills_difference(row.x, row.w), row.difference);
  }
}

// On the edge between the two ways they must agree.
TEST(Mills, BothWaysToTheDifferenceAgree) {
  for (const long double x : {-1.0L, 0.0L, 2.0L, 3.99L, 4.0L, 17.0L, 40.0L}) {
    const long double w = 0.25L * (1 + std::abs(x));
    const Approximation by_points = mills_difference(x, w);
    const Approximation by_ratios = mills_difference(x, w * (1 + 1e-17L));
    const long double reach = by_points.relative_error + by_ratios.relative_error + 1e-16L;
    EXPECT_LE(std::abs(by_points.value / by_ratios.value - 1), reach);
  }
}

}  // namespace
}  // namespace renyi::numerics::mills_test
