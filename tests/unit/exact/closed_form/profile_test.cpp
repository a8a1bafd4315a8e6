#include "exact/closed_form/profile.h"

#include <gtest/gtest.h>

#include <cmath>

namespace renyi::exact::closed_form_profile_test {
namespace {

// delta = e^-x, known to one part in 1e12.
Interval decaying(double x) {
  const double value = std::exp(-x);
  return {value * (1 - 1e-12), value * (1 + 1e-12)};
}

TEST(EpsilonOf, EndsWhereTheProfilesOwnEndsCross) {
  for (const double delta : {0.9, 0.1, 1e-9, 1e-300}) {
    for (const double start : {1e-3, 1.0, 800.0}) {
      const Interval epsilon = epsilon_of(decaying, delta, start);
      EXPECT_LE(decaying(epsilon.upper).upper, delta);
      EXPECT_GE(decaying(epsilon.lower).lower, delta);
      EXPECT_NEAR(epsilon.upper - epsilon.lower, 2e-12, 1e-12 + 1e-15 * epsilon.upper);
    }
  }
}

TEST(EpsilonOf, AFlatProfileLeavesAWideInterval) {
  const auto flat = [](double x) { return x < 3 ? Interval{0.5, 0.5} : Interval{0, 0.1}; };
  EXPECT_EQ(epsilon_of(flat, 0.6, 1).upper, 0);
  const Interval at = epsilon_of(flat, 0.3, 1);
  EXPECT_NEAR(at.upper, 3, 1e-14);
  EXPECT_NEAR(at.lower, 3, 1e-14);
}

TEST(EpsilonOf, AProfileThatNeverFallsHasNoUpperEnd) {
  const auto stuck = [](double) { return Interval{0.2, 0.5}; };
  const Interval at = epsilon_of(stuck, 0.3, 1);
  EXPECT_EQ(at.lower, 0);
  EXPECT_TRUE(std::isinf(at.upper));
}

}  // namespace
}  // namespace renyi::exact::closed_form_profile_test
