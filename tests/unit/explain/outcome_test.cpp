#include <gtest/gtest.h>

#include <array>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>

#include "explain/promises.h"
#include "renyi/error.h"
#include "renyi/explain.h"
#include "renyi/papers/bad_outcomes.h"

namespace renyi::outcome_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// (10, 0.1)-RDP and probability 0.001, in 30 digits by the formulas
// e^(-0.1) 0.001^(10/9) and (e^0.1 0.001)^(9/10).
TEST(OutcomeAtOrder, EndsAreRoundedOutwardsAndTight) {
  const Interval range = outcome_at_order(10, 0.1, 1e-3);
  EXPECT_LE(range.lower, 0.00041998832557907280919L);
  EXPECT_GE(range.lower, 0.00041998832557907280919L * (1 - 1e-13));
  EXPECT_GE(range.upper, 0.0021831647142850737081L);
  EXPECT_LE(range.upper, 0.0021831647142850737081L * (1 + 1e-13));
}

// The exponent of the upper end is (a-1)/a. With a/(a-1), as some notes have it, the
// "bound" would lie below the baseline itself.
TEST(OutcomeAtOrder, TheUpperExponentIsBelowOne) {
  const double p = 1e-6, epsilon = 0.1, order = 2;
  const double misprint = std::pow(std::exp(epsilon) * p, order / (order - 1));
  EXPECT_LT(misprint, p);
  EXPECT_GT(outcome_at_order(order, epsilon, p).upper, p);
  EXPECT_NEAR(outcome_at_order(order, epsilon, p).upper, std::sqrt(std::exp(0.1) * 1e-6), 1e-15);
}

TEST(OutcomeAtOrder, SmallNumbersComeOutWhole) {
  EXPECT_NEAR(outcome_at_order(1.1, 0.1, 1e-6).lower / 9.0483741803607015e-67, 1, 1e-12);
  const Interval tiny = outcome_at_order(100, 0.1, 1e-300);
  EXPECT_NEAR(std::log(tiny.upper), 0.99 * (0.1 + std::log(1e-300)), 1e-9);
  EXPECT_NEAR(std::log(tiny.lower), -0.1 + std::log(1e-300) / 0.99, 1e-9);
}

TEST(OutcomeAtOrder, OrderInfinityIsPure) {
  const Interval range = outcome_at_order(infinity, 0.5, 0.01);
  EXPECT_NEAR(range.lower, std::exp(-0.5) * 0.01, 1e-15);
  EXPECT_NEAR(range.upper, std::exp(0.5) * 0.01, 1e-15);
  EXPECT_EQ(outcome_at_order(infinity, 5, 0.5).upper, 1);
}

TEST(OutcomeAtOrder, WhatSaysNothingIsTheWholeRange) {
  for (const auto& [order, epsilon] : {std::pair{1.0, 0.1}, {2.0, infinity}, {infinity, infinity}, {1e100, 1e200}}) {
    const Interval range = outcome_at_order(order, epsilon, 0.3);
    EXPECT_EQ(range.lower, 0);
    EXPECT_EQ(range.upper, 1);
  }
}

TEST(OutcomeAtOrder, RefusesWhatIsNoGuaranteeOrNoBaseline) {
  for (const double baseline : {0.0, 1.0, -0.1, 1.1, std::nan("")}) {
    EXPECT_THROW(outcome_at_order(2, 0.1, baseline), InvalidArgument) << baseline;
    EXPECT_THROW(outcome_by_dp(0.1, 0, baseline), InvalidArgument) << baseline;
  }
  EXPECT_THROW(outcome_at_order(0.9, 0.1, 0.5), InvalidArgument);
  EXPECT_THROW(outcome_at_order(2, -0.1, 0.5), InvalidArgument);
  EXPECT_THROW(outcome_at_order(2, std::nan(""), 0.5), InvalidArgument);
}

double normal_above(double t) { return 0.5 * std::erfc(t / std::sqrt(2.0)); }

