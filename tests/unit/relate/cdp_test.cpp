#include <gtest/gtest.h>

#include <cmath>

#include "renyi/extras/relate.h"
#include "renyi/rdp.h"

namespace renyi::cdp_test {
namespace {

CdpParameters cdp_of(const Plan& plan) { return to_cdp(plan).found.value(); }

void expect_near(const Interval& found, double truth, double accuracy) {
  EXPECT_GE(found.upper, truth * (1 - 1e-14));
  EXPECT_LE(found.upper, truth * (1 + accuracy));
  EXPECT_LE(found.lower, found.upper);
  EXPECT_GE(found.lower, truth * (1 - accuracy));
}

// The loss is N(v/2, v).
TEST(Cdp, GaussianLossesAreGaussian) {
  const auto found = cdp_of(Plan().add(Gaussian{2}, 9));
  expect_near(found.mu, 9.0 / 8, 1e-14);
  expect_near(found.tau, 1.5, 1e-14);
}

// Buldygin and Moskalenko: the standard of a two-point law; here its square is twice the mean.
TEST(Cdp, RandomizedResponseHasTwiceItsMean) {
  for (const double e : {1e-3, 0.1, 1.0, 5.0, 30.0}) {
    SCOPED_TRACE(e);
    const auto found = cdp_of(Plan().add(RandomizedResponse{1 / (1 + std::exp(e))}));
    expect_near(found.mu, e * std::tanh(e / 2), 1e-9);
    expect_near(found.tau, std::sqrt(2 * e * std::tanh(e / 2)), 1e-6);
  }
}

// tau^2 is at least twice the mean (at -1, where K is 0) and at most what Hoeffding's lemma says.
TEST(Cdp, BoundedLossesLieBetweenTwiceTheMeanAndHoeffding) {
  for (const Mechanism& m : {Mechanism(Laplace{2}), Mechanism(Laplace{0.1}), Mechanism(RandomizedResponse{0.9, 10}),
                             Mechanism(RandomizedResponse{0.02, 30})}) {
    const auto found = cdp_of(Plan().add(m));
    const double most = m.curve()->worst_max_loss().upper();
    EXPECT_GE(found.tau.upper * found.tau.upper, 2 * found.mu.lower);
    EXPECT_LE(found.tau.upper, most * (1 + 1e-14));
    EXPECT_LE(found.tau.upper, found.tau.lower * (1 + 1e-6));
  }
}

// D_a grows like a/(2 s^2), so no smaller tau than 1/s will do; a bimodal loss needs more.
TEST(Cdp, SampledGaussianIsAtLeastTheUnsampledOne) {
  expect_near(cdp_of(Plan().add(SampledGaussian{0.01, 1.1}, 10000)).tau, 100 / 1.1, 1e-6);
  const auto bimodal = cdp_of(Plan().add(SampledGaussian{0.9, 0.5}));
  EXPECT_GT(bimodal.tau.lower, 2.07);
  EXPECT_LT(bimodal.tau.upper, 2.08);
}

TEST(Cdp, PureDpByHoeffding) {
  const auto found = cdp_of(Plan().add(PureDp{0.5}, 4));
  EXPECT_NEAR(found.mu.upper, 4 * 0.5 * std::tanh(0.25), 1e-14);
  EXPECT_NEAR(found.tau.upper, 1, 1e-14);
}

TEST(Cdp, ComposesByAddingMeansAndSquares) {
  const auto found = cdp_of(Plan().add(Cdp{0.1, 0.5}, 3).add(Cdp{0.2, 2}).add(Gaussian{1}));
  expect_near(found.mu, 0.3 + 0.2 + 0.5, 1e-14);
  expect_near(found.tau, std::sqrt(0.75 + 4 + 1), 1e-14);
}

// The step of these parameters has a curve on or above the plan's, at every order.
TEST(Cdp, TheStepLiesAboveThePlan) {
  for (const Plan& plan : {Plan().add(SampledGaussian{0.01, 1.1}, 100), Plan().add(Laplace{0.5}, 3).add(Gaussian{2}),
                           Plan().add(RandomizedResponse{0.75, 5}, 7), Plan().add(PureDp{1})}) {
    const auto found = cdp_of(plan);
    const auto step = Mechanism(Cdp{found.mu.upper, found.tau.upper}).curve();
    for (double a = 1; a < 1e5; a *= 1.3) EXPECT_LE(rdp(*compose(plan), a).lower(), rdp(*step, a).upper()) << a;
  }
}

TEST(Cdp, NoneWhereTheLossIsNotKnown) {
  for (const Mechanism& m :
       {Mechanism(Zcdp{0.1}), Mechanism(Tcdp{0.1, 10}), Mechanism(Gdp{0.5}), Mechanism(Moments{8, 1})}) {
    const auto found = to_cdp(Plan().add(m));
    EXPECT_FALSE(found.found);
    EXPECT_NE(found.none.find(m.kind()), std::string::npos) << found.none;
  }
  EXPECT_EQ(cdp_of(Plan().add(Zcdp{0, 0})).tau.upper, 0);
}

}  // namespace
}  // namespace renyi::cdp_test
