#include "exact/privacy_profile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "conversion/renyi_bound.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"

namespace renyi::exact_privacy_profile_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Plan training() { return Plan().add(SampledGaussian{0.01, 1.1}, 10'000); }

TEST(PrivacyProfile, TheEndsOfTheRangesAreKnown) {
  const PrivacyProfile laplace(Plan().add(Laplace{2}, 6)), gaussian(Plan().add(Gaussian{1}));
  EXPECT_EQ(laplace.delta(infinity).worst.upper, 0);
  EXPECT_EQ(laplace.delta(3.1).worst.upper, 0);  // the largest loss is 6/2
  EXPECT_EQ(laplace.epsilon(1).worst.upper, 0);
  EXPECT_NEAR(laplace.epsilon(0).worst.upper, 3, 1e-14);
  EXPECT_NEAR(laplace.epsilon(0).worst.lower, 3, 1e-14);
  EXPECT_TRUE(std::isinf(gaussian.epsilon(0).worst.upper));
  EXPECT_EQ(PrivacyProfile(Plan()).delta(0).worst.upper, 0);
  EXPECT_EQ(PrivacyProfile(Plan()).epsilon(0.5).worst.upper, 0);
}

TEST(PrivacyProfile, DirectionsAreComposedApart) {
  const ExactAnswer answer = PrivacyProfile(training()).epsilon(1e-5);
  EXPECT_EQ(answer.direction, Direction::remove);
  EXPECT_EQ(answer.worst.upper, answer.remove.upper);
  EXPECT_LT(answer.add.upper, answer.remove.lower - 0.3);
  // Loss in direction add is bounded: at and above the bound delta is 0.
  const double largest = -10'000 * std::log1p(-0.01);
  EXPECT_EQ(PrivacyProfile(training()).delta(largest * 1.01).add.upper, 0);
  const ExactAnswer symmetric = PrivacyProfile(Plan().add(Laplace{1}, 500)).epsilon(1e-6);
  EXPECT_EQ(symmetric.remove.lower, symmetric.add.lower);
}

TEST(PrivacyProfile, NeverAboveTheRenyiBound) {
  for (const double delta : {1e-300, 1e-30, 1e-5, 0.3, 0.9}) {
    EXPECT_LE(PrivacyProfile(training()).epsilon(delta).worst.upper, renyi_epsilon(training(), delta).upper);
  }
  for (const double epsilon : {0.0, 1e-3, 5.0, 60.0}) {
    EXPECT_LE(PrivacyProfile(training()).delta(epsilon).worst.upper, renyi_delta(training(), epsilon).upper);
  }
}

TEST(PrivacyProfile, EnginesAreNamed) {
  EXPECT_EQ(to_string(Engine::closed_form), "closed-form");
  EXPECT_EQ(to_string(Engine::contour), "contour");
  EXPECT_EQ(to_string(Engine::lattice), "lattice");
  EXPECT_EQ(to_string(Engine::bounds), "bounds");
  EXPECT_EQ(PrivacyProfile(Plan().add(Gaussian{1}, 4).add(Gaussian{7})).delta(1).worst.engine, Engine::closed_form);
  EXPECT_EQ(PrivacyProfile(training()).delta(1).worst.engine, Engine::contour);
  EXPECT_EQ(PrivacyProfile(Plan().add(Laplace{1}, 3)).delta(1).worst.engine, Engine::lattice);
  EXPECT_EQ(PrivacyProfile(training(), {.engine = Engine::bounds}).delta(1).worst.engine, Engine::bounds);
}

TEST(PrivacyProfile, AnEngineThatDoesNotServeSaysSo) {
  EXPECT_THROW(PrivacyProfile(training(), {.engine = Engine::closed_form}).delta(1), Unsupported);
  EXPECT_THROW(PrivacyProfile(Plan().add(RandomizedResponse{0.7}), {.engine = Engine::contour}).epsilon(1e-3),
               Unsupported);
}

TEST(PrivacyProfile, MixedPlansAreExactToo) {
  Plan plan = training();
  plan.add(Laplace{2}, 3);
  const ExactAnswer answer = PrivacyProfile(plan).epsilon(1e-5);
  EXPECT_EQ(answer.worst.engine, Engine::contour);
  EXPECT_LT(answer.worst.upper - answer.worst.lower, 1e-9);
  EXPECT_GT(answer.worst.lower, PrivacyProfile(training()).epsilon(1e-5).worst.upper);
  EXPECT_LT(answer.worst.upper, PrivacyProfile(training()).epsilon(1e-5).worst.lower + 1.5);
}

// Worst among the steps with that promise: randomized response, and the Gaussian.
TEST(PrivacyProfile, PromisesHaveTheirWorstPair) {
  const double p = 0.8, e = std::log(p / (1 - p));
  const ExactInterval promised = PrivacyProfile(Plan().add(PureDp{e}, 30)).epsilon(1e-4).worst;
  const ExactInterval response = PrivacyProfile(Plan().add(RandomizedResponse{p}, 30)).epsilon(1e-4).worst;
  EXPECT_NEAR(promised.upper, response.upper, 1e-9);
  const ExactInterval gdp = PrivacyProfile(Plan().add(Gdp{0.5}, 4)).delta(0.7).worst;
  const ExactInterval gaussian = PrivacyProfile(Plan().add(Gaussian{2}, 4)).delta(0.7).worst;
  EXPECT_NEAR(gdp.upper, gaussian.upper, 1e-12);
}

TEST(PrivacyProfile, BoundsOnDivergencesAreNotEnough) {
  EXPECT_THROW(PrivacyProfile(training().add(Zcdp{0.1})), Unsupported);
}

TEST(PrivacyProfile, BadArgumentsAreNamed) {
  const PrivacyProfile accountant(training());
  for (const double bad : {-1.0, std::nan("")}) {
    EXPECT_THROW(accountant.delta(bad), InvalidArgument);
    EXPECT_THROW(accountant.epsilon(bad), InvalidArgument);
  }
  EXPECT_THROW(accountant.epsilon(1.5), InvalidArgument);
}

// delta = 1 but for what no double shows.
// Subnormal deltas are rounded by whole units, 5e-324 each: upper ends stay above all the same.
TEST(PrivacyProfile, SubnormalDeltas) {
  const Plan plan = Plan().add(Gaussian{1});
  constexpr double truth = 38.67318887460245;  // epsilon at delta 1e-320, that is 2024 units; 60 digits, rounded
  const ExactInterval epsilon = PrivacyProfile(plan).epsilon(1e-320).remove;
  EXPECT_LE(epsilon.lower, truth);
  EXPECT_GE(epsilon.upper, truth);
  EXPECT_LT(epsilon.upper - epsilon.lower, 1e-4);
  EXPECT_GE(renyi_delta(plan, 38.6731832057734).upper, 2025 * std::numeric_limits<double>::denorm_min());
}

// Where one direction has fallen below all numbers, no other engine is tried for a narrower interval.
TEST(PrivacyProfile, WhatNoNumberResolvesIsNotRefined) {
  const Mechanism noise = make_mechanism("skellam", {{"variance", 20}, {"sensitivity", 1}});
  const PrivacyProfile exact(Plan().add(noise.sampled_by(Sampling::poisson(0.01))));
  const ExactAnswer answer = exact.delta(0.009879);
  EXPECT_GT(answer.remove.lower, 4e-7);
  EXPECT_GT(answer.add.upper, 0);
  EXPECT_LT(answer.add.upper, 1e-320);
  EXPECT_EQ(answer.add.engine, Engine::closed_form);
}

TEST(PrivacyProfile, NextToOne) {
  const ExactInterval figure = PrivacyProfile(Plan().add(SampledGaussian{0.3, 0.5}, 1'000'000)).delta(1).worst;
  EXPECT_GE(figure.lower, 1 - 1e-12);
  EXPECT_LE(figure.upper, 1);
}

}  // namespace
}  // namespace renyi::exact_privacy_profile_test
