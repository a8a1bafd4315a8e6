// Tests which plans the closed forms support, and properties that relate them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "exact/closed_form/profile.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"
#include "support/expect.h"

namespace renyi::exact_closed_form_test {
namespace {

using exact::closed_form_profile;
using test::both_directions;

bool served(const Plan& plan) { return closed_form_profile(plan.merged(), Direction::remove).has_value(); }

Interval delta(const Plan& plan, double epsilon, Direction direction = Direction::remove) {
  return (*closed_form_profile(plan.merged(), direction))(epsilon);
}

void expect_overlap(const Interval& a, const Interval& b) {
  EXPECT_LE(a.lower, b.upper);
  EXPECT_LE(b.lower, a.upper);
}

TEST(ClosedForm, ServesSingleStepsGaussiansAndBinaryResponses) {
  EXPECT_TRUE(served(Plan().add(Gaussian{2}, 1000).add(Gaussian{3, 2}).add(Gdp{0.1}, 7)));
  EXPECT_TRUE(served(Plan().add(SampledGaussian{1, 2}, 1000).add(Gaussian{3})));
  EXPECT_TRUE(served(Plan().add(SampledGaussian{0.1, 2})));
  EXPECT_TRUE(served(Plan().add(Laplace{2})));
  EXPECT_TRUE(served(Plan().add(RandomizedResponse{0.7, 5})));
  EXPECT_TRUE(served(Plan().add(RandomizedResponse{0.7}, 1'000'000'000)));
  EXPECT_TRUE(served(Plan().add(PureDp{0.1}, 12)));

  EXPECT_FALSE(served(Plan().add(SampledGaussian{0.1, 2}, 2)));
  EXPECT_FALSE(served(Plan().add(Laplace{2}, 2)));
  EXPECT_FALSE(served(Plan().add(RandomizedResponse{0.7, 5}, 2)));
  EXPECT_FALSE(served(Plan().add(RandomizedResponse{0.7}, 1'000'000'001)));
  EXPECT_FALSE(served(Plan().add(Gaussian{2}).add(Laplace{2})));
}

TEST(ClosedForm, IsChosenFirstAndRefusesByName) {
  const ExactAnswer answer = PrivacyProfile(Plan().add(Gaussian{2}, 3)).delta(1);
  EXPECT_EQ(answer.worst.engine, Engine::closed_form);
  ExactOptions options;
  options.engine = Engine::closed_form;
  EXPECT_THROW(PrivacyProfile(Plan().add(Laplace{2}, 2), options).delta(0.9), Unsupported);
  EXPECT_EQ(PrivacyProfile(Plan().add(Laplace{2}, 2), options).delta(1).worst.upper, 0);  // its largest loss
}

TEST(ClosedForm, StepsThatRevealNothingDoNotCount) {
  const Plan alone = Plan().add(Laplace{2});
  const Plan with = Plan().add(Laplace{2}).add(RandomizedResponse{0.5}, 9).add(SampledGaussian{0, 1}, 5).add(PureDp{0});
  ASSERT_TRUE(served(with));
  EXPECT_EQ(delta(with, 0.25).lower, delta(alone, 0.25).lower);
  EXPECT_EQ(delta(with, 0.25).upper, delta(alone, 0.25).upper);
  const PrivacyProfile nothing(Plan().add(RandomizedResponse{0.5}, 100).add(Gdp{0}));
  EXPECT_EQ(nothing.delta(0).worst.upper, 0);
  EXPECT_EQ(nothing.epsilon(1e-9).worst.upper, 0);
}

// mu of GDP, a noise multiplier, a standard deviation with its sensitivity, a sampling rate of 1: one pair.
TEST(ClosedForm, GaussiansAreOnePairHoweverTheyAreSpelt) {
  const Plan spelt = Plan().add(Gaussian{2}, 4);  // mu^2 = 1
  for (const double epsilon : {0.0, 0.3, 4.0, 30.0}) {
    expect_overlap(delta(spelt, epsilon), delta(Plan().add(Gdp{1}), epsilon));
    expect_overlap(delta(spelt, epsilon), delta(Plan().add(SampledGaussian{1, 2}, 4), epsilon));
    expect_overlap(delta(spelt, epsilon), delta(Plan().add(Gaussian{6, 3}, 3).add(Gaussian{4, 2}), epsilon));
  }
}

// Total variation of N(0,1) and N(mu,1): erf(mu / sqrt 8).
TEST(ClosedForm, GaussianAtZeroIsTheTotalVariation) {
  for (const double mu : {1e-90, 1e-20, 1e-3, 0.5, 1.0, 2.0, 2.5, 7.0}) {
    const Interval got = delta(Plan().add(Gdp{mu}), 0);
    const long double truth = std::erf(static_cast<long double>(mu) / std::sqrt(8.0L));
    EXPECT_LE(static_cast<long double>(got.lower), truth * (1 + 1e-18L)) << mu;
    EXPECT_GE(static_cast<long double>(got.upper), truth * (1 - 1e-18L)) << mu;
    EXPECT_LE(got.upper - got.lower, 1e-14 * got.upper) << mu;
  }
}

TEST(ClosedForm, ProbabilitiesBelowTheDoublesKeepAPositiveUpperEnd) {
  const PrivacyProfile gaussian(Plan().add(Gaussian{1}));
  for (const double epsilon : {38.7, 39.0, 40.5, 60.0, 1e4, 1e9}) {
    const ExactInterval far = gaussian.delta(epsilon).worst;
    EXPECT_GE(far.lower, 0);
    EXPECT_LT(far.lower, 1e-300);
    EXPECT_GT(far.upper, 0);
    EXPECT_LE(far.upper, 1e-300);
  }
  // 0.51^1000000: below the smallest number of extended precision too.
  const Plan deep = Plan().add(RandomizedResponse{0.51}, 1'000'000);
  const double largest = compose(deep)->max_loss(Direction::remove).lower();
  EXPECT_EQ(delta(deep, 0.999 * largest).lower, 0);
  EXPECT_GT(delta(deep, 0.999 * largest).upper, 0);
  EXPECT_GT(PrivacyProfile(deep).delta(0.999 * largest).worst.upper, 0);
  EXPECT_EQ(delta(deep, 1.001 * largest).upper, 0);
}

TEST(ClosedForm, HugeCostsStayBelowOne) {
  for (const auto& plan : {Plan().add(Gaussian{0.05}, 1'000'000'000'000), Plan().add(Gaussian{1e-50, 1e50}, 9),
                           Plan().add(PureDp{1e50}, 1'000'000)}) {
    const ExactInterval figure = PrivacyProfile(plan).delta(1).worst;
    EXPECT_EQ(figure.upper, 1);
    EXPECT_GE(figure.lower, 1 - 0x1p-52);
  }
}

// Sampling never helps an attacker, and less sampling helps less.
TEST(ClosedForm, SampledGaussianGrowsWithItsRateUpToTheGaussian) {
  for (const Direction direction : both_directions) {
    double before = 0;
    for (const double q : {1e-12, 1e-3, 0.2, 0.5, 0.9, 1 - 1e-9}) {
      const Interval got = delta(Plan().add(SampledGaussian{q, 0.8}), 0.5, direction);
      EXPECT_GE(got.upper, before);
      before = got.lower;
    }
    const Interval whole = delta(Plan().add(Gaussian{0.8}), 0.5, direction);
    EXPECT_LE(before, whole.upper);
    EXPECT_NEAR(before, whole.lower, 1e-8);
  }
}

// No loss exceeds -ln(1-q) when the record is added.
TEST(ClosedForm, SampledGaussianVanishesAtTheLargestLoss) {
  const Plan plan = Plan().add(SampledGaussian{0.5, 2});
  EXPECT_EQ(delta(plan, 0.7, Direction::add).upper, 0);
  EXPECT_GT(delta(plan, 0.69, Direction::add).lower, 0);
  EXPECT_GT(delta(plan, 0.7, Direction::remove).lower, 0);
}

TEST(ClosedForm, EpsilonOfTinyAndLargeDeltas) {
  for (const auto& plan :
       {Plan().add(Gaussian{1.3}, 50), Plan().add(SampledGaussian{0.01, 1.1}), Plan().add(Laplace{2}),
        Plan().add(RandomizedResponse{0.6}, 400), Plan().add(RandomizedResponse{0.6, 4})}) {
    const PrivacyProfile accountant(plan);
    double before = std::numeric_limits<double>::infinity();
    for (const double d : {1e-300, 1e-200, 1e-50, 1e-12, 1e-5, 0.1, 0.5, 0.9, 0.999}) {
      const ExactInterval epsilon = accountant.epsilon(d).worst;
      EXPECT_LE(epsilon.lower, epsilon.upper);
      EXPECT_LE(epsilon.upper - epsilon.lower, std::max(1e-9 * epsilon.upper, 1e-12)) << d;
      EXPECT_LE(epsilon.lower, before);
      before = epsilon.upper;
    }
  }
}

// Another way to the same figures.
TEST(ClosedForm, AgreesWithTheContour) {
  ExactOptions contour;
  contour.engine = Engine::contour;
  const Plan plan = Plan().add(Gaussian{2}, 7).add(Gaussian{9, 4}, 2);
  for (const double epsilon : {0.5, 3.0, 12.0, 30.0}) {
    const ExactInterval other = PrivacyProfile(plan, contour).delta(epsilon).worst;
    expect_overlap(delta(plan, epsilon), {other.lower, other.upper});
    EXPECT_LT(other.upper - other.lower, 1e-6 * other.upper);
  }
}

TEST(ClosedForm, DeltaAboveTheTotalVariationNeedsNoEpsilon) {
  const ExactInterval zero = PrivacyProfile(Plan().add(Gdp{0.01})).epsilon(0.1).worst;
  EXPECT_EQ(zero.lower, 0);
  EXPECT_EQ(zero.upper, 0);
}

}  // namespace
}  // namespace renyi::exact_closed_form_test
