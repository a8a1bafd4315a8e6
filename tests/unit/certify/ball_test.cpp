#include "certify/ball/ball.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "renyi/error.h"

namespace renyi::certify::ball_test {
namespace {

TEST(Precision, IsRestoredAtTheEndOfItsScope) {
  const long before = Precision::bits();
  {
    const Precision outer(200);
    EXPECT_EQ(Precision::bits(), 200);
    {
      const Precision inner(64);
      EXPECT_EQ(Precision::bits(), 64);
    }
    EXPECT_EQ(Precision::bits(), 200);
  }
  EXPECT_EQ(Precision::bits(), before);
}

TEST(Ball, HoldsTheTruthAndIsNarrow) {
  const Precision bits(100);
  const Ball third = Ball(1) / 3;
  EXPECT_TRUE(contains(third * 3, Ball(1)));
  EXPECT_FALSE(contains(third, Ball(1.0 / 3)));  // the double next to it is another number
  EXPECT_LT(third.relative_radius(), 1e-29);
  EXPECT_TRUE(std::isinf((third * 3 - 1).relative_radius()));
}

TEST(Ball, ComparesOnlyWhatIsProven) {
  const Ball wide = Ball::hull(1, 3);
  EXPECT_FALSE(surely_less(wide, 2));
  EXPECT_FALSE(surely_less(2, wide));
  EXPECT_TRUE(surely_less(wide, 4));
  EXPECT_TRUE(surely_at_most(wide, 3.5));
  EXPECT_TRUE(overlap(wide, Ball::hull(2, 5)));
  EXPECT_FALSE(overlap(wide, Ball::hull(4, 5)));
}

TEST(Ball, WidensByTheLargestError) {
  Ball x = 1;
  x.widen(Ball::hull(0, 0.25));
  EXPECT_TRUE(contains(x, Ball(0.75)));
  EXPECT_TRUE(contains(x, Ball(1.25)));
  EXPECT_FALSE(contains(x, Ball(1.26)));
}

TEST(Ball, NormalTailsKeepTheirRelativeAccuracy) {
  const Precision bits(128);
  const Ball far = normal_above(40);
  EXPECT_LT(far.relative_radius(), 1e-30);
  EXPECT_NEAR(std::log(2.0) + log(far).about(), std::log(2.0) - 804.608442013754, 1e-9);
  EXPECT_TRUE(contains(normal_above(1) + normal_below(1), Ball(1)));
}

TEST(Dyadic, HoldsEndsExactly) {
  Ball x = 2.75;
  x.widen(0.5);  // a radius has 30 bits and is rounded up
  const Enclosure ends = enclosure_of(x);
  EXPECT_TRUE(contains(ends, Enclosure{{"9", -2}, {"13", -2}}));
  EXPECT_NEAR(rounded_down(ends.lower), 2.25, 1e-8);
  EXPECT_NEAR(rounded_up(ends.upper), 3.25, 1e-8);
  EXPECT_EQ(enclosure_of(Ball(-6)).lower, (Dyadic{"-3", 1}));
  EXPECT_EQ(enclosure_of(Ball(0)).lower, (Dyadic{"0", 0}));
  EXPECT_EQ(enclosure_of(Ball::infinity()).upper, (Dyadic{"inf", 0}));
}

TEST(Dyadic, RoundsToTheSideAskedFor) {
  const Dyadic tenth_and_more{"3602879701896397", -55};  // the double 0.1, above 1/10
  EXPECT_EQ(rounded_down(tenth_and_more), 0.1);
  EXPECT_EQ(decimal_below(tenth_and_more, 3), "1e-1");
  EXPECT_EQ(decimal_above(tenth_and_more, 3), "1.01e-1");
  const Dyadic minus{"-3602879701896397", -55};
  EXPECT_EQ(decimal_below(minus, 3), "-1.01e-1");
  EXPECT_EQ(decimal_above(minus, 3), "-1e-1");
  const Dyadic beyond_doubles{"18014398509481985", 0};  // 2^54 + 1
  EXPECT_EQ(rounded_down(beyond_doubles), 0x1p54);
  EXPECT_EQ(rounded_up(beyond_doubles), 0x1p54 + 4);
  EXPECT_EQ(rounded_up({"inf", 0}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(decimal_above({"inf", 0}), "inf");
  EXPECT_EQ(decimal_below({"0", 0}), "0");
}

TEST(Dyadic, RoundsEndsOutwards) {
  const Precision bits(128);
  const Ball third = Ball(1) / 3;
  const Enclosure few = enclosure_of(third, 10);
  EXPECT_TRUE(contains(few, enclosure_of(third)));
  EXPECT_FALSE(contains(enclosure_of(third), few));
  EXPECT_LT(few.lower.mantissa.size(), 5U);
}

TEST(Dyadic, MovesWhatIsTooSmallToBeReadOutwards) {
  const Precision bits(128);
  const Enclosure ends = enclosure_of(exp(Ball(-1e12)));
  EXPECT_EQ(ends.lower, (Dyadic{"0", 0}));
  EXPECT_EQ(ends.upper, (Dyadic{"1", -(std::int64_t{1} << 39)}));
  EXPECT_GT(enclosure_of(exp(Ball(-1e11))).lower.mantissa.size(), 10U);
}

TEST(Dyadic, AroundTwoHasRoomOnBothSides) {
  const Enclosure a{{"1", 0}, {"3", 0}};
  const Enclosure b{{"1", 1}, {"5", 0}};
  EXPECT_EQ(around(a, b), (Enclosure{{"0", 0}, {"3", 1}}));
  EXPECT_EQ(around({{"1", 3}, {"9", 0}}, {{"1", 3}, {"inf", 0}}), (Enclosure{{"1", 3}, {"inf", 0}}));
}

TEST(Dyadic, HullHoldsBothAndNoMore) {
  EXPECT_EQ(hull({{"1", 0}, {"3", 0}}, {{"1", 1}, {"5", 0}}), (Enclosure{{"1", 0}, {"5", 0}}));
  EXPECT_EQ(hull({{"1", 1}, {"inf", 0}}, {{"0", 0}, {"5", 0}}), (Enclosure{{"0", 0}, {"inf", 0}}));
}

TEST(Dyadic, WidenedByItsWidthAndByItsEnds) {
  const Enclosure value{{"1", 1}, {"1", 2}};  // [2, 4]
  EXPECT_EQ(widened(value, 0.5, 0), (Enclosure{{"1", 0}, {"5", 0}}));
  EXPECT_EQ(widened(value, 0, 0.25), (Enclosure{{"3", -1}, {"5", 0}}));
  EXPECT_EQ(widened(value, 3, 0), (Enclosure{{"0", 0}, {"5", 1}}));
  // An infinite width is no excuse for the other end.
  EXPECT_EQ(widened({{"1", 1}, {"inf", 0}}, 3, 0.5), (Enclosure{{"1", 0}, {"inf", 0}}));
  EXPECT_EQ(widened({{"inf", 0}, {"inf", 0}}, 3, 0.5), (Enclosure{{"inf", 0}, {"inf", 0}}));
}

TEST(Dyadic, WidthIsRoundedUp) {
  EXPECT_EQ(width({{"1", 1}, {"1", 2}}), 2);
  EXPECT_EQ(width({{"1", 2}, {"1", 2}}), 0);
  EXPECT_EQ(width({{"1", -70}, {"1", 0}}), 1);
  EXPECT_EQ(width({{"0", 0}, {"1", -5000}}), std::numeric_limits<double>::denorm_min());
  EXPECT_TRUE(std::isinf(width({{"1", 0}, {"inf", 0}})));
  EXPECT_TRUE(std::isinf(width({{"inf", 0}, {"inf", 0}})));
}

TEST(Dyadic, RefusesWhatIsNoNumber) {
  EXPECT_THROW(ball_of(Dyadic{"12x", 0}), InvalidArgument);
  EXPECT_THROW(ball_of(Dyadic{"", 0}), InvalidArgument);
  EXPECT_THROW(ball_of(Dyadic{"-", 0}), InvalidArgument);
  EXPECT_THROW(ball_of(Dyadic{std::string(1001, '7'), 0}), InvalidArgument);
  EXPECT_THROW(ball_of(Dyadic{"1", std::numeric_limits<std::int64_t>::max()}), InvalidArgument);
}

}  // namespace
}  // namespace renyi::certify::ball_test
