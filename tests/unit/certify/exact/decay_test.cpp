// Bounds of |phi| against |phi| itself, by moments in ball arithmetic.
#include "certify/exact/decay.h"

#include <gtest/gtest.h>

#include "certify/exact/tilted.h"
#include "certify/mechanism/moment.h"
#include "certify/sampled_gaussian/trapezoid.h"
#include "support/expect.h"

namespace renyi::certify {
namespace {

const Precision bits(96);

// ln |phi(y)|, about.
double log_phi(const Mechanism& mechanism, Direction direction, double c, double y) {
  const Precision working(128);
  Complex ratio;
  if (const auto* sampled = mechanism.get_if<SampledGaussian>()) {
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

// A uniform sum of |g'| is the judge.
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

}  // namespace
}  // namespace renyi::certify
