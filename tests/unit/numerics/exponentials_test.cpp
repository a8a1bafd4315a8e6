#include "numerics/exponentials.h"

#include <gtest/gtest.h>

#include <limits>

namespace renyi::numerics {
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

}  // namespace
}  // namespace renyi::numerics
