#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "renyi/error.h"
#include "renyi/extras/relate.h"
#include "renyi/rdp.h"

namespace renyi::notions_test {
namespace {

void expect_smallest(const Interval& found, double truth, double accuracy) {
  EXPECT_GE(found.upper, truth * (1 - 1e-12));  // the truth is rounded too
  EXPECT_LE(found.upper, truth * (1 + accuracy));
  EXPECT_LE(found.lower, truth * (1 + 1e-12));
  EXPECT_GE(found.lower, truth * (1 - accuracy));
}

Interval rho_of(const Plan& plan) { return to_zcdp(plan).found.value().rho; }

TEST(Zcdp, GaussianIsOneOverTwiceTheVariance) {
  expect_smallest(rho_of(Plan().add(Gaussian{2}, 10)), 10.0 / 8, 1e-14);
  expect_smallest(rho_of(Plan().add(Gaussian{2}).add(Gaussian{5, 3}, 7)), 0.125 + 7 * 0.18, 1e-14);
}

// D_a / a falls with the order for both, so that order 1 decides.
TEST(Zcdp, LaplaceAndRandomizedResponseAreDecidedAtOrderOne) {
  for (const double e : {1e-3, 0.1, 1.0, 5.0, 50.0}) {
    SCOPED_TRACE(e);
    const auto laplace = static_cast<double>(e + std::expm1(-static_cast<long double>(e)));
    expect_smallest(rho_of(Plan().add(Laplace{1 / e})), laplace, 1e-6);
    expect_smallest(rho_of(Plan().add(PureDp{e})), e * std::tanh(e / 2), 1e-6);
    const double p = 1 / (1 + std::exp(e));
    expect_smallest(rho_of(Plan().add(RandomizedResponse{p})), e * std::tanh(e / 2), 1e-6);
  }
}

TEST(Zcdp, PureDpBeatsThePublishedHalfOfItsSquare) {
  for (const double e : {1e-2, 0.5, 2.0, 20.0}) EXPECT_LT(rho_of(Plan().add(PureDp{e})).upper, e * e / 2);
}

TEST(Zcdp, ASampledGaussianCostsWhatItDoesWithoutSampling) {
  const auto found = to_zcdp(Plan().add(SampledGaussian{0.01, 1.1}, 10000));
  expect_smallest(found.found.value().rho, 10000 / (2 * 1.21), 1e-12);
  EXPECT_NE(found.note.find("keeps nothing of the gain from sampling"), std::string::npos);
  EXPECT_EQ(to_zcdp(Plan().add(SampledGaussian{1, 1.1})).note, "");
  EXPECT_EQ(rho_of(Plan().add(SampledGaussian{0, 1.1})).upper, 0);
}

TEST(Zcdp, XiBesideRho) {
  const Plan laplace = Plan().add(Laplace{2});
  EXPECT_EQ(to_zcdp(laplace, 1).found.value().xi.upper, 0);
  expect_smallest(to_zcdp(laplace, 0).found.value().xi, 0.5, 1e-9);  // D_inf
  // Any rho up to the smallest: D_a - rho a touches xi somewhere and is above it nowhere.
  for (const double rho : {0.02, 0.05, 0.09, 0.1}) {
    const auto found = to_zcdp(laplace, rho).found.value();
    EXPECT_EQ(found.rho.upper, rho);
    double most = 0;
    for (double a = 1; a < 1e4; a *= 1.0001) most = std::max(most, rdp(*compose(laplace), a).value - rho * a);
    EXPECT_GE(found.xi.upper, most * (1 - 1e-12)) << rho;
    EXPECT_LE(found.xi.upper, most * (1 + 1e-6)) << rho;
  }
}

TEST(Zcdp, XiBesideRhoWithAGaussianToo) {
  const Plan plan = Plan().add(Gaussian{2}).add(Laplace{2});
  const auto alone = to_zcdp(Plan().add(Laplace{2}), 0.05).found.value();
  const auto both = to_zcdp(plan, 0.175).found.value();
  EXPECT_NEAR(both.xi.upper, alone.xi.upper, 1e-9);
  EXPECT_LE(both.xi.lower, both.xi.upper);
  // The limit itself, which rounding must not turn into "none".
  EXPECT_NEAR(to_zcdp(plan, 0.125).found.value().xi.upper, 0.5, 1e-9);
}

TEST(Zcdp, NoneBelowTheLimitOfDivergenceOverOrder) {
  for (const Plan& plan :
       {Plan().add(Gaussian{2}), Plan().add(SampledGaussian{0.1, 2}), Plan().add(Gaussian{2}).add(Laplace{1})}) {
    const auto found = to_zcdp(plan, 0.124);
    EXPECT_FALSE(found.found);
    EXPECT_NE(found.none.find("D_a / a tends to 0.125"), std::string::npos) << found.none;
  }
}

TEST(Zcdp, NoneWhereOrdersEnd) {
  for (const Mechanism& m : {Mechanism(Tcdp{0.1, 10}), Mechanism(Moments{8, 1})}) {
    const auto found = to_zcdp(Plan().add(Gaussian{2}).add(m));
    EXPECT_FALSE(found.found);
    EXPECT_NE(found.none.find("orders above"), std::string::npos);
  }
  // Nothing is revealed, so there is nothing to know.
  EXPECT_EQ(rho_of(Plan().add(Tcdp{0, 10})).upper, 0);
}

TEST(Zcdp, ComposesByAddition) {
  const Plan plan = Plan().add(Zcdp{0.1}, 3).add(Zcdp{0.25});
  expect_smallest(rho_of(plan), 0.55, 1e-14);
  const auto with_xi = to_zcdp(Plan().add(Zcdp{0.1, 0.5}, 2).add(Zcdp{0.25, 0.125}), 0.45);
  expect_smallest(with_xi.found.value().xi, 1.125, 1e-9);
}

TEST(Zcdp, RefusesABadRho) {
  for (const double rho : {-1.0, std::nan(""), HUGE_VAL}) EXPECT_THROW(to_zcdp(Plan(), rho), InvalidArgument);
}

double rho_up_to(const Plan& plan, double omega) { return to_tcdp(plan, omega).found.value().rho.upper; }

TEST(Tcdp, SamplingPaysUpToSomeOrder) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 10000);
  EXPECT_LT(rho_up_to(plan, 8), 1);
  EXPECT_GT(rho_up_to(plan, 32), 1000);
  EXPECT_LT(rho_up_to(plan, 1e6), to_zcdp(plan).found.value().rho.upper);
}