// With D_a = rho a the best orders are known: p exp(2 sqrt(rho l) - rho) at a = sqrt(l/rho)
// from above, p exp(-rho - 2 sqrt(rho l)) one order higher from below, l = ln(1/p).
TEST(BestOutcome, GaussianHasAClosedForm) {
  const double rho = 1.0 / 32, p = 1e-3, l = -std::log(p);
  const OutcomeRange range = best_outcome(*Mechanism(Gaussian{.stddev = 4}).curve(), p);
  EXPECT_NEAR(range.upper.probability / (p * std::exp(2 * std::sqrt(rho * l) - rho)), 1, 1e-12);
  EXPECT_NEAR(range.upper.order, std::sqrt(l / rho), 1e-3);
  EXPECT_NEAR(range.lower.probability / (p * std::exp(-rho - 2 * std::sqrt(rho * l))), 1, 1e-12);
  EXPECT_NEAR(range.lower.order, 1 + std::sqrt(l / rho), 1e-3);
  EXPECT_FALSE(range.upper.by_complement);
  EXPECT_FALSE(range.lower.by_complement);
}

TEST(BestOutcome, NearOneHalfTheComplementIsTighter) {
  const OutcomeRange range = best_outcome(*Mechanism(Gaussian{.stddev = 4}).curve(), 0.5);
  EXPECT_TRUE(range.upper.by_complement);
  EXPECT_NEAR(range.upper.probability, 1 - range.lower.probability, 1e-14);
  EXPECT_LT(range.upper.probability, 0.64);
}

// The events {x > t} of a Gaussian and its shift, which are the extreme ones.
TEST(BestOutcome, HoldsForHalfLinesOfGaussiansAndLaplacians) {
  for (const double s : {0.5, 1.0, 4.0, 50.0}) {
    const auto gaussian = Mechanism(Gaussian{.stddev = s}).curve();
    for (double t = -6; t < 6; t += 0.25) {
      const OutcomeRange range = best_outcome(*gaussian, normal_above(t));
      EXPECT_GE(range.upper.probability * (1 + 1e-13), normal_above(t - 1 / s)) << s << ' ' << t;
      EXPECT_LE(range.lower.probability * (1 - 1e-13), normal_above(t + 1 / s)) << s << ' ' << t;
    }
  }
}

TEST(BestOutcome, ABoundedLossIsUsedAtOrderInfinity) {
  const OutcomeRange range = best_outcome(*Mechanism(PureDp{.epsilon = 0.1}).curve(), 1e-6);
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
  const OutcomeRange range = best_outcome(*Mechanism(Gaussian{.stddev = 1e-50}).curve(), 0.1);
  EXPECT_LE(range.lower.probability, 1e-300);
  EXPECT_EQ(range.upper.probability, 1);
}

TEST(OutcomeByDp, TakesTheBetterOfTheEventAndItsComplement) {
  const double e = 0.5, d = 0.01;
  const Interval small = outcome_by_dp(e, d, 0.1);
  EXPECT_NEAR(small.upper, std::exp(e) * 0.1 + d, 4e-15);
  EXPECT_NEAR(small.lower, std::exp(-e) * (0.1 - d), 4e-15);
  const Interval large = outcome_by_dp(e, d, 0.9);
  EXPECT_NEAR(large.upper, 1 - std::exp(-e) * (0.1 - d), 4e-15);
  EXPECT_NEAR(large.lower, 1 - std::exp(e) * 0.1 - d, 4e-15);
}

TEST(OutcomeByDp, DeltaZeroIsPure) {
  const Interval range = outcome_by_dp(0.1, 0, 1e-300);
  EXPECT_NEAR(range.upper / (std::exp(0.1) * 1e-300), 1, 1e-14);
  EXPECT_NEAR(range.lower / (std::exp(-0.1) * 1e-300), 1, 1e-14);
}

TEST(OutcomeByDp, EndsAreRoundedOutwards) {
  for (const double p : {1e-300, 1e-9, 0.3, 0.5, 1 - 0x1p-53}) {
    const Interval none = outcome_by_dp(0, 0, p);
    EXPECT_LE(none.lower, p);
    EXPECT_GE(none.upper, p);
    EXPECT_NEAR(none.upper / p, 1, 1e-14);
  }
}

