#include "renyi/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "renyi/account.h"
#include "renyi/error.h"
#include "renyi/exact.h"

namespace renyi::compare_compare_test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const TheoremAnswer& row(const Comparison& comparison, std::string_view name) {
  for (const TheoremAnswer& answer : comparison.theorems) {
    if (answer.name == name) return answer;
  }
  throw std::out_of_range(std::string(name));
}

// At least the formula, and hardly more.
void expect_formula(const TheoremAnswer& answer, long double formula) {
  ASSERT_TRUE(answer.epsilon) << answer.name << ": " << answer.obstacle;
  EXPECT_GE(static_cast<long double>(*answer.epsilon), formula) << answer.name;
  EXPECT_LE(static_cast<long double>(*answer.epsilon), formula * (1 + 1e-14L)) << answer.name;
}

TEST(Compare, FormulasOfEqualPureSteps) {
  const double e = 0.125, delta = 1e-6;
  const long double l = std::log(1e6L), n = 100;
  const Comparison got = compare(Plan().add(PureDp{e}, 100), delta);
  expect_formula(row(got, "basic"), n * 0.125L);
  expect_formula(row(got, "advanced"), std::sqrt(2 * n * l) * 0.125L + n * 0.125L * std::expm1(0.125L));
  expect_formula(row(got, "renyi-corollary"), 4 * 0.125L * std::sqrt(2 * n * l));
  const auto& event = row(got, "renyi-event");
  EXPECT_FALSE(event.epsilon);
  EXPECT_NEAR(*event.event_probability, static_cast<double>(1e-6L * std::exp(0.25L * std::sqrt(n * l))), 1e-14);
  EXPECT_EQ(*row(got, "renyi-pure").epsilon, renyi_epsilon(Plan().add(PureDp{e}, 100), delta).epsilon);
  EXPECT_THAT(got.theorems[*got.best].name, AnyOf("optimal", "exact"));  // the same, but for rounding
}

TEST(Compare, FormulasOfUnequalPureSteps) {
  const Plan plan = Plan().add(PureDp{0.5}, 3).add(PureDp{0.25}, 4);
  const long double l = std::log(1e4L), squares = 3 * 0.25L + 4 * 0.0625L;
  const Comparison got = compare(plan, 1e-4, {.epsilon = {}, .event = 0.01});
  expect_formula(row(got, "basic"), 2.5L);
  expect_formula(row(got, "advanced"),
                 std::sqrt(2 * l * squares) + 3 * 0.5L * std::expm1(0.5L) + 4 * 0.25L * std::expm1(0.25L));
  expect_formula(row(got, "renyi-corollary"), 4 * std::sqrt(2 * l * squares));
  EXPECT_NEAR(*row(got, "renyi-event").event_probability,
              static_cast<double>(0.01L * std::exp(2 * std::sqrt(squares * std::log(100.0L)))), 1e-14);
  EXPECT_THAT(row(got, "optimal").obstacle, HasSubstr("(0.5, 0) here, (0.25, 0) there"));
}

// The curve 2 a V is that of Gaussian noise with 1/(2 m^2) = 2 V.
TEST(Compare, TheLemmaIsAGaussiansCurve) {
  const Comparison got = compare(Plan().add(PureDp{0.5}, 4), 1e-5);
  const double gaussian = renyi_epsilon(Plan().add(Gaussian{0.5}), 1e-5).epsilon;  // V = 1
  EXPECT_GE(*row(got, "renyi-lemma").epsilon, gaussian);
  EXPECT_NEAR(*row(got, "renyi-lemma").epsilon / gaussian, 1, 1e-14);
}

TEST(Compare, ThePlansOwnCurveIsTheAccountants) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 1000).add(Laplace{20});
  EXPECT_EQ(*row(compare(plan, 1e-6), "renyi-plan").epsilon, renyi_epsilon(plan, 1e-6).epsilon);
}

// All of delta for basic, half of it for the others; evenly over the runs.
TEST(Compare, StepsWithoutAPureEpsilonShareDelta) {
  const Gaussian noise{20};
  const Comparison got = compare(Plan().add(noise, 10).add(PureDp{0.25}), 1e-5);
  const double all = renyi_epsilon(Plan().add(noise), 1e-6).epsilon,
               half = renyi_epsilon(Plan().add(noise), 5e-7).epsilon;
  EXPECT_NEAR(*row(got, "basic").epsilon / (10 * all + 0.25), 1, 1e-12);
  EXPECT_NEAR(*row(got, "advanced").epsilon / (std::sqrt(2 * std::log(2e5) * (10 * half * half + 0.0625)) +
                                               10 * half * std::expm1(half) + 0.25 * std::expm1(0.25)),
              1, 1e-12);
  for (const char* name : {"renyi-event", "renyi-corollary", "renyi-lemma", "renyi-pure"}) {
    EXPECT_THAT(row(got, name).obstacle, HasSubstr("gaussian has none")) << name;
  }
  EXPECT_THAT(row(got, "optimal").obstacle, HasSubstr("equal steps"));
  EXPECT_TRUE(row(compare(Plan().add(noise, 10), 1e-5), "optimal").epsilon);
}

