#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/papers/composition_theorems.h"
#include "renyi/rdp.h"

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

double exact_upper(const Plan& plan, double delta) { return PrivacyProfile(plan).epsilon(delta).worst.upper; }

// Expects the epsilon to be at least the formula, and hardly more.
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
  EXPECT_EQ(*row(got, "renyi-pure").epsilon, renyi_epsilon(Plan().add(PureDp{e}, 100), delta).upper);
  EXPECT_THAT(got.theorems[*got.best].name, AnyOf("optimal", "exact"));  // both are the same except for rounding
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
  EXPECT_EQ(got.event, 0.01);
  EXPECT_EQ(compare(plan, 1e-4, {.exact = false}).event, 1e-4);  // the default is delta
}

// The curve 2 a V is that of Gaussian noise with 1/(2 m^2) = 2 V.
TEST(Compare, TheLemmaIsAGaussiansCurve) {
  const Comparison got = compare(Plan().add(PureDp{0.5}, 4), 1e-5);
  const double gaussian = renyi_epsilon(Plan().add(Gaussian{0.5}), 1e-5).upper;  // V = 1
  EXPECT_GE(*row(got, "renyi-lemma").epsilon, gaussian);
  EXPECT_NEAR(*row(got, "renyi-lemma").epsilon / gaussian, 1, 1e-14);
}

TEST(Compare, ThePlansOwnCurveIsTheAccountants) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 1000).add(Laplace{20});
  EXPECT_EQ(*row(compare(plan, 1e-6), "renyi-plan").epsilon, renyi_epsilon(plan, 1e-6).upper);
}

// What the tools print for these runs: Opacus 1.6.0 and dp-accounting 0.6.0 by their default orders,
// compute_eps_poisson of Opacus 1.6.0, and prv-accountant 0.2.0 with eps_error 0.01 and delta_error delta/1000
// (docs/math/composition-theorems.md, "Accountants of training runs").
TEST(Compare, TrainingRunsShowWhatAccountantsPrint) {
  struct Printed {
    SampledGaussian step;
    std::int64_t count;
    double delta, opacus, dp_accounting, central_limit, prv;
  };
  for (const Printed& run :
       {Printed{{256.0 / 60000, 1.1},
                14063,
                1e-5,
                2.5966555286883684,
                2.596655529521983,
                2.324361662835491,
                2.391836512806548},
        Printed{{0.01, 1.1}, 10000, 1e-6, 6.22995427339798, 6.229954273398027, 5.639976540313999, 5.817191126111286}}) {
    const Comparison got = compare(Plan().add(run.step, run.count), run.delta);
    EXPECT_NEAR(*row(got, "opacus-rdp").epsilon / run.opacus, 1, 1e-9);
    EXPECT_NEAR(*row(got, "dp-accounting-rdp").epsilon / run.dp_accounting, 1, 1e-9);
    EXPECT_NEAR(*row(got, "gdp-clt").epsilon_estimate / run.central_limit, 1, 1e-9);
    EXPECT_NEAR(*row(got, "prv").epsilon, run.prv, 5e-6);
    EXPECT_GE(*row(got, "opacus-rdp").epsilon, *row(got, "renyi-plan").epsilon);
    EXPECT_FALSE(row(got, "gdp-clt").epsilon);  // it is below the exact cost here
    EXPECT_LT(*row(got, "gdp-clt").epsilon_estimate, *row(got, "exact").epsilon);
    EXPECT_EQ(got.theorems[*got.best].name, "exact");
  }
}

// Gaussian noise that is not sampled is 1/s-GDP, so the central limit theorem has nothing to estimate.
TEST(Compare, TheCentralLimitOfGaussiansIsExact) {
  const Plan plan = Plan().add(Gaussian{4}, 3).add(Gaussian{.stddev = 6, .l2_sensitivity = 2}, 2);
  EXPECT_NEAR(*row(compare(plan, 1e-5), "gdp-clt").epsilon_estimate / exact_upper(plan, 1e-5), 1, 1e-9);
  const Plan all_records = Plan().add(SampledGaussian{.sampling_rate = 1, .noise_multiplier = 1}, 10);
  EXPECT_NEAR(*row(compare(all_records, 1e-5), "gdp-clt").epsilon_estimate / exact_upper(all_records, 1e-5), 1, 1e-9);
}

