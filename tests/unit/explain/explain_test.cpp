#include "renyi/explain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "renyi/error.h"
#include "support/expect.h"

namespace renyi {
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
  EXPECT_EQ(all.approximate->epsilon, renyi_epsilon(plan, 1e-4).epsilon);
  EXPECT_EQ(all.outcomes[0].approximate->lower, outcome_by_dp(all.approximate->epsilon, 1e-4, 0.2).lower);
  EXPECT_EQ(all.bayes_tails[0].bound.delta, bayes_tail(*curve, 2).delta);
  EXPECT_NEAR(all.largest_bayes_factor, std::exp(1.5), 1e-13);
  EXPECT_EQ(all.expected_log_bayes_factor, rdp(*curve, 1).upper());
  EXPECT_FALSE(all.group);
}

TEST(Explain, AnUnboundedLossHasNoPureColumn) {
  const Explanation all = explain(Plan().add(Gaussian{}));
  EXPECT_EQ(all.pure_epsilon, test::infinity);
  EXPECT_EQ(all.largest_bayes_factor, test::infinity);
  EXPECT_FALSE(all.outcomes[0].pure);
  EXPECT_FALSE(all.outcomes[0].approximate);
}

TEST(Explain, GroupSizesAreRoundedUpToPowersOfTwo) {
  const auto doublings = [](std::int64_t size) {
    return explain(Plan().add(Gaussian{}), {.group_size = size}).group->doublings;
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
  EXPECT_NEAR(group.scaled->epsilon, renyi_epsilon(Plan().add(Gaussian{10, 4}), 1e-6).epsilon, 1e-12);
  EXPECT_LT(group.scaled->epsilon, group.approximate->epsilon);
}

}  // namespace
}  // namespace renyi
