#include <gtest/gtest.h>

#include <cmath>

#include "renyi/extras/relate.h"
#include "renyi/rdp.h"

namespace renyi::gdp_test {
namespace {

GdpParameters gdp_of(const Plan& plan) { return to_gdp(plan).found.value(); }

double phi(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

double delta_of(double mu, double epsilon) {
  return phi(mu / 2 - epsilon / mu) - std::exp(epsilon) * phi(-mu / 2 - epsilon / mu);
}

double epsilon_of(double mu, double delta) {
  double low = 0, high = 1e3;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (delta_of(mu, middle) > delta ? low : high) = middle;
  }
  return high;
}

void expect_exactly(const Interval& found, double truth) {
  EXPECT_GE(found.upper, truth * (1 - 1e-15));
  EXPECT_LE(found.upper, truth * (1 + 1e-12));
  EXPECT_LE(found.lower, truth * (1 + 1e-15));
  EXPECT_GE(found.lower, truth * (1 - 1e-12));
}

TEST(Gdp, GaussiansAddTheirSquares) {
  expect_exactly(gdp_of(Plan().add(Gaussian{2}, 9)).mu, 1.5);
  expect_exactly(gdp_of(Plan().add(Gaussian{1}).add(Gdp{2}, 2).add(SampledGaussian{1, 0.5})).mu,
                 std::sqrt(1.0 + 8 + 4));
}

TEST(Gdp, ASampledGaussianIsTheUnsampledOneAndNothingLess) {
  const auto found = gdp_of(Plan().add(SampledGaussian{0.01, 1.1}, 10000));
  expect_exactly(found.mu, 100 / 1.1);
}

// At epsilon = 0 both have delta = (e^eps - 1)/(e^eps + 1); everywhere else the Gaussian has more.
TEST(Gdp, RandomizedResponseTouchesTheGaussianAtItsKink) {
  for (const double e : {1e-6, 0.1, 0.999, 1.001, 5.0, 30.0}) {
    SCOPED_TRACE(e);
    const auto found = gdp_of(Plan().add(PureDp{e}));
    EXPECT_LE(found.mu.upper, found.mu.lower * (1 + 1e-12));
    const double variation = std::tanh(e / 2);
    EXPECT_NEAR(std::erf(found.mu.upper / std::sqrt(8.0)) / variation, 1, 1e-12);  // 2 Phi(mu/2) - 1
    for (const double share : {0.01, 0.2, 0.5, 0.9}) {
      const double epsilon = share * e;
      const double of_response = (std::exp(e) - std::exp(epsilon)) / (1 + std::exp(e));
      EXPECT_GE(delta_of(found.mu.upper, epsilon), of_response * (1 - 1e-12) - 1e-16) << share;
    }
  }
}

TEST(Gdp, LargeEpsilonsJoin) {
  const double below = gdp_of(Plan().add(PureDp{699.999})).mu.upper, above = gdp_of(Plan().add(PureDp{700})).mu.upper;
  EXPECT_LT(below, above);
  EXPECT_LT(above, below * 1.01);
  EXPECT_LT(gdp_of(Plan().add(PureDp{1e50})).mu.upper, 3e25);
}

TEST(Gdp, TheIntervalHoldsWhatZcdpAllows) {
  const Plan plan = Plan().add(Laplace{2}, 5).add(SampledGaussian{0.1, 3}, 10);
  const auto found = gdp_of(plan);
  EXPECT_NEAR(found.mu.lower * found.mu.lower / 2, to_zcdp(plan).found.value().rho.lower, 1e-9);
  EXPECT_GT(found.mu.upper, found.mu.lower);
  const auto step = Mechanism(Gdp{found.mu.upper}).curve();
  for (double a = 1; a < 1e5; a *= 1.3) EXPECT_LE(rdp(*compose(plan), a).lower(), rdp(*step, a).upper()) << a;
}

// The published example of how far off the central limit is: the exact epsilon is 5.1926.
TEST(Gdp, TheCentralLimitIsAnEstimate) {
  const auto found = gdp_of(Plan().add(SampledGaussian{0.01, 1.1}, 10000));
  const double mu = found.mu_estimate.value();
  EXPECT_NEAR(mu, 0.01 * std::sqrt(10000 * std::expm1(1 / 1.21)), 1e-14);
  EXPECT_NEAR(epsilon_of(mu, 1e-5), 5.0647, 5e-5);
  EXPECT_LT(mu, found.mu.lower);
  EXPECT_FALSE(gdp_of(Plan().add(Gaussian{2})).mu_estimate);
  EXPECT_FALSE(gdp_of(Plan().add(SampledGaussian{0.01, 1.1}).add(Laplace{1})).mu_estimate);
  EXPECT_FALSE(gdp_of(Plan().add(SampledGaussian{0.5, 0.01})).mu_estimate);  // overflows
  EXPECT_NEAR(gdp_of(Plan().add(SampledGaussian{0.01, 1.1}, 10000).add(Gaussian{2})).mu_estimate.value(),
              std::hypot(mu, 0.5), 1e-12);
}

TEST(Gdp, NoneWhereCurvesEndOrNoTheoremServes) {
  EXPECT_NE(to_gdp(Plan().add(Tcdp{0.1, 10})).none.find("orders above 10"), std::string::npos);
  EXPECT_NE(to_gdp(Plan().add(Moments{8, 1})).none.find("orders above 9"), std::string::npos);
  EXPECT_NE(to_gdp(Plan().add(Zcdp{0.1})).none.find("none is known"), std::string::npos);
  EXPECT_NE(to_gdp(Plan().add(Cdp{0.1, 1})).none.find("none is known"), std::string::npos);
  // D_a <= xi at every order is a bound on the loss.
  const auto bounded = gdp_of(Plan().add(Zcdp{0, 0.5}));
  EXPECT_NEAR(bounded.mu.upper, gdp_of(Plan().add(PureDp{0.5})).mu.upper, 1e-12);
  EXPECT_NEAR(bounded.mu.lower, std::sqrt(2 * 0.5 * std::tanh(0.25)), 1e-6);
}

}  // namespace
}  // namespace renyi::gdp_test
