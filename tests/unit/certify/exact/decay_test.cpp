// Bounds of |phi| against |phi| itself, by moments in ball arithmetic.
#include "certify/exact/decay.h"

#include <gtest/gtest.h>

#include <cmath>

#include "certify/exact/contour.h"
#include "certify/exact/sampled_decay.h"
#include "certify/mechanism/closed_form.h"
#include "certify/sampled_gaussian/trapezoid.h"
#include "support/expect.h"

namespace renyi::certify::decay_test {
namespace {

const Precision bits(96);

// ln |phi(y)|, about.
double log_phi(const Mechanism& mechanism, Direction direction, double c, double y) {
  const Precision working(128);
  Complex ratio;
  if (const auto sampled = mechanism.get_if<SampledGaussian>()) {
    const bool remove = direction == Direction::remove;
    const Ball exponent = remove ? 1 + Ball(c) : -Ball(c);
    const auto moments = trapezoid_moments(*sampled, exponent, remove ? y : -y, 2, 60);
    ratio = moments[1] / moments[0];
  } else {
    ratio = moment(mechanism, direction, Complex(c, y)) / moment(mechanism, direction, Complex(c));
  }
  return log(abs(ratio)).about();
}

struct Case {
  Mechanism mechanism;
  double c;
};
const Case cases[] = {{SampledGaussian{0.01, 1.1}, 3.5},
                      {SampledGaussian{0.3, 0.7}, 0.5},
                      {SampledGaussian{0.001, 5}, 20},
                      {Laplace{1, 1}, 0.5},
                      {Laplace{20, 1}, 3},
                      {RandomizedResponse{0.7, 3}, 1},
                      {PureDp{0.4}, 2},
                      {Gaussian{3, 1}, 1}};

TEST(CertifiedDecay, IsAbovePhi) {
  for (const Case& at : cases) {
    for (const Direction direction : test::both_directions) {
      const auto decay = decay_of(at.mechanism, direction, at.c);
      for (double y = 0.1; y < 300; y *= 2.7) {
        SCOPED_TRACE(std::string(at.mechanism.kind()) + " " + test::name_of(direction) + " " + std::to_string(y));
        const double within = decay->within(y, 1.4).about();
        const double beyond = decay->beyond(y).about();
        EXPECT_LE(within, 0);
        EXPECT_LE(beyond, 0);
        for (const double v : {y, 1.13 * y, 1.31 * y, 1.4 * y}) {
          EXPECT_GE(within, log_phi(at.mechanism, direction, at.c, v) - 1e-12);
          EXPECT_GE(beyond, log_phi(at.mechanism, direction, at.c, v) - 1e-12);
        }
        for (const double v : {1.9 * y, 7 * y}) EXPECT_GE(beyond, log_phi(at.mechanism, direction, at.c, v) - 1e-12);
      }
    }
  }
}

// For y small beside the loss, ln|phi| is -y^2 Var/2: the bucket gives 8/pi^2 of it, but for the cells' widths.
TEST(CertifiedDecay, BucketsAreSharpForSmallY) {
  for (const Direction direction : test::both_directions) {
    const SampledGaussian mechanism{0.01, 1.1};
    const auto decay = decay_of(mechanism, direction, 3.5);
    const double within = decay->within(0.5, 1.0001).about();
    EXPECT_LT(within, 0.75 * (8 / (M_PI * M_PI)) * log_phi(mechanism, direction, 3.5, 0.5));
  }
}

TEST(CertifiedDecay, LaplaceFallsToHalfOfItsLargestAtom) {
  const auto decay = decay_of(Laplace{1, 1}, Direction::remove, 2);
  EXPECT_LT(decay->beyond(100).about(), -0.15);
  EXPECT_EQ(decay_of(PureDp{1}, Direction::remove, 2)->beyond(1e6).about(), 0);
}

// The reference is a uniform sum of |g'|.
TEST(CertifiedDecay, VariationIsThatOfTheDensityOverTheSlope) {
  for (const Direction direction : test::both_directions) {
    for (const double c : {0.3, 3.5, 30.0}) {
      for (const SampledGaussian& mechanism :
           {SampledGaussian{0.01, 1.1}, SampledGaussian{0.2, 0.6}, SampledGaussian{0.001, 4}}) {
        const Tilted law(mechanism, direction, c);
        const Precision low(64);
        const auto g = [&](double x) { return (exp(law.log_density(x)) * law.variance / law.share(x)).about(); };
        double sum = 0;
        const double step = mechanism.noise_multiplier / 50;
        for (double x = -2 - c - 15 * mechanism.noise_multiplier; x < c + 2 + 15 * mechanism.noise_multiplier;
             x += step) {
          sum += std::abs(g(x + step) - g(x));
        }
        const double proven = total_variation_by_parts(law).about();
        EXPECT_GE(proven, sum * (1 - 1e-9));
        EXPECT_LE(proven, sum * 1.01);
      }
    }
  }
}

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
}  // namespace renyi::certify::decay_test