TEST(Compare, TheLargestCountOfPrvLeavesItsErrorUnspent) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 1000);
  const double budget = 6;
  const Comparison got = compare(plan, 1e-6, {.epsilon = budget});
  const std::int64_t count = row(got, "prv").largest_count->count;
  ASSERT_GT(count, 1);
  EXPECT_LE(*row(compare(Plan().add(plan, count), 1e-6), "prv").epsilon, budget);
  EXPECT_GT(*row(compare(Plan().add(plan, count + 1), 1e-6), "prv").epsilon, budget);
  EXPECT_FALSE(row(got, "gdp-clt").largest_count);
  EXPECT_EQ(row(compare(plan, 1e-6, {.epsilon = 0.001}), "prv").largest_count->count, 0);
}

TEST(Compare, AccountantsOfTrainingRunsAreShownForThoseOnly) {
  const auto has_row = [](const Comparison& got, std::string_view name) {
    return std::any_of(got.theorems.begin(), got.theorems.end(), [&](const auto& one) { return one.name == name; });
  };
  EXPECT_TRUE(has_row(compare(Plan().add(Gaussian{2}), 1e-5), "opacus-rdp"));
  EXPECT_FALSE(has_row(compare(Plan().add(Gaussian{2}).add(Laplace{3}), 1e-5), "opacus-rdp"));
  EXPECT_FALSE(has_row(compare(Plan(), 1e-5), "gdp-clt"));
  EXPECT_FALSE(has_row(compare(Plan().add(Gaussian{2}), 1e-5, {.exact = false}), "prv"));
  const Mechanism shuffled = Mechanism(Gaussian{2}).sampled_by({.scheme = Scheme::shuffled, .batches = 10});
  const Comparison epochs = compare(Plan(Neighbors::zero_out).add(shuffled, 3), 1e-5);
  for (const char* name : {"opacus-rdp", "dp-accounting-rdp", "gdp-clt", "prv"}) {
    EXPECT_THAT(row(epochs, name).obstacle, HasSubstr("Poisson")) << name;
  }
  EXPECT_THAT(row(epochs, "renyi-pure").obstacle, HasSubstr("gaussian has none"));
  // exp(1/s^2) overflows.
  EXPECT_THAT(row(compare(Plan().add(SampledGaussian{0.5, 0.02}), 1e-5), "gdp-clt").obstacle, HasSubstr("1e25"));
  EXPECT_EQ(row(compare(Plan().add(SampledGaussian{0, 1}), 1e-5), "gdp-clt").epsilon_estimate, 0);
}

// All of delta for basic, evenly over the runs, each with its exact epsilon.
TEST(Compare, StepsWithoutAPureEpsilonShareDelta) {
  const Gaussian noise{20};
  const Comparison got = compare(Plan().add(noise, 10).add(PureDp{0.25}), 1e-5);
  EXPECT_NEAR(*row(got, "basic").epsilon / (10 * exact_upper(Plan().add(noise), 1e-6) + 0.25), 1, 1e-12);
  for (const char* name : {"renyi-event", "renyi-corollary", "renyi-lemma", "renyi-pure"}) {
    EXPECT_THAT(row(got, name).obstacle, HasSubstr("gaussian has none")) << name;
  }
  EXPECT_THAT(row(got, "optimal").obstacle, HasSubstr("equal steps"));
  EXPECT_TRUE(row(compare(Plan().add(noise, 10), 1e-5), "optimal").epsilon);
}

// One step has one guarantee: nothing is lost by basic composition, nor by the optimal one.
TEST(Compare, OneStepIsExact) {
  for (const Plan& plan : {Plan().add(Gaussian{2}), Plan().add(SampledGaussian{0.01, 1}),
                           Plan().add(make_mechanism("discrete-gaussian", {{"stddev", 3}, {"sensitivity", 1}}))}) {
    const Comparison got = compare(plan, 1e-5);
    EXPECT_EQ(*row(got, "basic").epsilon, exact_upper(plan, 1e-5));
    EXPECT_EQ(*row(got, "optimal").epsilon, exact_upper(plan, 1e-5));
  }
  EXPECT_NEAR(*row(compare(Plan().add(Gaussian{2}), 1e-5), "basic").epsilon, 1.9931, 5e-5);
}

Mechanism approx(double epsilon, double delta) {
  return make_mechanism("approx-dp", {{"epsilon", epsilon}, {"delta", delta}});
}