// Without its condition the formula is below the truth, which "optimal" is.
TEST(Compare, TheCorollaryNeedsItsCondition) {
  const Comparison got = compare(Plan().add(PureDp{0.1}, 100000), 0.01);
  EXPECT_THAT(row(got, "renyi-corollary").obstacle, HasSubstr("4.60517 is below 1000"));
  const double formula = 4 * 0.1 * std::sqrt(2 * 100000 * std::log(100.0));
  EXPECT_LT(formula, 0.8 * *row(got, "optimal").epsilon);
}

TEST(Compare, TheConditionMayHoldWithEquality) {
  EXPECT_TRUE(row(compare(Plan().add(PureDp{1}, 2), std::exp(-2.0000001)), "renyi-corollary").epsilon);
  EXPECT_FALSE(row(compare(Plan().add(PureDp{1}, 2), std::exp(-1.9999999)), "renyi-corollary").epsilon);
}

TEST(Compare, DeltaZeroIsForPureSteps) {
  const Comparison pure = compare(Plan().add(PureDp{0.5}, 4), 0);
  EXPECT_EQ(*row(pure, "basic").epsilon, 2);
  EXPECT_GE(*row(pure, "renyi-pure").epsilon, 2);
  EXPECT_NEAR(*row(pure, "renyi-pure").epsilon, 2, 1e-14);
  EXPECT_EQ(*row(pure, "optimal").epsilon, 2);
  EXPECT_THAT(row(pure, "advanced").obstacle, HasSubstr("delta > 0"));
  EXPECT_THAT(row(pure, "renyi-event").obstacle, HasSubstr("delta is 0"));
  const Comparison impure = compare(Plan().add(Gaussian{2}), 0);
  EXPECT_FALSE(impure.best);
  for (const TheoremAnswer& answer : impure.theorems) EXPECT_FALSE(answer.epsilon) << answer.name;
}

TEST(Compare, DeltaOnePromisesNothing) {
  for (const Plan& plan : {Plan().add(PureDp{3}, 100), Plan().add(Gaussian{0.1}, 100)}) {
    const Comparison got = compare(plan, 1);
    EXPECT_EQ(*row(got, "optimal").epsilon, 0);
    EXPECT_EQ(*row(got, "renyi-plan").epsilon, 0);
  }
}

// An infinite epsilon is an answer, but nothing to recommend.
TEST(Compare, InfiniteIsNotBest) {
  const Comparison got = compare(Plan().add(PureDp{1000}), 1e-6);
  EXPECT_EQ(*row(got, "advanced").epsilon, std::numeric_limits<double>::infinity());
  EXPECT_LE(*got.theorems[*got.best].epsilon, 1000);
}

TEST(Compare, NothingCostsNothing) {
  for (const Plan& plan : {Plan(), Plan().add(PureDp{0}, 7), Plan().add(SampledGaussian{0, 1}, 7)}) {
    const Comparison got = compare(plan, 1e-5, {.epsilon = 0, .event = {}});
    for (const TheoremAnswer& answer : got.theorems) {
      EXPECT_THAT(answer.obstacle, IsEmpty()) << answer.name;
      if (answer.name == "renyi-event") continue;
      EXPECT_EQ(*answer.epsilon, 0) << answer.name;
      EXPECT_TRUE(answer.largest_count->unlimited) << answer.name;
    }
    EXPECT_EQ(*row(got, "renyi-event").event_probability, 1e-5);
  }
}

// Epsilons whose squares are below the smallest double still cost something.
TEST(Compare, TinyEpsilonsAreNotFree) {
  const Comparison got = compare(Plan().add(PureDp{1e-300}), 1e-5, {.epsilon = 0, .event = {}});
  for (const char* name : {"basic", "advanced", "renyi-corollary"}) {
    EXPECT_GE(*row(got, name).epsilon, 1e-300) << name;
    EXPECT_EQ(row(got, name).largest_count->count, 0) << name;
  }
}

TEST(Compare, LargestCountsByHand) {
  const Comparison got = compare(Plan().add(PureDp{0.25}, 2), 1e-5, {.epsilon = 2.25, .event = {}});
  EXPECT_EQ(row(got, "basic").largest_count->count, 4);
  EXPECT_FALSE(row(got, "basic").largest_count->at_least);
  EXPECT_FALSE(row(got, "renyi-event").largest_count);
  EXPECT_EQ(compare(Plan().add(PureDp{0.25}, 2), 1e-5, {.epsilon = 0.4, .event = {}}).theorems[0].largest_count->count,
            0);
}

