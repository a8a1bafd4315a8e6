#include "certify/exact/truncation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "certify/exact/moments_on_line.h"

namespace renyi::certify {
namespace {

// The sum that is bounded, term by term over a long piece of it.
Ball sum_beyond(const Steps& steps, const Line& line, long from, long to) {
  const LineMoments moments = moments_on_line(steps, Direction::remove, line, to, 40);
  const Precision working(moments.bits);
  Ball sum(0);
  for (long j = from + 1; j < to; ++j) {
    const Ball y = Ball(line.spacing) * Ball(static_cast<std::int64_t>(j));
    const Complex z(line.c, y);
    sum += abs(moments.phi[static_cast<std::size_t>(j)] / (z * Complex(z.real() + 1, y)));
  }
  return sum * line.spacing / Ball::pi();
}

TEST(CertifiedTruncation, IsAboveTheTermsLeftOut) {
  const Precision working(64);
  Line line;
  line.spacing = 0.5;
  line.c = 3.5;
  for (const Steps& steps : {Steps{{SampledGaussian{0.01, 1.1}, 10'000}}, Steps{{Laplace{2, 1}, 300}},
                             Steps{{Gaussian{5, 1}, 3}, {RandomizedResponse{0.7, 2}, 4}}}) {
    const Truncation truncation(steps, Direction::remove, line.c);
    int proven = 0;
    for (const long points : {12, 24, 40, 80}) {
      const LeftOut left = truncation.beyond(0.5 * static_cast<double>(points), 0.5, 1e-3);
      if (left.stuck > 0) continue;
      ++proven;
      EXPECT_TRUE(surely_less(sum_beyond(steps, line, points, points + 200), left.bound));
      EXPECT_TRUE(surely_at_most(left.bound, 1e-3));
    }
    EXPECT_GE(proven, 2);
  }
}

// Points so far apart that one of them outweighs the integral over the zone it lies in.
TEST(CertifiedTruncation, CountsAPointInANarrowZone) {
  const Precision working(64);
  Line line;
  line.spacing = 10;
  line.c = 1;
  const Steps steps{{Gaussian{std::sqrt(5.0), 1}, 1}};
  const Truncation truncation(steps, Direction::remove, line.c);
  const Ball sum = sum_beyond(steps, line, 0, 50);
  // Narrow zones are chosen where the terms are some fifth of the limit.
  const LeftOut left = truncation.beyond(9.9, line.spacing, 5 * sum);
  ASSERT_EQ(left.stuck, 0);
  EXPECT_TRUE(surely_less(sum, left.bound));
}

// Many points in one wide zone.
TEST(CertifiedTruncation, CountsAllPointsOfAZone) {
  const Precision working(64);
  Line line;
  line.spacing = 0x1p-6;
  line.c = 20;
  const Steps steps{{Gaussian{std::sqrt(5.0), 1}, 1}};
  const LeftOut left = Truncation(steps, Direction::remove, line.c).beyond(5, line.spacing, 0.01);
  ASSERT_EQ(left.stuck, 0);
  EXPECT_TRUE(surely_less(sum_beyond(steps, line, 320, 960), left.bound));
}

// |phi| hardly falls: h times the sum of 1/y_j^2 is about pi^2/6/h, and the integral from 0.99 h on 1/(0.99 h).
TEST(CertifiedTruncation, CountsTheFirstPointOfTheRest) {
  const Precision working(64);
  Line line;
  line.spacing = 100;
  line.c = 1;
  const Steps steps{{Gaussian{1000, 1}, 1}};
  const LeftOut left = Truncation(steps, Direction::remove, line.c).beyond(99, line.spacing, 1);
  ASSERT_EQ(left.stuck, 0);
  EXPECT_TRUE(surely_less(sum_beyond(steps, line, 0, 200), left.bound));
}

TEST(CertifiedTruncation, SaysWhereItIsStuck) {
  const Precision working(64);
  // Randomized response never falls off.
  const Truncation truncation({{RandomizedResponse{0.7, 2}, 50}}, Direction::remove, 1);
  EXPECT_GT(truncation.beyond(10, 0.1, 1e-6).stuck, 9);
}

}  // namespace
}  // namespace renyi::certify
