// How the steps of a plan share its Renyi divergence.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "conversion/renyi_bound.h"
#include "renyi/explain.h"
#include "renyi/extras/select.h"

namespace renyi::step_shares_test {
namespace {

StepShares shares_at(const Plan& plan, double delta) { return step_shares(plan, renyi_epsilon(plan, delta)); }

double sum_at_depth(const StepShares& shares, int depth) {
  double sum = 0;
  for (const StepShare& step : shares.steps) sum += step.depth == depth ? *step.share : 0;
  return sum;
}

// A Gaussian of noise s has the divergence a / (2 s^2) at order a, so shares of Gaussians do not depend on the order.
TEST(StepShares, OfGaussiansAreThoseOfTheirPrecision) {
  Plan plan;
  plan.add(Step{Mechanism(Gaussian{2}), 3, "threes", "c"}).add(Gaussian{4}, 4);
  const StepShares shares = shares_at(plan, 1e-5);
  ASSERT_EQ(shares.steps.size(), 2U);
  EXPECT_NEAR(*shares.steps[0].share, 0.75, 1e-12);
  EXPECT_NEAR(*shares.steps[1].share, 0.25, 1e-12);
  EXPECT_EQ(shares.steps[0].path, "steps[0]");
  EXPECT_EQ(shares.steps[0].name, "threes");
  EXPECT_EQ(shares.steps[0].comment, "c");
  EXPECT_EQ(shares.steps[0].mechanism, "gaussian");
  EXPECT_EQ(shares.steps[0].count, 3);
  EXPECT_EQ(shares.order, renyi_epsilon(plan, 1e-5).order);
  EXPECT_NEAR(shares.divergence.value, rdp(plan, shares.order).value, 1e-12);
  EXPECT_TRUE(shares.unavailable.empty());
}

// The whole is the divergence that the plan itself has, and the parts of every group add up to it.
TEST(StepShares, AddUpInGroupsToo) {
  const Steps inner{Step{Mechanism(Laplace{20}), 2, "a"}, Step{Mechanism(SampledGaussian{0.01, 1.1}), 100}};
  const Steps outer{Step{inner, 3, "inner"}, Step{Mechanism(Gaussian{9}), 5}};
  Plan plan;
  plan.add(Step{outer, 7, "outer"}).add(Laplace{20}, 4);
  const StepShares shares = shares_at(plan, 1e-6);
  std::vector<std::string> paths;
  for (const StepShare& step : shares.steps) paths.push_back(step.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"steps[0]", "steps[0].plan[0]", "steps[0].plan[0].plan[0]",
                                             "steps[0].plan[0].plan[1]", "steps[0].plan[1]", "steps[1]"}));
  EXPECT_EQ(shares.steps[0].mechanism, "group");
  EXPECT_NEAR(sum_at_depth(shares, 0), 1, 1e-12);
  EXPECT_NEAR(sum_at_depth(shares, 1), *shares.steps[0].share, 1e-12);
  EXPECT_NEAR(sum_at_depth(shares, 2), *shares.steps[1].share, 1e-12);
  EXPECT_NEAR(shares.divergence.value, rdp(plan, shares.order).value, 1e-10);
  // 7 * 3 * 2 runs inside the groups against 4 outside of them.
  EXPECT_NEAR(*shares.steps[2].share / *shares.steps[5].share, 42.0 / 4, 1e-10);
}

// The names do not matter, and the same mechanism may be several steps.
TEST(StepShares, EqualStepsHaveEqualShares) {
  Plan plan;
  for (const char* name : {"a", "b", "c", "d"}) plan.add(Step{Mechanism(Laplace{5}), 1, name});
  for (const StepShare& step : shares_at(plan, 1e-5).steps) EXPECT_NEAR(*step.share, 0.25, 1e-12);
}

