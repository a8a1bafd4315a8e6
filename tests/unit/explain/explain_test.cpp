#include "renyi/explain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "explain/promises.h"
#include "renyi/error.h"
#include "renyi/extras/group_privacy.h"
#include "renyi/papers/bad_outcomes.h"
#include "support/expect.h"

namespace renyi::explain_explain_test {
namespace {

TEST(Explain, PutsTogetherWhatTheFunctionsSay) {
  const Plan plan = Plan().add(Laplace{.scale = 2}, 3);
  const auto curve = compose(plan);
  const Explanation all = explain(plan, {.baselines = {0.2}, .orders = {3, 1}, .factors = {2}, .delta = 1e-4});
  ASSERT_EQ(all.orders.size(), 2U);
  EXPECT_EQ(all.orders[0].epsilon, rdp(*curve, 3).upper());
  EXPECT_EQ(all.orders[0].bayes_moment, bayes_moment(*curve, 3));
  ASSERT_EQ(all.outcomes.size(), 1U);
  EXPECT_EQ(all.outcomes[0].best.upper.probability, best_outcome(*curve, 0.2).upper.probability);
  EXPECT_EQ(all.outcomes[0].at_orders[0].upper, outcome_at_order(3, all.orders[0].epsilon, 0.2).upper);
  EXPECT_EQ(all.outcomes[0].pure->upper, outcome_by_dp(curve->worst_max_loss().upper(), 0, 0.2).upper);
  const Cost epsilon = renyi::epsilon(plan, 1e-4);
  EXPECT_EQ(all.approximate->renyi->upper, epsilon.renyi->upper);
  EXPECT_EQ(all.approximate->upper(), epsilon.exact->worst.upper);
  EXPECT_EQ(all.outcomes[0].approximate->lower, outcome_by_dp(epsilon.upper(), 1e-4, 0.2).lower);
  EXPECT_EQ(all.bayes_tails[0].bound.upper, bayes_tail(*curve, 2).upper);
  EXPECT_NEAR(all.largest_bayes_factor, std::exp(1.5), 1e-13);
  EXPECT_EQ(all.expected_log_bayes_factor, rdp(*curve, 1).upper());
  EXPECT_FALSE(all.group);
}

TEST(Explain, AnUnboundedLossHasNoPureColumn) {
  const Explanation all = explain(Plan().add(Gaussian{1}));
  EXPECT_EQ(all.pure_epsilon, test::infinity);
  EXPECT_EQ(all.largest_bayes_factor, test::infinity);
  EXPECT_FALSE(all.outcomes[0].pure);
  EXPECT_FALSE(all.outcomes[0].approximate);
}

TEST(Explain, GroupSizesAreRoundedUpToPowersOfTwo) {
  const auto doublings = [](std::int64_t size) {
    return explain(Plan().add(Gaussian{1}), {.group_size = size}).group->doublings;
  };
  EXPECT_EQ(doublings(2), 1);
  EXPECT_EQ(doublings(3), 2);
  EXPECT_EQ(doublings(4), 2);
  EXPECT_EQ(doublings(5), 3);
  EXPECT_EQ(doublings(std::int64_t{1} << most_doublings), most_doublings);
  EXPECT_THROW(doublings(1), InvalidArgument);
  EXPECT_THROW(doublings((std::int64_t{1} << most_doublings) + 1), InvalidArgument);
}

TEST(Explain, ScalingAGaussianIsTighterThanTheGeneralRule) {
  const Explanation all =
      explain(Plan().add(Gaussian{.stddev = 10}), {.orders = {1.5, 4}, .delta = 1e-6, .group_size = 4});
  const GroupPromise& group = *all.group;
  EXPECT_EQ(group.orders[0].from_order, 8);
  EXPECT_EQ(group.orders[1].from_order, 16);
  EXPECT_NEAR(group.orders[1].epsilon, 9 * 16 * 0.005, 1e-12);
  ASSERT_TRUE(group.scaled);
  const Cost scaled = renyi::epsilon(Plan().add(Gaussian{10, 4}), 1e-6);
  EXPECT_NEAR(group.scaled->renyi->upper, scaled.renyi->upper, 1e-12);
  EXPECT_NEAR(group.scaled->upper(), scaled.exact->worst.upper, 1e-12);
  EXPECT_LT(group.scaled->renyi->upper, group.approximate->upper);
}

// For Gaussian noise the loss is normal with mean rho and variance 2 rho, in both directions.
TEST(ExactBayesTails, OfGaussianNoiseAreNormal) {
  const ExactBayesTails tails(Plan().add(Gaussian{.stddev = 2}));
  for (const double factor : {1.0, 2.0, 10.0, 1e6}) {
    const double rho = 0.125, truth = 0.5 * std::erfc((std::log(factor) - rho) / std::sqrt(4 * rho));
    const auto found = tails(factor);
    ASSERT_TRUE(found) << factor;
    EXPECT_LE(found->lower, truth * (1 + 1e-12)) << factor;
    EXPECT_GE(found->upper, truth * (1 - 1e-12)) << factor;
    EXPECT_LT(found->upper - found->lower, 1e-9 * truth) << factor;
    EXPECT_EQ(found->method, LossMethod::closed_form);
  }
}

// The direction in which it is the larger one: a sampled record is found where it is.
TEST(ExactBayesTails, AreThoseOfTheWorseDirection) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 1000);
  const auto found = ExactBayesTails(plan)(2);
  ASSERT_TRUE(found);
  const TailProbability remove = PrivacyLoss(plan, Direction::remove).at_least(std::log(2.0));
  const TailProbability add = PrivacyLoss(plan, Direction::add).at_least(std::log(2.0));
  EXPECT_GT(remove.upper, add.upper);
  EXPECT_NEAR(found->upper / remove.upper, 1, 1e-9);
}

