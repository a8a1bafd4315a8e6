#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "renyi/interval.h"

namespace renyi::bounded_test {
namespace {

TEST(Bounded, EndsEncloseTheValue) {
  const Bounded b{1, 0.25};
  EXPECT_GT(b.upper(), 1.25);
  EXPECT_LT(b.lower(), 0.75);
  EXPECT_NEAR(b.upper(), 1.25, 1e-15);
  EXPECT_NEAR(b.lower(), 0.75, 1e-15);
}

// value + error rounds to nearest: the end has to lie outside all the same.
TEST(Bounded, EndsRoundOutwards) {
  const Bounded b{1, 1e-30};
  EXPECT_EQ(b.upper(), std::nextafter(1.0, 2.0));
  EXPECT_EQ(b.lower(), std::nextafter(1.0, 0.0));
}

TEST(Bounded, AnExactValueIsItsOwnEnds) {
  const Bounded b{0.3, 0};
  EXPECT_EQ(b.upper(), 0.3);
  EXPECT_EQ(b.lower(), 0.3);
  EXPECT_EQ(Bounded{}.upper(), 0);
}

TEST(Bounded, TheLowerEndIsNeverNegative) { EXPECT_EQ((Bounded{1e-300, 1}.lower()), 0); }

TEST(Bounded, InfinityStaysInfinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ((Bounded{infinity, 0}.lower()), infinity);
  EXPECT_EQ((Bounded{infinity, 0}.upper()), infinity);
}

}  // namespace
}  // namespace renyi::bounded_test