// delta of k steps that are (e, d)-DP, from Kairouz, Oh, Viswanath 2015: every number of wrong answers by itself.
long double enumerated_delta(int k, long double e, long double d, long double at) {
  const long double p = 1 / (1 + std::exp(-e));
  long double sum = 0;
  for (int i = 0; i <= k; ++i) {
    const long double loss = (k - 2 * i) * e;
    const long double choose = std::exp(std::lgamma(k + 1.0L) - std::lgamma(i + 1.0L) - std::lgamma(k - i + 1.0L));
    const long double weight = choose * std::pow(p, k - i) * std::pow(1 - p, i);
    if (loss > at) sum += weight * (1 - std::exp(at - loss));
  }
  return 1 - std::pow(1 - d, k) * (1 - sum);
}

// The steps' deltas are what they are, 1e-6 in all, and what is left is the theorem's own: 5e-7.
TEST(Compare, StepsOfFixedDeltaLeaveTheRestToTheTheorem) {
  const Comparison got = compare(Plan().add(approx(0.1, 1e-8), 100), 1.5e-6);
  const long double slack = 1.5e-6L - 1e-6L, k = 100, e = 0.1L;
  const long double advanced = e * std::sqrt(2 * k * std::log(1 / slack)) + k * e * std::expm1(e);
  EXPECT_NEAR(static_cast<double>(advanced), 6.438, 5e-4);
  EXPECT_NEAR(*row(got, "advanced").epsilon / static_cast<double>(advanced), 1, 1e-12);
  const double optimal = *row(got, "optimal").epsilon;
  EXPECT_LE(enumerated_delta(100, e, 1e-8L, optimal), 1.5e-6L * (1 + 1e-12L));
  EXPECT_GT(enumerated_delta(100, e, 1e-8L, optimal * (1 - 1e-9)), 1.5e-6L);
  EXPECT_NEAR(*row(got, "basic").epsilon, 10, 1e-12);
}

// Equal epsilons are enough for the optimal theorem: failures multiply, whatever their probabilities.
TEST(Compare, OptimalAllowsDifferentDeltas) {
  const Comparison mixed = compare(Plan().add(approx(0.5, 1e-6), 4).add(PureDp{0.5}, 6), 1e-4);
  const double left = (1e-4 - 4e-6) / (1 - 4e-6);
  ASSERT_TRUE(row(mixed, "optimal").epsilon) << row(mixed, "optimal").obstacle;
  EXPECT_NEAR(*row(mixed, "optimal").epsilon, *row(compare(Plan().add(PureDp{0.5}, 10), left), "optimal").epsilon,
              1e-8);
}

// The best of 4,000 epsilons of a step, each with its exact delta and the rest of delta for the theorem.
TEST(Compare, TheSplitOfDeltaIsTheBest) {
  const double delta = 1e-5, runs = 50;
  const PrivacyProfile one(Plan().add(Gaussian{8}));
  double advanced = HUGE_VAL, optimal = HUGE_VAL;
  const double least = one.epsilon(delta / runs).worst.lower;
  for (int i = 1; i <= 4000; ++i) {
    const double e = least * (1 + i * 1e-4), d = one.delta(e).worst.upper;
    const double slack = delta - runs * d;
    if (!(slack > 0)) continue;
    advanced = std::min(advanced, e * std::sqrt(2 * runs * std::log(1 / slack)) + runs * e * std::expm1(e));
    const Comparison stated = compare(Plan().add(approx(e, d), 50), delta, {.exact = false});
    optimal = std::min(optimal, *row(stated, "optimal").epsilon);
  }
  const Comparison got = compare(Plan().add(Gaussian{8}, 50), delta);
  EXPECT_NEAR(*row(got, "advanced").epsilon / advanced, 1, 1e-6);
  EXPECT_LE(*row(got, "optimal").epsilon, optimal * (1 + 1e-6));  // it has kinks, which the list may miss
}

