#include "numerics/log_sinhc.h"

#include <gtest/gtest.h>

namespace renyi::numerics {
namespace {

TEST(LogSinhc, AgreesWithItsDefinition) {
  for (const double y : {0.3, 0.7, 0.999, 1.0, 1.001, 2.0, 7.5, 30.0, 300.0}) {
    const auto x = static_cast<long double>(y);
    const long double value = std::log(std::sinh(x) / x), slope = 1 / std::tanh(x) - 1 / x;
    const long double curvature = 1 / (x * x) - 1 / (std::sinh(x) * std::sinh(x));
    EXPECT_NEAR(log_sinhc(y), static_cast<double>(value), 1e-14 * static_cast<double>(value)) << y;
    EXPECT_NEAR(log_sinhc_slope(y), static_cast<double>(slope), 1e-14 * static_cast<double>(slope)) << y;
    EXPECT_NEAR(log_sinhc_curvature(y), static_cast<double>(curvature), 1e-13 * static_cast<double>(curvature)) << y;
  }
}

// y^2/6 - y^4/180 + ...
TEST(LogSinhc, StartsAsItsSeries) {
  EXPECT_EQ(log_sinhc(0), 0);
  EXPECT_EQ(log_sinhc_slope(0), 0);
  EXPECT_DOUBLE_EQ(log_sinhc_curvature(0), 1.0 / 3);
  EXPECT_DOUBLE_EQ(log_sinhc(1e-60), 1e-120 / 6);
  EXPECT_DOUBLE_EQ(log_sinhc_slope(1e-60), 1e-60 / 3);
  EXPECT_NEAR(log_sinhc(1e-3), 1e-6 / 6 - 1e-12 / 180, 1e-21);
}

TEST(LogSinhc, EndsAsALine) {
  EXPECT_DOUBLE_EQ(log_sinhc(1e4), 1e4 - std::log(2e4));
  EXPECT_DOUBLE_EQ(log_sinhc_slope(1e4), 1 - 1e-4);
  EXPECT_DOUBLE_EQ(log_sinhc_curvature(1e4), 1e-8);
}

}  // namespace
}  // namespace renyi::numerics