// The supremum over (1, omega] is above no smaller one, and D_a / a reaches it.
TEST(Tcdp, IsTheSupremumUpToOmega) {
  const Plan plan = Plan().add(SampledGaussian{0.2, 0.9}, 30).add(Laplace{0.7}, 2);
  double most = 0, a = 1;
  for (const double omega : {1.01, 1.5, 2.0, 5.0, 20.0, 200.0}) {
    for (; a < omega; a += (a - 1) * 1e-3 + 1e-5) most = std::max(most, rdp(*compose(plan), a).value / a);
    most = std::max(most, rdp(*compose(plan), omega).value / omega);
    EXPECT_GE(rho_up_to(plan, omega), most * (1 - 1e-12)) << omega;
    EXPECT_LE(rho_up_to(plan, omega), most * (1 + 1e-5)) << omega;
  }
}

TEST(Tcdp, ComposesWithTheSmallerOmega) {
  const Plan plan = Plan().add(Tcdp{0.1, 10}, 2).add(Tcdp{0.3, 5});
  EXPECT_NEAR(rho_up_to(plan, 5), 0.5, 1e-9);
  EXPECT_GE(rho_up_to(plan, 5), 0.5);
  const auto beyond = to_tcdp(plan, 5.001);
  EXPECT_FALSE(beyond.found);
  EXPECT_NE(beyond.none.find("orders above 5"), std::string::npos) << beyond.none;
}

TEST(Tcdp, RefusesABadOmega) {
  for (const double omega : {1.0, 0.5, -2.0, 2e100, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(to_tcdp(Plan(), omega), InvalidArgument);
  }
}

}  // namespace
}  // namespace renyi::notions_test
