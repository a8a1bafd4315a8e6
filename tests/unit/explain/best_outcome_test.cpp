#include <gtest/gtest.h>

#include <cmath>

#include "renyi/explain.h"

namespace renyi {
namespace {

double normal_above(double t) { return 0.5 * std::erfc(t / std::sqrt(2.0)); }

// With D_a = rho a the best orders are known: p exp(2 sqrt(rho l) - rho) at a = sqrt(l/rho)
// from above, p exp(-rho - 2 sqrt(rho l)) one order higher from below, l = ln(1/p).
TEST(BestOutcome, GaussianHasAClosedForm) {
  const double rho = 1.0 / 32, p = 1e-3, l = -std::log(p);
  const OutcomeRange range = best_outcome(*Gaussian{.stddev = 4}.curve(), p);
  EXPECT_NEAR(range.upper.probability / (p * std::exp(2 * std::sqrt(rho * l) - rho)), 1, 1e-12);
  EXPECT_NEAR(range.upper.order, std::sqrt(l / rho), 1e-3);
  EXPECT_NEAR(range.lower.probability / (p * std::exp(-rho - 2 * std::sqrt(rho * l))), 1, 1e-12);
  EXPECT_NEAR(range.lower.order, 1 + std::sqrt(l / rho), 1e-3);
  EXPECT_FALSE(range.upper.by_complement);
  EXPECT_FALSE(range.lower.by_complement);
}

TEST(BestOutcome, NearOneHalfTheComplementIsTighter) {
  const OutcomeRange range = best_outcome(*Gaussian{.stddev = 4}.curve(), 0.5);
  EXPECT_TRUE(range.upper.by_complement);
  EXPECT_NEAR(range.upper.probability, 1 - range.lower.probability, 1e-14);
  EXPECT_LT(range.upper.probability, 0.64);
}

// The events {x > t} of a Gaussian and its shift, which are the extreme ones.
TEST(BestOutcome, HoldsForHalfLinesOfGaussiansAndLaplacians) {
  for (const double s : {0.5, 1.0, 4.0, 50.0}) {
    const auto gaussian = Gaussian{.stddev = s}.curve();
    for (double t = -6; t < 6; t += 0.25) {
      const OutcomeRange range = best_outcome(*gaussian, normal_above(t));
      EXPECT_GE(range.upper.probability * (1 + 1e-13), normal_above(t - 1 / s)) << s << ' ' << t;
      EXPECT_LE(range.lower.probability * (1 - 1e-13), normal_above(t + 1 / s)) << s << ' ' << t;
    }
  }
}

TEST(BestOutcome, ABoundedLossIsUsedAtOrderInfinity) {
  const OutcomeRange range = best_outcome(*PureDp{.epsilon = 0.1}.curve(), 1e-6);
  EXPECT_NEAR(range.upper.probability, std::exp(0.1) * 1e-6, 1e-17);
  EXPECT_TRUE(std::isinf(range.upper.order));
  EXPECT_TRUE(std::isinf(range.lower.order));
}

TEST(BestOutcome, NothingRunChangesNothing) {
  for (const double p : {1e-300, 0.25, 0.999}) {
    const OutcomeRange range = best_outcome(*compose(Plan()), p);
    EXPECT_LE(range.lower.probability, p);
    EXPECT_GE(range.upper.probability, p);
    EXPECT_NEAR(range.lower.probability / range.upper.probability, 1, 1e-12);
  }
}

TEST(BestOutcome, WithoutPrivacyNothingIsPromised) {
  const OutcomeRange range = best_outcome(*Gaussian{.stddev = 1e-50}.curve(), 0.1);
  EXPECT_LE(range.lower.probability, 1e-300);
  EXPECT_EQ(range.upper.probability, 1);
}

}  // namespace
}  // namespace renyi
