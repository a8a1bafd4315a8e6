#include "numerics/exponentials.h"

#include <gtest/gtest.h>

#include <limits>

namespace renyi::numerics::exponentials_test {
namespace {

using Wide = std::complex<long double>;

// exp(y) - 1 - y in extended precision: its Taylor series, or the plain form
// where that loses nothing.
Wide reference(Wide y) {
  if (std::abs(y) > 4) return std::exp(y) - 1.0L - y;
  Wide term = y * y / 2.0L, sum = term;
  for (int k = 3; k < 80; ++k) sum += term *= y / static_cast<long double>(k);
  return sum;
}

TEST(ExpRemainder, IsAccurateRelativeToItselfOnTheRealAxis) {
  for (double size = 1e-150; size < 700; size *= 1.37) {
    for (const double y : {size, -size}) {
      const long double truth = reference(y).real();
      EXPECT_LE(std::abs(exp_remainder(y) - truth), 16 * std::numeric_limits<double>::epsilon() * truth) << y;
      EXPECT_GE(exp_remainder(y), 0) << y;
    }
  }
}

TEST(ExpRemainder, IsZeroAtZeroAndInfiniteFarOut) {
  EXPECT_EQ(exp_remainder(0.0), 0);
  EXPECT_EQ(exp_remainder(1e4), std::numeric_limits<double>::infinity());
  EXPECT_EQ(exp_remainder(-1e300), 1e300);
}

TEST(ExpRemainder, IsAccurateRelativeToItselfAroundZero) {
  for (double size = 1e-100; size < 2; size *= 1.61) {
    for (int turn = 0; turn < 24; ++turn) {
      const std::complex<double> y = std::polar(size, 0.2618 * turn);
      const Wide truth = reference(Wide(y));
      EXPECT_LE(std::abs(Wide(exp_remainder(y)) - truth), 32 * std::numeric_limits<double>::epsilon() * std::abs(truth))
          << y;
    }
  }
}

TEST(ExpRemainder, IsAccurateFarFromZeroBesideItsLargestTerm) {
  for (const std::complex<double> y : {std::complex<double>(30, 40), {-30, 40}, {0, 6.283185307179586}, {5, -100}}) {
    const long double largest = std::exp(static_cast<long double>(y.real())) + 1 + std::abs(Wide(y));
    EXPECT_LE(std::abs(Wide(exp_remainder(y)) - reference(Wide(y))),
              4 * std::numeric_limits<double>::epsilon() * largest)
        << y;
  }
}

TEST(ComplexLog1p, IsAccurateRelativeToItselfForSmallArguments) {
  for (double size = 1e-200; size < 1e-3; size *= 100) {
    for (int turn = 0; turn < 12; ++turn) {
      const std::complex<double> s = std::polar(size, 0.5236 * turn);
      const Wide w(s), truth = w - w * w / 2.0L + w * w * w / 3.0L - w * w * w * w / 4.0L + w * w * w * w * w / 5.0L;
      EXPECT_LE(std::abs(Wide(log1p(s)) - truth), 1e-15L * std::abs(truth)) << s;
    }
  }
}

TEST(ComplexLog1p, IsThePrincipalLogarithm) {
  for (const std::complex<double> s :
       {std::complex<double>(3, 4), {-3, 1e-3}, {-3, -1e-3}, {0, 2}, {1e10, -1e10}, {1e200, 1e200}}) {
    const Wide truth = std::log(Wide(s) + 1.0L);
    EXPECT_LE(std::abs(Wide(log1p(s)) - truth), 1e-15L * std::abs(truth)) << s;
  }
}

long double in_long_double(long double rate, long double l) {
  const long double moved = rate * std::expm1(l);
  return moved < -0.5L ? std::log((1 - rate) + rate * std::exp(l)) : std::log1p(moved);
}

// Next to rate 1 a very negative loss leaves (1-g) + g exp(l) small: no digits may be lost on the way.
TEST(MixedLoss, KeepsItsAccuracyAtRatesNextToOne) {
  for (const double rate : {1e-12, 0.3, 0.999, 1 - 1e-9, 1 - 0x1p-46, 0.9999999999999805}) {
    for (const double l : {-40.0, -32.0, -20.0, -3.0, -0.7, -1e-8, 1e-8, 2.0, 600.0}) {
      const auto truth = static_cast<double>(in_long_double(rate, l));
      EXPECT_NEAR(mixed_loss(rate, l), truth, 8e-16 * std::abs(truth)) << rate << " " << l;
    }
  }
}

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
}  // namespace renyi::numerics::exponentials_test
