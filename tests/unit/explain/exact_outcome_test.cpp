#include <gtest/gtest.h>

#include <array>
#include <boost/math/distributions/normal.hpp>

#include "renyi/explain.h"

namespace renyi {
namespace {

// Of Gaussian noise with multiplier s the best test has the power Phi(Phi^-1(p) + 1/s).
double gaussian_power(double p, double s) {
  const boost::math::normal_distribution<double> normal;
  return cdf(normal, quantile(normal, p) + 1 / s);
}

TEST(ExactOutcome, OfGaussianNoiseIsItsTradeOff) {
  const std::array<double, 3> baselines{0.5, 0.01, 1e-6};
  const auto got = exact_outcomes(Plan().add(Gaussian{2}), baselines);
  ASSERT_EQ(got.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const double upper = gaussian_power(baselines[i], 2), lower = gaussian_power(baselines[i], -2);
    EXPECT_GE(got[i].upper, upper * (1 - 1e-12)) << baselines[i];
    EXPECT_NEAR(got[i].upper / upper, 1, 1e-5) << baselines[i];
    EXPECT_LE(got[i].lower, lower * (1 + 1e-12)) << baselines[i];
    EXPECT_NEAR(got[i].lower / lower, 1, 1e-5) << baselines[i];
  }
}

TEST(ExactOutcome, IsNeverWiderThanTheRenyiRange) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 10'000);
  const Explanation all = explain(plan, {.baselines = {0.3, 1e-4}, .exact = ExactOptions{}});
  for (const OutcomePromise& outcome : all.outcomes) {
    ASSERT_TRUE(outcome.exact);
    EXPECT_GT(outcome.exact->lower, outcome.best.lower.probability) << outcome.baseline;
    EXPECT_LT(outcome.exact->upper, outcome.best.upper.probability) << outcome.baseline;
    EXPECT_LE(outcome.exact->lower, outcome.baseline);
    EXPECT_GE(outcome.exact->upper, outcome.baseline);
  }
}

TEST(ExactOutcome, IsComputedOnlyWhenAskedForAndSaysWhyItIsNot) {
  EXPECT_FALSE(explain(Plan().add(Gaussian{2})).outcomes[0].exact);
  const Explanation none = explain(Plan().add(ZeroConcentrated{.rho = 1}), {.exact = ExactOptions{}});
  EXPECT_FALSE(none.outcomes[0].exact);
  EXPECT_FALSE(none.exact_obstacle.empty());
}

}  // namespace
}  // namespace renyi
