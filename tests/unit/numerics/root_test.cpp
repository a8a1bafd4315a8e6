#include "numerics/root.h"

#include <gtest/gtest.h>

namespace renyi::numerics::root_test {
namespace {

TEST(DecreasingRoot, FindsTheRootOfASmoothFunction) {
  const auto f = [](double x) { return ValueSlope{2 - x * x, -2 * x}; };
  EXPECT_NEAR(decreasing_root(f, 0, 10, 5, 1e-12), std::sqrt(2), 1e-12);
}

// The slope lies: only the bracket can be trusted.
TEST(DecreasingRoot, SurvivesWrongSlopes) {
  for (const double slope : {-1e-9, -1e9, 1.0, 0.0}) {
    const auto f = [&](double x) { return ValueSlope{0.75 - x, slope}; };
    EXPECT_NEAR(decreasing_root(f, 0, 1, 0.5, 1e-6), 0.75, slope == -1e9 ? 0.26 : 1e-6) << slope;
  }
}

TEST(DecreasingRoot, StaysInsideTheInterval) {
  const auto positive = [](double) { return ValueSlope{1, -1}; };
  const auto negative = [](double) { return ValueSlope{-1, -1}; };
  EXPECT_NEAR(decreasing_root(positive, 0, 1, 0.5, 1e-9), 1, 1e-8);
  EXPECT_NEAR(decreasing_root(negative, 0, 1, 0.5, 1e-9), 0, 1e-8);
  EXPECT_NEAR(decreasing_root(positive, 2, 2, 7, 1e-9), 2, 0);
}

TEST(Bracket, TakesProposalsThatLieInside) {
  Bracket bracket{-8, 8};
  EXPECT_EQ(bracket.next(0, -1, 3), 3);
  EXPECT_EQ(bracket.low(), 0);
  EXPECT_EQ(bracket.next(3, 1, 2.5), 2.5);
  EXPECT_EQ(bracket.high(), 3);
}

TEST(Bracket, BisectsWhenAProposalLeaves) {
  Bracket bracket{-8, 8};
  EXPECT_EQ(bracket.next(0, -1, 1e9), 4);
  EXPECT_EQ(bracket.next(4, 1, std::nan("")), 2);
  EXPECT_EQ(bracket.next(2, 1, -1), 1);
  EXPECT_EQ(bracket.low(), 0);
  EXPECT_EQ(bracket.high(), 2);
}

// Proposals that jump from one end to the other hardly shrink the interval.
TEST(Bracket, BisectsWhenProposalsCycle) {
  Bracket bracket{-8, 8};
  double v = 7.9;
  for (int i = 0; i < 100; ++i) {
    const double value = v - 1;
    v = bracket.next(v, value, value < 0 ? bracket.high() - 1e-3 : bracket.low() + 1e-3);
  }
  EXPECT_LT(bracket.width(), 0.1);
  EXPECT_LT(bracket.low(), 1);
  EXPECT_GT(bracket.high(), 1);
}

TEST(Bracket, FollowsNewtonToTheRoot) {
  Bracket bracket{-100, 100};
  double v = 2;
  for (int i = 0; i < 8 && std::exp(v) != 3; ++i) {
    const double value = std::exp(v) - 3, newton = v - value / std::exp(v);
    if (std::abs(newton - v) < 1e-9) break;
    v = bracket.next(v, value, newton);
  }
  EXPECT_NEAR(v, std::log(3), 1e-8);
}

}  // namespace
}  // namespace renyi::numerics::root_test