TEST(StepShares, ParallelPartsAndSelectionsAreOneStep) {
  const Steps first{Step{Mechanism(Laplace{2})}}, second{Step{Mechanism(Gaussian{3}), 2}};
  Plan plan;
  plan.add(Parallel({first, second})).add(Parallel({second, second}), 2);
  plan.add(Select({Step{Mechanism(Gaussian{30}), 5}}, Runs::geometric(3)));
  const StepShares shares = shares_at(plan, 1e-5);
  ASSERT_EQ(shares.steps.size(), 3U);
  EXPECT_EQ(shares.steps[0].mechanism, "parallel");
  EXPECT_EQ(shares.steps[2].mechanism, "select");
  EXPECT_NEAR(sum_at_depth(shares, 0), 1, 1e-12);
  EXPECT_NEAR(shares.divergence.value, rdp(plan, shares.order).value, 1e-9 * shares.divergence.value);
  // Parts that are all the same cost what one of them costs.
  EXPECT_NEAR(shares.steps[1].divergence.value, 4 * shares.order / 18, 1e-9);
}

// One direction is divided, the one with the larger divergence of the whole.
TEST(StepShares, AreThoseOfOneDirection) {
  Plan plan;
  plan.add(SampledGaussian{0.1, 1.0}, 10).add(Gaussian{3});
  const StepShares shares = shares_at(plan, 1e-5);
  EXPECT_EQ(shares.direction, Direction::remove);
  EXPECT_NEAR(shares.steps[0].divergence.value,
              10 * divergence(*Mechanism(SampledGaussian{0.1, 1.0}).curve(), shares.order, Direction::remove).value,
              1e-10);
}

// Where the loss may be infinite, the bound and the shares are those of the finite part.
TEST(StepShares, OfFinitePartsWhereTheLossMayBeInfinite) {
  Plan plan;
  plan.add(read_plan(R"({"renyi":1,"steps":[{"mechanism":"approx-dp","epsilon":0.5,"delta":1e-7}]})"), 2);
  plan.add(Gaussian{4});
  const StepShares shares = shares_at(plan, 1e-5);
  EXPECT_TRUE(shares.unavailable.empty());
  EXPECT_TRUE(shares.of_finite_parts);
  EXPECT_TRUE(std::isfinite(shares.divergence.upper()));
  EXPECT_NEAR(sum_at_depth(shares, 0), 1, 1e-12);
  EXPECT_NEAR(shares.steps.back().divergence.value, shares.order / 32, 1e-10);
  const StepShares none = shares_at(plan, 1e-8);  // less than the probability of an infinite loss
  EXPECT_EQ(none.unavailable, "no order gives a finite Renyi bound");
}

TEST(StepShares, PureStepsAreDividedAtOrderInfinity) {
  Plan plan;
  plan.add(Laplace{2}).add(Laplace{6});
  const StepShares shares = shares_at(plan, 0);
  EXPECT_TRUE(std::isinf(shares.order));
  EXPECT_NEAR(*shares.steps[0].share, 0.75, 1e-12);
}

TEST(StepShares, SayWhyThereAreNone) {
  EXPECT_EQ(shares_at(Plan(), 1e-5).unavailable, "the plan has no steps");
  const StepShares unbounded = shares_at(Plan().add(Gaussian{2}).add(Laplace{2}), 0);
  EXPECT_EQ(unbounded.unavailable, "no order gives a finite Renyi bound");
  EXPECT_TRUE(std::isinf(unbounded.steps[0].divergence.upper()));
  EXPECT_FALSE(unbounded.steps[1].share);
  const Plan nothing = read_plan(R"({"renyi":1,"steps":[{"mechanism":"no-op"},{"mechanism":"no-op","count":2}]})");
  EXPECT_EQ(shares_at(nothing, 1e-5).unavailable, "the steps cost nothing");
  const Plan infinite = Plan().add(Gaussian{2});
  EXPECT_EQ(step_shares(infinite, {.upper = 1, .order = std::numeric_limits<double>::infinity()}).unavailable,
            "the Renyi divergence at order inf is infinite");
}

TEST(StepShares, AreInExplanationsWithADelta) {
  Plan plan;
  plan.add(Gaussian{2}, 3).add(Gaussian{4}, 4);
  EXPECT_FALSE(explain(plan, {.exact = false}).shares);
  const Explanation all = explain(plan, {.delta = 1e-5, .exact = false});
  ASSERT_TRUE(all.shares);
  EXPECT_EQ(all.shares->order, all.approximate->renyi->order);
  EXPECT_NEAR(*all.shares->steps[1].share, 0.25, 1e-12);
}

}  // namespace
}  // namespace renyi::step_shares_test
