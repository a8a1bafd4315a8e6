// Curves return their pair of distributions: the numbers as they were given, and no pair if none is known.
#include "mechanism/law.h"

#include <gtest/gtest.h>

#include "mechanism/curve.h"
#include "mechanism/replacement_steps.h"
#include "renyi/extras/custom.h"
#include "renyi/plan.h"

namespace renyi::law_test {
namespace {

using namespace mechanism;

TEST(Law, KeepsTheNumbersAsTheyWereGiven) {
  const auto gaussian = law_of<NormalShift>(Gaussian{3, 0.7});
  ASSERT_TRUE(gaussian);
  EXPECT_EQ(gaussian->stddev, 3);
  EXPECT_EQ(gaussian->shift, 0.7);
  const auto laplace = law_of<DoubleExponential>(Laplace{3, 0.7});
  ASSERT_TRUE(laplace);
  EXPECT_EQ(laplace->scale, 3);
  EXPECT_EQ(laplace->shift, 0.7);
  const auto response = law_of<CategoricalResponse>(RandomizedResponse{0.6, 5});
  ASSERT_TRUE(response);
  EXPECT_EQ(response->truth_probability, 0.6);
  EXPECT_EQ(response->categories, 5);
  EXPECT_EQ(law_of<TwoLosses>(PureDp{0.3})->epsilon, 0.3);
  EXPECT_EQ(law_of<DivergenceLine>(Zcdp{.rho = 0.2, .xi = 0.1})->xi, 0.1);
  EXPECT_EQ(law_of<SubgaussianLoss>(Cdp{.mu = 0.2, .tau = 0.1})->tau, 0.1);
}

TEST(Law, OfASampledGaussianIsNormalOnlyWithoutSampling) {
  const auto sampled = law_of<SampledNormal>(SampledGaussian{0.25, 2});
  ASSERT_TRUE(sampled);
  EXPECT_EQ(sampled->rate, 0.25);
  EXPECT_EQ(sampled->noise_multiplier, 2);
  EXPECT_EQ(law_of<NormalShift>(SampledGaussian{1, 2})->mu(), 0.5);
  EXPECT_TRUE((Mechanism(SampledGaussian{0, 2}).curve()->law().is<OnlyMoments>()));
}

TEST(Law, SaysNothingWhereNothingIsKnownBeyondTheCurve) {
  const auto composed = compose({{Gaussian{1}, 2}, {Laplace{1}, 1}});
  EXPECT_TRUE(composed->law().is<OnlyMoments>());
  EXPECT_TRUE(custom_curve("own", [](double) { return 1.0; }).curve()->law().is<OnlyMoments>());
  EXPECT_TRUE((Mechanism(Tcdp{0.1, 10}).curve()->law().is<OnlyMoments>()));
}

TEST(Law, OfAtomsIsTheCurveItself) {
  const auto pair = custom_pair("own", DistributionPair::bernoulli(0.25, 0.5)).curve();
  const Law law = pair->law();
  ASSERT_TRUE(law.is<AtomicLoss>());
  EXPECT_EQ(law.get_if<AtomicLoss>()->lattice, nullptr);
  EXPECT_EQ(law.get_if<AtomicLoss>()->curve->atoms(Direction::remove).size(), 2u);
  EXPECT_EQ(atomic_curve_of(pair).get(), law.get_if<AtomicLoss>()->curve);
  const auto noise = make_mechanism("discrete-gaussian", {{"stddev", 2}, {"sensitivity", 1}}).curve();
  EXPECT_NE(noise->law().get_if<AtomicLoss>()->lattice, nullptr);
}

TEST(Law, ResponsesOfTwoLossesAreBinary) {
  EXPECT_TRUE(is_binary(Mechanism(PureDp{1}).curve()->law()));
  EXPECT_TRUE(is_binary(Mechanism(RandomizedResponse{0.75, 2}).curve()->law()));
  EXPECT_FALSE(is_binary(Mechanism(RandomizedResponse{0.75, 3}).curve()->law()));
  EXPECT_FALSE(is_binary(Mechanism(Laplace{1}).curve()->law()));
}

TEST(Steps, AreWhatTheyAreNamedAfterWithinTheirRange) {
  EXPECT_EQ(pure_step(0.5), Mechanism(PureDp{0.5}));
  EXPECT_EQ(pure_curve(1e60), nullptr);
  EXPECT_EQ(pure_curve(0.5)->worst_max_loss().value, 0.5);
  EXPECT_EQ(gaussian_dp_step(0.5), Mechanism(Gdp{0.5}));
  EXPECT_FALSE(gaussian_dp_step(1e30));
  EXPECT_EQ(sampled_gaussian_step(0.1, 2), Mechanism(SampledGaussian{0.1, 2}));
  EXPECT_FALSE(sampled_gaussian_step(0.1, 1e-3));
  EXPECT_EQ(bounded_divergence_step(0.5).curve()->worst_max_loss().value, 0.5);
}

TEST(Mechanisms, ThatAreSampledAlreadySayAsWhat) {
  const auto said = Mechanism(SampledGaussian{0.1, 2}).as_sampled_mechanism();
  ASSERT_TRUE(said);
  EXPECT_EQ(said->unsampled(), Mechanism(Gaussian{2, 1}));
  EXPECT_EQ(*said->sampling(), Sampling::poisson(0.1));
  EXPECT_FALSE(Mechanism(Gaussian{2, 1}).as_sampled_mechanism());
}

}  // namespace
}  // namespace renyi::law_test