// The epsilon of a row can be recomputed from its split of delta.
TEST(Compare, TheSplitIsSaid) {
  const double delta = 1e-5;
  const Plan noise = Plan().add(Gaussian{20});
  const Comparison got = compare(Plan().add(Gaussian{20}, 10).add(PureDp{0.25}, 3).add(approx(0.5, 1e-7), 2), delta);
  for (const char* name : {"basic", "advanced"}) {
    const auto& split = row(got, name).split;
    ASSERT_TRUE(split && split->steps.size() == 3) << name;
    EXPECT_EQ(split->steps[0].count, 10);
    double spent = 0;
    for (const StepGuarantee& step : split->steps) spent += step.delta * static_cast<double>(step.count);
    EXPECT_GE(split->spent, spent);
    EXPECT_LE(split->spent, spent * (1 + 1e-14));
    EXPECT_LE(PrivacyProfile(noise).delta(split->steps[0].epsilon).worst.lower, split->steps[0].delta);
    EXPECT_EQ(split->steps[1].epsilon, 0.25);
    EXPECT_EQ(split->steps[1].delta, 0);
    EXPECT_EQ(split->steps[2].epsilon, 0.5);
    EXPECT_EQ(split->steps[2].delta, 1e-7);
    EXPECT_LE(10 * split->steps[0].delta + 2e-7 + split->slack, delta * (1 + 1e-15)) << name;
    EXPECT_GE(10 * split->steps[0].delta + 2e-7 + split->slack, delta * (1 - 1e-12)) << name;
  }
  const DeltaSplit& split = *row(got, "advanced").split;
  double squares = 0, drift = 0;
  for (const StepGuarantee& step : split.steps) {
    squares += static_cast<double>(step.count) * step.epsilon * step.epsilon;
    drift += static_cast<double>(step.count) * step.epsilon * std::expm1(step.epsilon);
  }
  EXPECT_NEAR(*row(got, "advanced").epsilon / (std::sqrt(2 * std::log(1 / split.slack) * squares) + drift), 1, 1e-13);
  EXPECT_EQ(row(got, "basic").split->slack, 0);
  EXPECT_FALSE(row(got, "renyi-plan").split);
  EXPECT_EQ(row(compare(Plan().add(PureDp{1}, 5), delta), "optimal").split->slack, delta);
  EXPECT_FALSE(row(compare(Plan().add(approx(1, 1e-3)), delta), "basic").split);  // infinite
}

// Failures of many steps meet: they need less than the sum of their deltas.
TEST(Compare, OptimalPaysForFailuresOnce) {
  const Comparison got = compare(Plan().add(approx(0.1, 0.01), 100), 0.7);
  EXPECT_TRUE(std::isinf(*row(got, "basic").epsilon));
  const double optimal = *row(got, "optimal").epsilon;
  EXPECT_LE(enumerated_delta(100, 0.1L, 0.01L, optimal), 0.7L * (1 + 1e-12L));
  EXPECT_GT(enumerated_delta(100, 0.1L, 0.01L, optimal * (1 - 1e-9)), 0.7L);
}

// Sums of many terms are not searched by, but the answer is no worse than by halves.
TEST(Compare, ManyRunsAreSplitToo) {
  const Comparison got = compare(Plan().add(Gaussian{1e5}, 2'000'000), 1e-5, {.exact = false});
  const double half = renyi_epsilon(Plan().add(Gaussian{1e5}), 0.5e-5 / 2e6).upper;
  const Comparison halved = compare(Plan().add(approx(half, 0.5e-5 / 2e6), 2'000'000), 1e-5, {.exact = false});
  EXPECT_LT(*row(got, "optimal").epsilon, *row(halved, "optimal").epsilon);
  EXPECT_LT(*row(got, "optimal").epsilon, *row(got, "advanced").epsilon);
}

// Without its condition, the formula is below the exact value, which "optimal" gives.
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

TEST(CompareExact, IsTheLastRowAndTheSmallest) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 10'000);
  const Comparison got = compare(plan, 1e-5);
  EXPECT_EQ(exact_row(got).name, "exact");
  EXPECT_EQ(*exact_row(got).epsilon, exact_upper(plan, 1e-5));
  EXPECT_THAT(exact_row(got).note, IsEmpty());
  EXPECT_EQ(*got.best, got.theorems.size() - 1);
  for (const TheoremAnswer& answer : got.theorems) {
    if (answer.name != "exact" && answer.epsilon) {
      EXPECT_GT(*answer.epsilon, (answer.name == "prv" ? 1 : 1.05) * *exact_row(got).epsilon) << answer.name;
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
  const Comparison got = compare(Plan().add(Zcdp{.rho = 1}), 1e-5, {.epsilon = 10, .event = {}});
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