TEST(OutcomeByDp, BelowDeltaNothingHoldsFromBelow) { EXPECT_EQ(outcome_by_dp(1, 1e-5, 1e-6).lower, 0); }

TEST(OutcomeByDp, NoPromiseIsTheWholeRange) {
  for (const auto& [epsilon, delta] :
       {std::pair{std::numeric_limits<double>::infinity(), 0.0}, {0.0, 1.0}, {800.0, 0.0}}) {
    const Interval range = outcome_by_dp(epsilon, delta, 0.4);
    EXPECT_LE(range.lower, 1e-300);
    EXPECT_EQ(range.upper, 1);
  }
}

TEST(OutcomeByDp, RefusesWhatIsNoGuarantee) {
  EXPECT_THROW(outcome_by_dp(-1, 0, 0.5), InvalidArgument);
  EXPECT_THROW(outcome_by_dp(1, -0.1, 0.5), InvalidArgument);
  EXPECT_THROW(outcome_by_dp(1, std::nan(""), 0.5), InvalidArgument);
}

// For Gaussian noise with multiplier s, the best test has the power Phi(Phi^-1(p) + 1/s).
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
  const Explanation all = explain(plan, {.baselines = {0.3, 1e-4}});
  for (const OutcomePromise& outcome : all.outcomes) {
    ASSERT_TRUE(outcome.exact);
    EXPECT_GT(outcome.exact->lower, outcome.best.lower.probability) << outcome.baseline;
    EXPECT_LT(outcome.exact->upper, outcome.best.upper.probability) << outcome.baseline;
    EXPECT_LE(outcome.exact->lower, outcome.baseline);
    EXPECT_GE(outcome.exact->upper, outcome.baseline);
  }
}

TEST(ExactOutcome, IsTheSameWhateverElseIsAskedFor) {
  const Plan plan = Plan().add(Laplace{.scale = 5}, 20);
  const std::array<double, 4> several{0.5, 0.1, 0.01, 1e-6};
  const auto all = exact_outcomes(plan, several);
  for (std::size_t i = 0; i < several.size(); ++i) {
    const auto alone = exact_outcomes(plan, std::span(several).subspan(i, 1));
    EXPECT_EQ(all[i].lower, alone[0].lower) << several[i];
    EXPECT_EQ(all[i].upper, alone[0].upper) << several[i];
  }
}

TEST(ExactOutcome, IsLeftOutByRequestAndSaysWhyItIsNotThere) {
  const Explanation renyi_only = explain(Plan().add(Gaussian{2}), {.delta = 1e-5, .exact = false});
  EXPECT_FALSE(renyi_only.outcomes[0].exact);
  EXPECT_FALSE(renyi_only.bayes_tails[0].exact);
  EXPECT_FALSE(renyi_only.approximate->exact);
  EXPECT_TRUE(renyi_only.exact_obstacle.empty());
  const Explanation none = explain(Plan().add(Zcdp{.rho = 1}));
  EXPECT_FALSE(none.outcomes[0].exact);
  EXPECT_FALSE(none.exact_obstacle.empty());
}

// Steps of little loss with atoms, for persons of three records: the lattice would have to be large for every delta.
TEST(ExactOutcome, ThatWouldTakeLongIsLeftToTheTradeOff) {
  Plan plan(Neighbors::add_or_remove_one, 3);
  plan.add(Mechanism(Laplace{.scale = 100}).sampled_by(Sampling::poisson(0.3)), 7);
  const Explanation all = explain(plan, {.baselines = {0.01}});
  EXPECT_FALSE(all.outcomes[0].exact);
  EXPECT_EQ(all.exact_obstacle, "it would take long: the trade-off curve has it");
  EXPECT_EQ(all.outcomes[0].range().upper, all.outcomes[0].best.upper.probability);
}

}  // namespace
}  // namespace renyi::outcome_test
