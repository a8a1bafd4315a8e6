#include "loss/line_truncation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace renyi::loss::line_truncation_test {
namespace {

// A guess only, but one that every line can be asked at: limits underflow, and curvatures too.
TEST(EndOfLine, IsGuessedAtAFinitePoint) {
  for (const double limit : {0.0, 1e-300, 1e-12, 0.5}) {
    for (const double curvature : {0.0, 1e-300, 1e-6, 3.0}) {
      const double y = likely_end(Kernel::delta, 0.1, 0.01, curvature, limit);
      EXPECT_TRUE(std::isfinite(y) && y > 0) << "limit " << limit << ", curvature " << curvature;
    }
  }
}

// For a normal loss, the terms beyond the guessed end are approximately as small as requested.
TEST(EndOfLine, OfANormalLossIsGuessedWell) {
  const double curvature = 9, c = 2, h = 0.05, limit = 1e-13;
  const double y = likely_end(Kernel::delta, c, h, curvature, limit);
  const auto zone = [&](double at) {
    return std::exp(-0.5 * curvature * at * at) * modulus_of_kernel(Kernel::delta, c, at) * (at + h);
  };
  EXPECT_LT(zone(y), 4 * limit);
  EXPECT_GT(zone(0.9 * y), 4 * limit);
}

TEST(EndOfLine, KernelsHaveTheirModulusAndArgument) {
  for (const double c : {1e-9, 0.3, 40.0, 1e9}) {
    for (const double y : {0.0, 1e-12, 0.7, 1e3, 1e12}) {
      const std::complex<double> z{c, y}, both = z * (z + 1.0);
      EXPECT_NEAR(modulus_of_kernel(Kernel::delta, c, y) * std::abs(z) * std::abs(z + 1.0), 1, 1e-15);
      EXPECT_NEAR(modulus_of_kernel(Kernel::tail, c, y) * std::abs(z), 1, 1e-15);
      EXPECT_NEAR(modulus_of_kernel(Kernel::other_tail, c, y) * std::abs(z + 1.0), 1, 1e-15);
      EXPECT_NEAR(argument_of_poles(Kernel::delta, c, y), std::arg(z) + std::arg(z + 1.0), 1e-15 * 4) << both;
    }
  }
}

}  // namespace
}  // namespace renyi::loss::line_truncation_test
