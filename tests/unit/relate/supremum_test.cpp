#include "relate/supremum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace renyi::relate::supremum_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// expm1(x) / x^3
class Bump final : public Objective {
 public:
  Interval convex(double x) const override {
    ++evaluations;
    return {std::expm1(x) * (1 - 1e-15), std::expm1(x) * (1 + 1e-15)};
  }
  double value(double x, double k) const override { return k / (x * x * x); }
  // (A + s x)/x^3 has its peak at x = -3A/(2s).
  double peak(double offset, double slope) const override { return offset < 0 ? -1.5 * offset / slope : 0; }
  double before(double, double) const override { return 0; }
  double beyond(double) const override { return infinity; }

  mutable int evaluations = 0;
};

// expm1(x)/x^3 falls up to x = 2.82... and rises after it: on [1, 5] the ends decide.
TEST(Supremum, IsAttainedAtAnEndOfTheDomain) {
  const Bump bump;
  const Interval found = supremum(bump, {.first = 1, .last = 5, .split_first = false});
  const double truth = std::max(std::expm1(1), std::expm1(5) / 125);
  EXPECT_LE(found.lower, truth);
  EXPECT_GE(found.upper, truth);
  EXPECT_LE(found.upper, truth * (1 + 1e-9));
}

TEST(Supremum, UpperEndHoldsHoweverEarlyTheSearchEnds) {
  const Bump bump;
  const double truth = std::expm1(1);
  double last = infinity;
  for (const int most : {5, 10, 100, 1000}) {
    const Interval found = supremum(bump, {.first = 1, .last = 5, .split_first = false, .most_evaluations = most});
    EXPECT_GE(found.upper, truth) << most;
    EXPECT_LE(found.lower, truth) << most;
    EXPECT_LE(found.upper, last) << most;
    last = found.upper;
  }
}

TEST(Supremum, StopsWhenWhatIsKnownSuffices) {
  const Bump bump;
  const Interval found = supremum(bump, {.first = 1, .last = 5, .at_least = 100, .split_first = false});
  EXPECT_EQ(found.lower, 100);
  EXPECT_EQ(found.upper, 100);
  EXPECT_LT(bump.evaluations, 10);
}

// Nothing is known beyond the grid, and nothing ever is: the answer is no bound, and says so.
TEST(Supremum, IsInfiniteWhereNothingBoundsTheTail) {
  EXPECT_EQ(supremum(Bump(), {.first = 1, .last = infinity, .split_first = false}).upper, infinity);
}

}  // namespace
}  // namespace renyi::relate::supremum_test