TEST(ExactBayesTails, SayWhyThereAreNone) {
  EXPECT_EQ(ExactBayesTails(Plan().add(PureDp{.epsilon = 1})).obstacle(), "the law of the loss is not known");
  const ExactBayesTails infinite(Plan().add(make_mechanism("non-private", {})));
  EXPECT_FALSE(infinite(2));
  EXPECT_FALSE(infinite.obstacle().empty());
}

constexpr double infinity = std::numeric_limits<double>::infinity();

// K = rho z (z+1): the exponent under P is a-1, so order 2 gives exp(2 rho).
TEST(BayesMoment, IsTheExponentialOfTheCurve) {
  const auto curve = Mechanism(Gaussian{.stddev = 2}).curve();
  EXPECT_GE(bayes_moment(*curve, 2), std::exp(0.25));
  EXPECT_NEAR(bayes_moment(*curve, 2), std::exp(0.25), 1e-14);
  EXPECT_EQ(bayes_moment(*curve, 1), 1);
  EXPECT_EQ(bayes_moment(*curve, 1e6), infinity);
  EXPECT_EQ(bayes_moment(*curve, infinity), infinity);
  EXPECT_EQ(bayes_moment(*compose(Plan()), infinity), 1);
}

// Best order of (e^(rho a)/b)^(a-1): exp(-(ln b - rho)^2 / (4 rho)); the exact value is a normal tail.
TEST(BayesTail, GaussianHasAClosedForm) {
  const double rho = 1.0 / 32;
  const auto curve = Mechanism(Gaussian{.stddev = 4}).curve();
  for (const double b : {1.5, 2.0, 10.0, 100.0}) {
    const RenyiBound tail = bayes_tail(*curve, b);
    EXPECT_NEAR(std::log(tail.upper), -std::pow(std::log(b) - rho, 2) / (4 * rho), 1e-9);
    EXPECT_GT(tail.upper, 0.5 * std::erfc((std::log(b) - rho) / (2 * std::sqrt(rho))));
    EXPECT_EQ(tail.conversion, Conversion::classical);
  }
}

TEST(BayesTail, AboveTheLargestFactorNothingHappens) {
  EXPECT_EQ(bayes_tail(*Mechanism(PureDp{.epsilon = 1}).curve(), 3).upper, 0);
  EXPECT_GT(bayes_tail(*Mechanism(PureDp{.epsilon = 1}).curve(), 2.7).upper, 0.7);
  EXPECT_EQ(bayes_tail(*Mechanism(PureDp{.epsilon = 1}).curve(), 1).upper, 1);
}

TEST(BayesTail, RefusesFactorsBelowOne) {
  for (const double factor : {0.5, 0.0, -1.0, infinity, std::nan("")}) {
    EXPECT_THROW(bayes_tail(*Mechanism(Gaussian{1}).curve(), factor), InvalidArgument) << factor;
  }
}

// Every digit as published, rounded to nearest.
TEST(ReferenceTable, HasThePublishedDigits) {
  const std::vector<std::string> expected{"0.00044 0.94751", "0.419 0.586",       "0.449 0.556",
                                          "9.05e-34 0.5385", "0.00042 0.00218",   "0.00084 0.00118",
                                          "9.05e-67 0.2874", "1.95e-07 4.36e-06", "7.87e-07 1.27e-06"};
  const std::vector<std::string> formats{"{:.5f} {:.5f}", "{:.3f} {:.3f}", "{:.3f} {:.3f}",
                                         "{:.2e} {:.4f}", "{:.5f} {:.5f}", "{:.5f} {:.5f}",
                                         "{:.2e} {:.4f}", "{:.2e} {:.2e}", "{:.2e} {:.2e}"};
  const auto rows = reference_table();
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(fmt::format(fmt::runtime(formats[i]), rows[i].range.lower, rows[i].range.upper), expected[i]);
  }
}

TEST(StandingProperties, NameTheirSource) {
  ASSERT_EQ(standing_properties().size(), 2U);
  for (const Property& property : standing_properties()) {
    EXPECT_FALSE(property.statement.empty());
    EXPECT_NE(property.source.find("20"), std::string_view::npos);
  }
}

// The tails of a pair that only dominates the steps are no bounds on theirs.
TEST(Explain, TailsOfAHiddenBatchAreBoundsAlone) {
  const Mechanism hidden = Mechanism(RandomizedResponse{0.75}).sampled_by(Sampling::shuffled(10));
  const Explanation all = explain(Plan(Neighbors::zero_out).add(hidden), {.factors = {2}});
  EXPECT_EQ(all.standing, Standing::dominated);
  EXPECT_FALSE(all.bayes_tails.at(0).exact);
  EXPECT_EQ(all.bayes_tails.at(0).exact_obstacle, "the law of the loss is not known");
  EXPECT_EQ(all.bayes_tails.at(0).upper(), all.bayes_tails.at(0).bound.upper);
}

}  // namespace
}  // namespace renyi::explain_explain_test