// Where the search ends before the budget does, it says so.
TEST(Compare, LargestCountsEndWhereCountsDo) {
  const Comparison got = compare(Plan().add(PureDp{1e-12}, 2), 1e-5, {.epsilon = 1e9, .event = {}});
  EXPECT_TRUE(row(got, "basic").largest_count->at_least);
  EXPECT_EQ(row(got, "basic").largest_count->count, std::numeric_limits<std::int64_t>::max() / 2);
  EXPECT_TRUE(row(got, "optimal").largest_count->at_least);
  EXPECT_EQ(row(got, "optimal").largest_count->count, 5'000'000'000);
  EXPECT_THAT(row(compare(Plan().add(PureDp{1e-12}, 10'000'000'001), 1e-5), "optimal").obstacle,
              HasSubstr("1e+10 runs"));
}

// One run is cheapest by basic, many by another theorem.
TEST(Compare, TheBestForCountsMayBeAnother) {
  const Comparison got = compare(Plan().add(PureDp{0.01}), 1e-30, {.epsilon = 10, .event = {}});
  ASSERT_TRUE(got.best && got.best_for_count);
  for (const TheoremAnswer& answer : got.theorems) {
    if (!answer.epsilon) continue;
    EXPECT_LE(*got.theorems[*got.best].epsilon, *answer.epsilon * (1 + 1e-9));
    EXPECT_LE(answer.largest_count->count, got.theorems[*got.best_for_count].largest_count->count);
  }
  EXPECT_THAT(got.theorems[*got.best].name, AnyOf("basic", "exact"));
  EXPECT_THAT(got.theorems[*got.best_for_count].name, AnyOf("optimal", "exact"));
}

// Steps of other names but the same epsilon are equal to the theorem.
TEST(Compare, EqualEpsilonsAreEqualSteps) {
  const Comparison mixed = compare(Plan().add(PureDp{0.5}, 4).add(Laplace{2}, 6), 1e-5);
  const Comparison alike = compare(Plan().add(PureDp{0.5}, 10), 1e-5);
  ASSERT_TRUE(row(mixed, "optimal").epsilon) << row(mixed, "optimal").obstacle;
  EXPECT_NEAR(*row(mixed, "optimal").epsilon, *row(alike, "optimal").epsilon, 1e-12);
}

TEST(Compare, RefusesBadNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Plan plan = Plan().add(PureDp{1});
  for (const double delta : {-0.1, 1.1, nan}) EXPECT_THROW(compare(plan, delta), InvalidArgument) << delta;
  for (const double epsilon : {-1.0, nan}) {
    EXPECT_THROW(compare(plan, 0.1, {.epsilon = epsilon, .event = {}}), InvalidArgument) << epsilon;
  }
  for (const double event : {0.0, 1.5, nan}) {
    EXPECT_THROW(compare(plan, 0.1, {.epsilon = {}, .event = event}), InvalidArgument) << event;
  }
}

const TheoremAnswer& exact_row(const Comparison& comparison) { return comparison.theorems.back(); }

double exact_upper(const Plan& plan, double delta) { return ExactAccountant(plan).epsilon(delta).worst.upper; }

TEST(CompareExact, IsTheLastRowAndTheSmallest) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 10'000);
  const Comparison got = compare(plan, 1e-5);
  EXPECT_EQ(exact_row(got).name, "exact");
  EXPECT_EQ(*exact_row(got).epsilon, exact_upper(plan, 1e-5));
  EXPECT_THAT(exact_row(got).note, IsEmpty());
  EXPECT_EQ(*got.best, got.theorems.size() - 1);
  for (const TheoremAnswer& answer : got.theorems) {
    if (answer.name != "exact" && answer.epsilon) {
      EXPECT_GT(*answer.epsilon, 1.05 * *exact_row(got).epsilon) << answer.name;
    }
  }
}

TEST(CompareExact, CountsHowOftenTheWholePlanFits) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 1000).add(Gaussian{20});
  const Comparison got = compare(plan, 1e-5, {.epsilon = 5, .event = {}});
  const auto count = exact_row(got).largest_count->count;
  EXPECT_LE(exact_upper(Plan().add(plan, count), 1e-5), 5);
  EXPECT_GT(exact_upper(Plan().add(plan, count + 1), 1e-5), 5);
  EXPECT_EQ(*got.best_for_count, got.theorems.size() - 1);
  EXPECT_EQ(exact_row(compare(plan, 1e-5, {.epsilon = 0.1, .event = {}})).largest_count->count, 0);
  const auto endless =
      exact_row(compare(plan, 1e-5, {.epsilon = std::numeric_limits<double>::infinity(), .event = {}}));
  EXPECT_TRUE(endless.largest_count->at_least);
  EXPECT_EQ(endless.largest_count->count, std::numeric_limits<std::int64_t>::max() / 1000);
}

TEST(CompareExact, NeedsAPairOfLaws) {
  const Comparison got = compare(Plan().add(ZeroConcentrated{.rho = 1}), 1e-5, {.epsilon = 10, .event = {}});
  EXPECT_THAT(exact_row(got).obstacle, HasSubstr("known by bounds only"));
  EXPECT_FALSE(exact_row(got).epsilon);
  EXPECT_FALSE(exact_row(got).largest_count);
}

TEST(CompareExact, KeepsTheRelation) {
  const Plan plan = Plan(Neighbors::replace_one).add(Gaussian{2}, 10);
  EXPECT_EQ(*exact_row(compare(plan, 1e-5)).epsilon, exact_upper(plan, 1e-5));
}

}  // namespace
}  // namespace renyi::compare_compare_test
