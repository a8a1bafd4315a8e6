#include "numerics/minimum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace renyi::minimum_test {
namespace {

using numerics::minimum_between;
using numerics::minimum_of;

TEST(Minimum, KinksAreFound) {
  const auto f = [](double z) { return std::max(1 - z, 5 * (z - 0.7)); };
  const auto found = minimum_between(f, 0.1, 3);
  EXPECT_NEAR(found.at, 0.75, 1e-11);
  EXPECT_NEAR(found.value, 0.25, 1e-10);
}

// Beyond z = 100 it is flat to within rounding, which must not lead a search there.
TEST(Minimum, FlatStretchesDoNotLeadAstray) {
  const auto rising = [](double z) { return z < 1 ? 0.5 : 1.5 - 1 / (1 + z); };
  const auto falling = [](double z) { return 1e-3 / z; };
  const auto f = [&](double z) { return rising(z) + falling(z) + (z > 100 ? 0.1 * std::sin(z) * 1e-15 : 0); };
  const auto found = minimum_of(f, falling, 1e-12, 1e100);
  EXPECT_NEAR(found.value, 0.501, 1e-9);
  EXPECT_NEAR(minimum_of(f, 1e-12, 1e100).value, 0.501, 1e-9);
}

TEST(Minimum, EndsAreTried) {
  const auto falls = [](double z) { return 1 / z; };
  EXPECT_DOUBLE_EQ(minimum_of(falls, falls, 1, 50).value, 0.02);
  const auto rises = [](double z) { return z; };
  EXPECT_DOUBLE_EQ(minimum_of(
                       rises, [](double) { return 0.0; }, 1, 50)
                       .value,
                   1);
}

}  // namespace
}  // namespace renyi::minimum_test
