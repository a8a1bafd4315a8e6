#include "exact/slope_tails.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "renyi/extras/privacy_loss.h"
#include "renyi/plan.h"

namespace renyi::exact::slope_tails_test {
namespace {

// One Laplace step of largest loss e: Pr[L >= t].
double one_above(double e, double t) {
  if (t > e) return 0;
  if (t <= -e) return 1;
  return 1 - 0.5 * std::exp(-0.5 * (e - t));
}

// Two of them, by the law of the first: atoms at both ends, and the density exp((l-e)/2)/4 between them.
double two_above(double e, double t) {
  double sum = 0.5 * one_above(e, t - e) + 0.5 * std::exp(-e) * one_above(e, t + e);
  // Pieces at whose ends the other factor jumps.
  double ends[] = {-e, std::clamp(t - e, -e, e), std::clamp(t + e, -e, e), e};
  std::sort(std::begin(ends), std::end(ends));
  for (int piece = 0; piece < 3; ++piece) {
    constexpr int points = 20000;
    const double width = (ends[piece + 1] - ends[piece]) / points;
    for (int i = 0; i < points; ++i) {
      const double l = ends[piece] + (i + 0.5) * width;
      sum += width * 0.25 * std::exp(0.5 * (l - e)) * one_above(e, t - l);
    }
  }
  return sum;
}

TEST(SlopeTails, TwoLaplaceStepsAgainstTheirConvolution) {
  const Plan plan = Plan().add(Laplace{2}, 2);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const PrivacyLoss loss(plan, direction);
    for (const double t : {-0.9, -0.35, 0.1, 0.4, 0.85, 0.99}) {
      const TailProbability p = loss.at_least(t);
      const double truth = two_above(0.5, t);
      EXPECT_EQ(p.method, LossMethod::lattice) << t;
      EXPECT_LE(p.lower, truth + 1e-9) << t;
      EXPECT_GE(p.upper, truth - 1e-9) << t;
      EXPECT_LT(p.upper - p.lower, 1e-4) << t;
    }
  }
}

TEST(SlopeTails, TheLargestLossIsHalfOfEachStep) {
  const PrivacyLoss loss(Plan().add(Laplace{2}, 2).add(Laplace{4}, 3), Direction::remove);
  const TailProbability top = loss.at_least(1.75);
  EXPECT_LE(top.lower, 1.0 / 32);
  EXPECT_GE(top.upper, 1.0 / 32);
  EXPECT_LT(top.upper - top.lower, 1e-14);
  EXPECT_EQ(loss.at_least(1.7500001).upper, 0);
  EXPECT_EQ(loss.at_least(-1.75).lower, 1);
  EXPECT_EQ(loss.within(1.75).lower, 1);
}

// The contour supports 40 sampled steps too: the intervals of both methods contain the exact value.
TEST(SlopeTails, AgreesWithTheContour) {
  const Plan plan = Plan().add(SampledGaussian{0.1, 1}, 40);
  const auto steps = plan.analysed();
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const SlopeTails slopes(steps, compose(steps));
    const PrivacyLoss loss(plan, direction);
    for (const double t : {-0.5, 0.3, 1.0, 2.5}) {
      const TailProbability by_contour = loss.at_least(t);
      ASSERT_EQ(by_contour.method, LossMethod::contour);
      const auto by_slope = slopes.at_least(t, direction);
      ASSERT_TRUE(by_slope.has_value());
      EXPECT_LE(by_slope->lower, by_contour.upper) << t;
      EXPECT_GE(by_slope->upper, by_contour.lower) << t;
      const auto other = slopes.below(-t, direction);
      ASSERT_TRUE(other.has_value());
      EXPECT_LE(other->lower, 1 - by_contour.lower + 1e-12) << t;
      EXPECT_GE(other->upper, 1 - by_contour.upper - 1e-12) << t;
    }
  }
}

TEST(SlopeTails, FewStepsWithAtomsHaveNarrowTails) {
  for (const std::int64_t steps : {2, 3, 5}) {
    const PrivacyLoss loss(Plan().add(Laplace{.scale = 3}, steps), Direction::remove);
    const TailProbability p = loss.at_least(0.5);
    EXPECT_EQ(p.method, LossMethod::lattice);
    EXPECT_LT(p.upper - p.lower, 2e-3 * p.upper);
  }
}

}  // namespace
}  // namespace renyi::exact::slope_tails_test
