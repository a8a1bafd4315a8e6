#include <gtest/gtest.h>

#include <cmath>

#include "renyi/error.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::tree_aggregation_test {
namespace {

Mechanism tree(double noise, double rounds, double participations = 1, double separation = 1, double restart = 0) {
  return make_mechanism("tree-aggregation", {{"noise_multiplier", noise},
                                             {"rounds", rounds},
                                             {"participations", participations},
                                             {"min_separation", separation},
                                             {"restart_every", restart}});
}

void expect_costs(const Mechanism& mechanism, double squared_sensitivity_over_variance) {
  for (const double order : {1.5, 2.0, 40.0}) {
    const Bounded d = rdp(*mechanism.curve(), order);
    EXPECT_NEAR(d.value / (order * squared_sensitivity_over_variance / 2), 1, 1e-13);
    EXPECT_GE(d.upper(), order * squared_sensitivity_over_variance / 2 * (1 - 1e-16));
  }
}

TEST(TreeAggregation, CostsItsNodesAndNoMore) {
  expect_costs(tree(2, 1000), 10 / 4.0);
  expect_costs(tree(2, 1024), 11 / 4.0);
  expect_costs(tree(2, 1000, 1, 1, 100), 7 / 4.0);
  expect_costs(tree(3, 24, 8, 3), 88 / 9.0);
}

// Once an epoch with a new tree each epoch: the epochs' trees compose.
TEST(TreeAggregation, RestartedEveryEpochIsATreeEachEpoch) {
  const Mechanism whole = tree(2, 600, 6, 100, 100), epoch = tree(2, 100);
  for (const double order : {2.0, 10.0}) {
    EXPECT_NEAR(rdp(*whole.curve(), order).value, 6 * rdp(*epoch.curve(), order).value, 1e-12);
  }
}

TEST(TreeAggregation, IsAGaussianToEveryEngine) {
  Plan plan(Neighbors::zero_out);
  plan.add(tree(4, 16));
  const auto steps = analysed(tree(4, 16), plan.adjacency());
  const auto gaussian = steps.get_if<Gaussian>();
  ASSERT_TRUE(gaussian.has_value());
  EXPECT_EQ(gaussian->stddev, 4);
  EXPECT_NEAR(gaussian->l2_sensitivity, std::sqrt(5.0), 1e-15);
  EXPECT_GE(gaussian->l2_sensitivity * gaussian->l2_sensitivity, 5);
}

TEST(TreeAggregation, CannotBeSampled) {
  EXPECT_THROW(static_cast<void>(tree(1, 8).sampled_by(Sampling::poisson(0.1))), InvalidArgument);
}

TEST(TreeAggregation, PlanFilesSayItWithItsDefaults) {
  const Plan plan = read_plan(R"({"renyi":1,"neighbors":"zero-out",)"
                              R"("steps":[{"mechanism":"tree-aggregation","noise_multiplier":2,"rounds":7}]})");
  EXPECT_EQ(plan.merged().front().mechanism, tree(2, 7));
  EXPECT_THROW(tree(2, 7.5), InvalidArgument);
  EXPECT_THROW(tree(2, 0), InvalidArgument);
  EXPECT_THROW(tree(0, 7), InvalidArgument);
}

}  // namespace
}  // namespace renyi::tree_aggregation_test
