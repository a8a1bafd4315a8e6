#include "certify/sampled_gaussian/trapezoid.h"

#include <gtest/gtest.h>

#include "renyi/error.h"

namespace renyi::certify::trapezoid_test {
namespace {

struct Case {
  double rate;
  double noise;
};
constexpr Case cases[] = {{0.01, 1.1}, {0.5, 0.3}, {1e-6, 5}, {0.999, 1}, {0.3, 100}, {1e-30, 0.7}};

// The binomial theorem: sum C(e, k) (1-q)^(e-k) q^k exp((k^2-k)/(2 s^2)).
Ball finite_sum(const Case& c, int e) {
  const Ball rate = c.rate;
  Ball sum = 0;
  Ball binomial = 1;
  for (int k = 0; k <= e; ++k) {
    sum += binomial * pow(1 - rate, e - k) * pow(rate, k) * exp(Ball(k * k - k) / (2 * square(Ball(c.noise))));
    binomial = binomial * (e - k) / (k + 1);
  }
  return sum;
}

TEST(Trapezoid, HoldsTheFiniteSumAtWholeExponents) {
  const Precision bits(300);
  for (const Case& c : cases) {
    for (const int e : {1, 2, 5, 31}) {
      const Ball moment = trapezoid_moments({c.rate, c.noise}, e, 0, 1, 200).front().real();
      const Ball truth = finite_sum(c, e);
      EXPECT_TRUE(overlap(moment, truth)) << c.rate << ' ' << c.noise << ' ' << e;
      EXPECT_LT(moment.relative_radius(), 1e-59) << c.rate << ' ' << c.noise << ' ' << e;
      // The bound is not idle: what it allows is about what was asked for.
      EXPECT_GT(moment.relative_radius(), 1e-64) << c.rate << ' ' << c.noise << ' ' << e;
    }
  }
}

TEST(Trapezoid, CoarseEnclosuresHoldFineOnes) {
  const Precision bits(256);
  for (const Case& c : cases) {
    for (const double e : {1.0, 1.37, 4.5, 60.25, -0.25, -1.0, -7.75, -300.0}) {
      const Ball coarse = trapezoid_moments({c.rate, c.noise}, e, 0, 1, 12).front().real();
      const Ball fine = trapezoid_moments({c.rate, c.noise}, e, 0, 1, 150).front().real();
      EXPECT_TRUE(contains(coarse, fine)) << c.rate << ' ' << c.noise << ' ' << e;
    }
  }
}

TEST(Trapezoid, TheMinusFirstMomentOfTheOtherSideIsOne) {
  // E_P[(Q/P)] = 1: exponent 0 from below is the limit; exponent 1 from above is E_Q[r] = 1.
  const Precision bits(128);
  for (const Case& c : cases) {
    EXPECT_TRUE(contains(trapezoid_moments({c.rate, c.noise}, 1, 0, 1, 80).front().real(), Ball(1)));
    EXPECT_TRUE(overlap(trapezoid_moments({c.rate, c.noise}, -1e-30, 0, 1, 60).front().real(), Ball(1)));
  }
}

TEST(Trapezoid, APointOfALineIsThatPointAlone) {
  const Precision bits(128);
  for (const Case& c : {cases[0], cases[1]}) {
    for (const double e : {3.5, -2.5}) {
      const auto line = trapezoid_moments({c.rate, c.noise}, e, 0.75, 40, 60);
      const auto two = trapezoid_moments({c.rate, c.noise}, e, 0.75 * 39, 2, 90);
      ASSERT_EQ(line.size(), 40U);
      EXPECT_TRUE(overlap(line.back().real(), two.back().real()));
      EXPECT_TRUE(overlap(line.back().imaginary(), two.back().imaginary()));
      // A line that turns the other way is its mirror image.
      const auto mirrored = trapezoid_moments({c.rate, c.noise}, e, -0.75, 40, 60);
      EXPECT_TRUE(overlap(line[2].imaginary(), -mirrored[2].imaginary()));
      EXPECT_FALSE(overlap(line[2].imaginary(), mirrored[2].imaginary()));
    }
  }
}

TEST(Trapezoid, SaysWhereItNeedsTooManyPoints) {
  const Precision bits(128);
  EXPECT_THROW(trapezoid_moments({0.5, 0.01}, 2, 1e7, 2, 60), NotConverged);
}

}  // namespace
}  // namespace renyi::certify::trapezoid_test
