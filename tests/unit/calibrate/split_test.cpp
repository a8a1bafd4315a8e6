// Several noise parameters that share one budget, and unknowns by their names.
#include "calibrate/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "renyi/cost.h"
#include "renyi/error.h"

namespace renyi::split_test {
namespace {

using ::testing::HasSubstr;

constexpr Target target{.epsilon = 1, .delta = 1e-6};

Plan counts_and_histograms() {
  return Plan().add(Gaussian{.stddev = 7}, 12).add(Gaussian{.stddev = 9, .l2_sensitivity = 3}, 3);
}
const std::vector<Unknown> both{{{0}, "stddev"}, {{1}, "stddev"}};

double cost_of(const Plan& plan) { return epsilon(plan, target.delta).upper(); }

TEST(Split, GaussianSharesAreSharesOfRho) {
  const SplitCalibration found = calibrate(counts_and_histograms(), both, Split{.shares = {60, 40}}, target);
  const double first = 12 / std::pow(found.values[0].value, 2), second = 3 * 9 / std::pow(found.values[1].value, 2);
  EXPECT_NEAR(first / (first + second), 0.6, 1e-12);
  EXPECT_LE(cost_of(found.plan), target.epsilon);
  EXPECT_EQ(cost_of(found.plan), found.cost.upper());
  // A Gaussian with the sum of both rho is the same plan.
  const double one = calibrate(Plan().add(Gaussian{1}), {{0}, "stddev"}, target).value;
  EXPECT_NEAR(1 / (one * one) / (first + second), 1, 1e-8);
}

TEST(Split, LaplaceSharesAreSharesOfEpsilon) {
  const Plan plan = Plan().add(Laplace{.scale = 1, .l1_sensitivity = 2}, 5).add(Laplace{1});
  const SplitCalibration found = calibrate(plan, {{{0}, "scale"}, {{1}, "scale"}}, Split{.shares = {3, 1}}, {1, 0});
  EXPECT_NEAR(5 * 2 / found.values[0].value, 0.75, 1e-8);
  EXPECT_NEAR(1 / found.values[1].value, 0.25, 1e-8);
}

TEST(Split, EqualErrorIsTheSameStandardDeviation) {
  const Plan plan = Plan()
                        .add(Gaussian{.stddev = 7, .l2_sensitivity = 2}, 3)
                        .add(Laplace{1})
                        .add(DiscreteLaplace{.scale = 1, .sensitivity = 1})
                        .add(SampledGaussian{0.1, 1}, 10);
  const SplitCalibration found = calibrate(plan, noise_unknowns(plan), Split{.rule = SplitRule::equal_error}, target);
  ASSERT_EQ(found.values.size(), 4U);
  const double stddev = found.values[0].value;
  for (const SplitValue& each : found.values) EXPECT_NEAR(each.stddev / stddev, 1, 1e-12);
  EXPECT_NEAR(found.values[1].value * std::sqrt(2), stddev, 1e-12 * stddev);
  const double r = std::exp(-1 / found.values[2].value);
  EXPECT_NEAR(std::sqrt(2 * r) / (1 - r) / stddev, 1, 1e-9);
  EXPECT_EQ(found.values[3].value, stddev);
  EXPECT_LE(cost_of(found.plan), target.epsilon);
}

// Less noise in the same ratios is too little, and each value can be rounded up by itself.
TEST(Split, IsTheSmallestAndCanBeRounded) {
  const Plan plan = Plan().add(Gaussian{7}, 12).add(Laplace{9}, 3);
  const std::vector<Unknown> unknowns{{{0}, "noise_multiplier"}, {{1}, "scale"}};
  const SplitCalibration found = calibrate(plan, unknowns, {}, target, {.digits = 3});
  const auto with = [&](double first, double second) {
    return cost_of(calibrate_detail::plan_with_values(plan, {{{0}, "stddev"}, {{1}, "scale"}}, {first, second}));
  };
  const double a = found.values[0].value, b = found.values[1].value;
  EXPECT_LE(with(a, b), target.epsilon);
  EXPECT_GT(with(a * (1 - 1e-8), b * (1 - 1e-8)), target.epsilon);
  EXPECT_LE(with(found.values[0].rounded, b), target.epsilon);
  EXPECT_LE(with(a, found.values[1].rounded), target.epsilon);
  EXPECT_EQ(with(found.values[0].rounded, found.values[1].rounded), *found.rounded_epsilon);
}

TEST(Split, OneUnknownIsCalibratedAsAlways) {
  const double one = calibrate(Plan().add(Gaussian{1}, 5), {{0}, "stddev"}, target).value;
  const SplitCalibration found = calibrate(Plan().add(Gaussian{1}, 5), {{{0}, "stddev"}}, Split{}, target);
  EXPECT_NEAR(found.values[0].value / one, 1, 2e-9);
}

template <class Problem>
std::string refusal(const Plan& plan, const std::vector<Unknown>& unknowns, const Split& split) {
  try {
    static_cast<void>(calibrate(plan, unknowns, split, target));
  } catch (const Problem& error) {
    return error.what();
  }
  return "nothing is wrong";
}

TEST(Split, WhatIsWrongIsNamed) {
  const Plan plan = counts_and_histograms();
  EXPECT_EQ(refusal<InvalidArgument>(plan, both, {.shares = {1}}),
            "split: got 1 shares, allowed: one share for each of the 2 unknowns, in their order");
  EXPECT_EQ(refusal<InvalidArgument>(plan, both, {.shares = {1, 0}}),
            "split[1]: got 0, allowed: a share from 1e-9 to 1e9; only ratios matter");
  EXPECT_EQ(refusal<InvalidArgument>(plan, {}, {}), "unknowns: got none, allowed: one noise parameter or more");
  EXPECT_EQ(refusal<InvalidArgument>(plan, {both[0], both[0]}, {}),
            "unknowns[1]: got stddev, allowed: one number of each step");
  EXPECT_THAT(refusal<Unsupported>(plan, {both[0], {{1}, "count"}}, {}),
              HasSubstr("unknowns[1]: count is not the size of a noise"));
  EXPECT_THAT(refusal<Unsupported>(Plan().add(SampledGaussian{0.1, 1}), {{{0}, "noise_multiplier"}}, {}),
              HasSubstr("a step on a sample of the records has no share of its own; split by equal error"));
  const Plan parallel = Plan().add(Parallel({{Step{Mechanism(Gaussian{1}), 1}}, {Step{Mechanism(Laplace{1}), 1}}}));
  EXPECT_THAT(refusal<Unsupported>(parallel, noise_unknowns(parallel), {}), HasSubstr("split by equal error"));
  EXPECT_EQ(refusal<Unsupported>(parallel, noise_unknowns(parallel), {.rule = SplitRule::equal_error}),
            "nothing is wrong");
}

TEST(Unknowns, AreFoundByTheirNames) {
  Plan plan;
  plan.add(Gaussian{1}, 2)
      .add(Steps{Step{Mechanism(Laplace{1}), 1}, Step{Mechanism(SampledGaussian{0.1, 1}), 3}})
      .add(Gaussian{.stddev = 4, .l2_sensitivity = 2});
  const auto noises = unknowns_named(plan, "noise_multiplier");
  ASSERT_EQ(noises.size(), 2U);
  EXPECT_EQ(noises[0].path, std::vector<std::size_t>{0});
  EXPECT_EQ(noises[1].path, (std::vector<std::size_t>{1, 1}));
  EXPECT_EQ(unknowns_named(plan, "scale").size(), 1U);
  EXPECT_EQ(unknowns_named(plan, "luck").size(), 0U);
}

TEST(Unknowns, AnAliasIsTheParameter) {
  const Plan plan = Plan().add(Gaussian{1}, 2);
  EXPECT_EQ(calibrate(plan, {{0}, "noise_multiplier"}, target).value, calibrate(plan, {{0}, "stddev"}, target).value);
  const Plan scaled = Plan().add(Gaussian{.stddev = 4, .l2_sensitivity = 2});
  try {
    static_cast<void>(calibrate(scaled, {{0}, "noise_multiplier"}, target));
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_STREQ(error.what(),
                 "noise_multiplier: the step has an l2_sensitivity of its own; solve for stddev or l2_sensitivity");
  }
}

}  // namespace
}  // namespace renyi::split_test
