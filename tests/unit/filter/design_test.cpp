#include <gtest/gtest.h>

#include <cmath>

#include "renyi/error.h"
#include "renyi/filter_design.h"
#include "renyi/renyi.h"

namespace renyi::filter_design_test {
namespace {

const KindDesign& by(const FilterDesign& design, BudgetKind kind) {
  return design.kinds.at(static_cast<std::size_t>(kind));
}

Plan training() {
  Plan plan;
  plan.add(SampledGaussian{.sampling_rate = 0.01, .noise_multiplier = 1.1}, 10'000);
  return plan;
}

// Every budget meets the target, and a new filter with it admits as many steps as the design says, and no more.
void expect_kept(const Plan& workload, const FilterDesign& design) {
  const Plan once =
      design.counts_steps ? Plan(workload.neighbors(), workload.unit()).add(workload.merged()[0].mechanism) : workload;
  for (const KindDesign& kind : design.kinds) {
    SCOPED_TRACE(std::string(to_string(kind.kind)));
    EXPECT_EQ(kind.budget.has_value(), kind.obstacle.empty());
    EXPECT_EQ(kind.budget.has_value(), kind.count > 0);
    if (!kind.budget) continue;
    EXPECT_EQ(kind.budget->kind, kind.kind);
    EXPECT_LE(epsilon(guarantee(*kind.budget, workload.neighbors()), design.delta).upper(), design.epsilon);
    const Filter filter(*kind.budget, workload.adjacency());
    if (design.counts_steps) {
      EXPECT_EQ(filter.headroom(workload.merged()[0].mechanism), kind.count);
    }
    EXPECT_TRUE(filter.may_run(once, kind.count).runs);
    EXPECT_FALSE(filter.may_run(once, kind.count + 1).runs);
    if (design.exact.count) {
      EXPECT_LE(kind.count, *design.exact.count);
    }
  }
}

TEST(FilterDesign, WhatATrainingNeedsByEachKind) {
  const FilterDesign design = design_filter(training(), 5.64, 1e-5, {.counts = {1000, 10'000}});
  EXPECT_TRUE(design.counts_steps);
  EXPECT_EQ(design.expected, 10'000);
  EXPECT_NEAR(design.exact.epsilon.value(), 5.1926, 5e-5);
  EXPECT_NEAR(design.renyi.epsilon.value(), 5.6318, 5e-5);
  for (const BudgetKind kind : {BudgetKind::order, BudgetKind::curve, BudgetKind::tcdp}) {
    EXPECT_NEAR(by(design, kind).epsilon.value(), 5.6318, 5e-5) << to_string(kind);
    EXPECT_EQ(by(design, kind).count, design.renyi.count) << to_string(kind);
  }
  EXPECT_GT(by(design, BudgetKind::shares).epsilon.value(), 5.6318);
  EXPECT_LT(by(design, BudgetKind::shares).epsilon.value(), 5.8);
  // No amplification by sampling.
  EXPECT_GT(by(design, BudgetKind::zcdp).epsilon.value(), 4000);
  EXPECT_GT(by(design, BudgetKind::gdp).epsilon.value(), 4000);
  EXPECT_FALSE(by(design, BudgetKind::pure).epsilon.has_value());
  EXPECT_NE(by(design, BudgetKind::pure).obstacle.find("its loss is unbounded"), std::string::npos);
  EXPECT_FALSE(by(design, BudgetKind::approx).epsilon.has_value());
  EXPECT_EQ(design.kinds.at(design.best.value()).kind, BudgetKind::order);
  ASSERT_EQ(by(design, BudgetKind::order).epsilons.size(), 2U);
  EXPECT_EQ(by(design, BudgetKind::order).epsilons[1], by(design, BudgetKind::order).epsilon);
  EXPECT_LT(design.exact.epsilons.at(0), by(design, BudgetKind::order).epsilons[0]);
  expect_kept(training(), design);
}

TEST(FilterDesign, GaussianStepsLoseNothingByGdp) {
  Plan plan;
  plan.add(Gaussian{.stddev = 20}, 100);
  const FilterDesign design = design_filter(plan, 2, 1e-6);
  EXPECT_EQ(design.kinds.at(design.best.value()).kind, BudgetKind::gdp);
  EXPECT_EQ(by(design, BudgetKind::gdp).count, design.exact.count);
  EXPECT_NEAR(by(design, BudgetKind::gdp).epsilon.value(), design.exact.epsilon.value(), 1e-9);
  EXPECT_EQ(by(design, BudgetKind::zcdp).count, design.renyi.count);
  expect_kept(plan, design);
}

TEST(FilterDesign, PureStepsAndNoDelta) {
  Plan plan;
  plan.add(PureDp{0.1}, 10);
  const FilterDesign design = design_filter(plan, 1, 0);
  EXPECT_EQ(by(design, BudgetKind::pure).epsilon, 1);
  EXPECT_EQ(by(design, BudgetKind::pure).count, 10);
  EXPECT_EQ(by(design, BudgetKind::pure).budget, Budget::pure(1));
  EXPECT_EQ(by(design, BudgetKind::order).obstacle, "needs a delta above 0");
  EXPECT_EQ(design.kinds.at(design.best.value()).kind, BudgetKind::pure);
  expect_kept(plan, design);
  const FilterDesign with_delta = design_filter(plan, 1, 1e-6);
  EXPECT_GT(by(with_delta, BudgetKind::approx).count, 0);
  EXPECT_EQ(with_delta.kinds.at(with_delta.best.value()).kind, BudgetKind::pure);  // as many, and a simpler guarantee
  expect_kept(plan, with_delta);
}

TEST(FilterDesign, StepsWithDeltasOfTheirOwnGetAnInfiniteMass) {
  Plan plan;
  plan.add(ApproxDp{0.1, 1e-7}, 20);
  const FilterDesign design = design_filter(plan, 1, 1e-5);
  for (const KindDesign& kind : design.kinds) {
    ASSERT_TRUE(kind.budget) << to_string(kind.kind);
    EXPECT_NEAR(kind.budget->infinite_mass, 1e-7 * static_cast<double>(kind.count), 1e-12) << to_string(kind.kind);
  }
  const Budget& approx = *by(design, BudgetKind::approx).budget;
  EXPECT_LE(approx.delta + approx.infinite_mass, 1e-5);
  expect_kept(plan, design);
  // Delta does not suffice for one step.
  const FilterDesign none = design_filter(plan, 1, 5e-8);
  EXPECT_FALSE(none.best);
  for (const KindDesign& kind : none.kinds) {
    EXPECT_EQ(kind.obstacle, "no finite epsilon is known for one step at this delta") << to_string(kind.kind);
  }
}

TEST(FilterDesign, AWorkloadOfSeveralStepsIsRepeatedAsAWhole) {
  Plan plan;
  plan.add(Laplace{.scale = 20}, 3).add(Gaussian{.stddev = 10}, 5);
  const FilterDesign design = design_filter(plan, 4, 1e-6);
  EXPECT_FALSE(design.counts_steps);
  EXPECT_EQ(design.expected, 1);
  EXPECT_GT(by(design, BudgetKind::order).count, 5);
  expect_kept(plan, design);
}

TEST(FilterDesign, ATargetBelowOneStepSaysWhatOneNeeds) {
  const FilterDesign design = design_filter(training(), 0.1, 1e-5);
  EXPECT_FALSE(design.best);
  EXPECT_EQ(by(design, BudgetKind::order).obstacle.substr(0, 29), "one step alone needs epsilon ");
  expect_kept(training(), design);
}

TEST(FilterDesign, BadInputIsRefused) {
  for (const double epsilon : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
    EXPECT_THROW(static_cast<void>(design_filter(training(), epsilon, 1e-5)), InvalidArgument) << epsilon;
  }
  for (const double delta : {-1e-5, 1.0, std::nan("")}) {
    EXPECT_THROW(static_cast<void>(design_filter(training(), 1, delta)), InvalidArgument) << delta;
  }
  EXPECT_THROW(static_cast<void>(design_filter(Plan(), 1, 1e-5)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(design_filter(training(), 1, 1e-5, {.counts = {0}})), InvalidArgument);
}

TEST(FilterDesign, APureTargetIsABudgetItself) {
  Plan plan;
  plan.add(Laplace{.scale = 10}, 20);
  for (const double target : {0.3, 0.7, 1.1, 2.9, 3.0}) {
    const FilterDesign design = design_filter(plan, target, 0);
    const std::int64_t count = Filter(Budget::pure(target)).headroom(Laplace{.scale = 10});
    EXPECT_EQ(design.kinds[0].kind, BudgetKind::pure);
    EXPECT_EQ(design.kinds[0].count, count) << target;
  }
}

// A kind whose budget would need a number that no budget has is a row without one, and the others are there.
TEST(FilterDesign, AKindThatCannotBeIsOneRow) {
  const FilterDesign noisy = design_filter(Plan().add(Laplace{.scale = 1e-50}), 1, 1.14e-7);
  EXPECT_NE(by(noisy, BudgetKind::order).obstacle + by(noisy, BudgetKind::curve).obstacle, "");
  for (const KindDesign& kind : noisy.kinds) EXPECT_EQ(kind.obstacle.empty(), kind.budget.has_value());
  const FilterDesign small = design_filter(Plan().add(ApproxDp{.epsilon = 0.1, .delta = 1e-10}), 1, 1e-300);
  EXPECT_NE(by(small, BudgetKind::shares).obstacle, "");
  EXPECT_EQ(by(small, BudgetKind::shares).count, 0);
  EXPECT_EQ(small.kinds.size(), all_budget_kinds.size());
}

}  // namespace
}  // namespace renyi::filter_design_test
