#include "renyi/filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "renyi/error.h"
#include "renyi/renyi.h"
#include "support/expect.h"

namespace renyi::filter_test {
namespace {

TEST(Filter, SumsOfDecimalsAreExact) {
  EXPECT_EQ(Filter(Budget::pure(1)).headroom(PureDp{0.1}), 10);
  EXPECT_EQ(Filter(Budget::zcdp(5)).headroom(Gaussian{.stddev = 1}), 10);
  EXPECT_EQ(Filter(Budget::zcdp(1)).headroom(Gaussian{.stddev = 10}), 200);
  EXPECT_EQ(Filter(Budget::gdp(1)).headroom(Gaussian{.stddev = 10}), 100);
  EXPECT_EQ(Filter(Budget::order(2, 10)).headroom(Gaussian{.stddev = 1}), 10);
  EXPECT_EQ(Filter(Budget::zcdp(1).with_infinite_mass(1e-5)).headroom(ApproxDp{0.1, 1e-6}), 10);
}

TEST(Filter, ARefusedStepChangesNothing) {
  Filter filter(Budget::zcdp(0.5));
  EXPECT_TRUE(filter.charge(Gaussian{.stddev = 2}).runs);
  const std::string before = write_filter(filter);
  const FilterVerdict verdict = filter.charge(Gaussian{.stddev = 1});
  EXPECT_FALSE(verdict.runs);
  EXPECT_EQ(verdict.reason, "rho would be 0.625, its limit is 0.5, and 0.375 is left");
  EXPECT_THROW(filter.charge(Gaussian{.stddev = 2}, -1), InvalidArgument);
  EXPECT_EQ(write_filter(filter), before);
  const auto fits = filter.would_fit(Gaussian{.stddev = 1});
  ASSERT_TRUE(fits.has_value());
  EXPECT_EQ(fits->parameter, "noise_multiplier");
  EXPECT_EQ(fits->value, 1.155);
  EXPECT_TRUE(filter.may_run(Gaussian{.stddev = fits->value}).runs);
}

TEST(Filter, ACurveBudgetOfAPlanAdmitsThePlanAndNoStepMore) {
  const SampledGaussian step{0.01, 1.1};
  Plan plan;
  plan.add(step, 10'000);
  const Filter filter(Budget::curve_of(plan, default_filter_orders()));
  EXPECT_TRUE(filter.may_run(plan).runs);
  EXPECT_EQ(filter.headroom(step), 10'000);
}

TEST(Filter, GuaranteesConvertAsTheirKindAllows) {
  EXPECT_NEAR(epsilon(guarantee(Budget::gdp(1)), 1e-5).upper(), 4.377, 1e-3);
  EXPECT_NEAR(epsilon(guarantee(Budget::zcdp(0.5)), 1e-5).upper(), 4.728, 1e-3);
  std::vector<OrderLimit> line;
  for (const double order : default_filter_orders()) line.push_back({order, order / 2});
  const Cost curve = epsilon(guarantee(Budget::curve(line)), 1e-5);
  EXPECT_GE(curve.upper(), 4.728);
  EXPECT_FALSE(curve.is_exact());
}

TEST(Filter, TheBudgetMovesBelowTheCapOnly) {
  Filter filter(Budget::zcdp(0.5), {}, Budget::zcdp(1));
  filter.set_budget(Budget::zcdp(1));
  filter.set_budget(Budget::zcdp(0.25));
  EXPECT_THROW(filter.set_budget(Budget::zcdp(1.5)), InvalidArgument);
  EXPECT_THROW(filter.set_budget(Budget::gdp(0.1)), InvalidArgument);
  EXPECT_EQ(filter.budget(), Budget::zcdp(0.25));
  EXPECT_EQ(filter.guarantee(), guarantee(Budget::zcdp(1)));
}

TEST(Filter, ABudgetThatNoFunctionMakesIsRefused) {
  Budget no_orders;
  no_orders.kind = BudgetKind::order;
  EXPECT_THROW(Filter{no_orders}, InvalidArgument);
  Budget whole_delta_for_every_order = Budget::shares(3, {{6, 1e-5}, {64, 1e-5}});
  EXPECT_EQ(whole_delta_for_every_order.delta, 2e-5);
  whole_delta_for_every_order.delta = 1e-5;
  EXPECT_THROW(Filter{whole_delta_for_every_order}, InvalidArgument);
  EXPECT_THROW((void)guarantee(whole_delta_for_every_order), InvalidArgument);
}

TEST(Filter, SharesMayBeTooSmallToAdmitAnything) {
  const Filter nothing(Budget::shares(0.01, {{1.5, 5e-6}, {2, 5e-6}}));
  EXPECT_FALSE(nothing.may_run(NoOp{}).runs);
  EXPECT_EQ(write_filter(read_filter(write_filter(nothing))), write_filter(nothing));
  // One order that admits something is enough.
  const Filter filter(Budget::shares(0.5, {{1.5, 5e-6}, {64, 5e-6}}));
  EXPECT_TRUE(filter.may_run(Gaussian{.stddev = 100}).runs);
  EXPECT_EQ(write_filter(read_filter(write_filter(filter))), write_filter(filter));
}

TEST(Filter, ParallelStepsAreChargedByTheirLargestPart) {
  const Steps small{{Mechanism(Laplace{.scale = 4}), 2}}, large{{Mechanism(Gaussian{.stddev = 2}), 3}};
  Filter filter(Budget::zcdp(1));
  const Mechanism parts = Parallel({small, large});
  EXPECT_EQ(filter.headroom(parts), 2);
  EXPECT_TRUE(filter.charge(parts, 2).runs);
  EXPECT_FALSE(filter.charge(parts).runs);
  EXPECT_EQ(read_filter(write_filter(filter)).history().merged().size(), 1U);
  const Mechanism equal = Parallel({large, large});
  EXPECT_EQ(Filter(Budget::zcdp(1)).headroom(equal), 2);
}

TEST(Filter, TheStepsOfACurveBudgetMayComeInAnyOrder) {
  Plan plan;
  for (int i = 0; i < 7; ++i) plan.add(SampledGaussian{0.01 + 0.003 * i, 1.1 + 0.37 * i}, 3 + i).add(Laplace{10.0 + i});
  const Budget budget = Budget::curve_of(plan, default_filter_orders());
  auto steps = plan.merged();
  for (std::size_t turn = 0; turn < steps.size(); ++turn) {
    std::rotate(steps.begin(), steps.begin() + 1, steps.end());
    Filter filter(budget);
    for (const CountedMechanism& step : steps) EXPECT_TRUE(filter.charge(step.mechanism, step.count).runs) << turn;
  }
}

TEST(Filter, HeadroomOfAPlanCountsWholePlans) {
  Plan plan;
  plan.add(Gaussian{.stddev = 1}).add(Laplace{.scale = 10}, 3);
  const Filter filter(Budget::zcdp(5));
  const std::int64_t most = filter.headroom(plan);
  EXPECT_GT(most, 5);
  EXPECT_TRUE(filter.may_run(plan, most).runs);
  EXPECT_FALSE(filter.may_run(plan, most + 1).runs);
  EXPECT_EQ(filter.headroom(Plan()), std::numeric_limits<std::int64_t>::max());
}

TEST(Filter, WhatIsLeftIsWhatOneMoreStepMayCost) {
  Filter gdp(Budget::gdp(1));
  EXPECT_EQ(gdp.remaining()[0].left, 1);
  EXPECT_TRUE(gdp.charge(Gaussian{.stddev = 2}).runs);
  const double mu = gdp.remaining()[0].left;
  EXPECT_NEAR(mu, std::sqrt(0.75), 1e-9);
  EXPECT_TRUE(gdp.may_run(Gdp{mu}).runs);
  EXPECT_FALSE(gdp.may_run(Gdp{mu * (1 + 1e-9)}).runs);
  Filter approx(Budget::approx(1, 1e-6));
  EXPECT_TRUE(approx.charge(PureDp{0.1}).runs);
  const double one = approx.remaining()[0].left;
  EXPECT_TRUE(approx.may_run(PureDp{one}).runs);
  EXPECT_FALSE(approx.may_run(PureDp{one * (1 + 1e-9)}).runs);
}

TEST(Filter, InfiniteMassesComposeAsThoseOfAPlan) {
  Plan plan;
  plan.add(ApproxDp{0.1, 0.1}, 2);
  const Filter filter(Budget::curve_of(plan, {2, 4}));
  EXPECT_NEAR(filter.budget().infinite_mass, 0.19, 1e-12);
  EXPECT_TRUE(filter.may_run(plan).runs);
  EXPECT_EQ(filter.headroom(ApproxDp{0.1, 0.1}), 2);
}

TEST(Budget, TheStoredFormKeepsEveryNumber) {
  const std::vector<Budget> budgets{Budget::pure(0.1),
                                    Budget::zcdp(0.5).with_infinite_mass(1e-9),
                                    Budget::tcdp(0.1, 20),
                                    Budget::gdp(1),
                                    Budget::approx(1, 1e-6),
                                    Budget::order(8, 0.3),
                                    Budget::curve({{2, 0.5}, {std::numeric_limits<double>::infinity(), 4}}),
                                    Budget::shares(2, {{4, 1e-6}, {16, 9e-6}})};
  for (const Budget& budget : budgets) EXPECT_EQ(read_budget(write_budget(budget)), budget) << write_budget(budget);
  EXPECT_EQ(write_budget(budgets[1]), R"({"kind":"zcdp","rho":0.5,"infinite_mass":1e-09})");
  const Budget equal = read_budget(R"({"kind":"shares","epsilon":1,"delta":1e-5,"orders":[2,3,4,6,8,16,32,64,128]})");
  EXPECT_LE(equal.delta, 1e-5);
  EXPECT_NEAR(epsilon(guarantee(equal), 1e-5).upper(), 1, 1e-9);
  EXPECT_THROW((void)read_budget(R"({"kind":"zcdp","rho":0.5,"mu":1})"), InvalidArgument);
  EXPECT_THROW((void)read_budget("[]"), InvalidArgument);
}

// The costs of charged steps are kept: the limit has to hold for them too.
TEST(Filter, NoInfiniteLossRunsOnceTheBudgetHasNoMassForIt) {
  const Mechanism step = ApproxDp{0.1, 1e-6};
  Filter filter(Budget::pure(100).with_infinite_mass(1e-5));
  EXPECT_TRUE(filter.charge(step).runs);
  filter.set_budget(Budget::pure(100));
  EXPECT_FALSE(filter.charge(step).runs);
  EXPECT_FALSE(filter.charge(PureDp{0.1}).runs);
  EXPECT_EQ(filter.remaining().back().name, "infinite mass");
  EXPECT_FALSE(filter.remaining().back().within);
  const Filter restored = read_filter(write_filter(filter));
  EXPECT_FALSE(restored.may_run(step).runs);
  // A step that was only asked about is refused as any other.
  Filter asked(Budget::pure(100).with_infinite_mass(1e-5));
  EXPECT_TRUE(asked.may_run(step).runs);
  asked.set_budget(Budget::pure(100));
  EXPECT_THROW(asked.may_run(step), Unsupported);
}

TEST(Filter, ABudgetOfZeroAdmitsWhatCostsNothing) {
  for (const Budget& budget : {Budget::gdp(0), Budget::approx(0, 1e-5)}) {
    EXPECT_TRUE(Filter(budget).may_run(NoOp{}).runs);
    EXPECT_FALSE(Filter(budget).may_run(PureDp{1e-90}).runs);
  }
}

}  // namespace
}  // namespace renyi::filter_test
