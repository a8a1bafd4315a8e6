#include "renyi/rdp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "renyi/error.h"
#include "renyi/papers/closed_form.h"
#include "renyi/papers/sampled_gaussian.h"
#include "support/expect.h"

namespace renyi::rdp_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<double> some_orders{1, 2, 4.5, test::infinity};

TEST(Rdp, OfAPlanIsTheSumOfItsSteps) {
  const auto answers = rdp(Plan().add(Gaussian{2}, 8).add(PureDp{0}, 3), some_orders);
  ASSERT_EQ(answers.size(), 4U);
  EXPECT_NEAR(answers[0].value, 1, 1e-14);
  EXPECT_NEAR(answers[1].value, 2, 1e-14);
  EXPECT_NEAR(answers[2].value, 4.5, 1e-14);
  EXPECT_EQ(answers[3].upper(), test::infinity);
}

TEST(Rdp, TakesTheLargerDirectionUnlessAsked) {
  const Plan plan = Plan().add(SampledGaussian{0.2, 1}, 10);
  const std::vector<double> order{6};
  const Bounded larger = rdp(plan, order).at(0);
  const Bounded remove = rdp(plan, order, {.direction = Direction::remove}).at(0);
  const Bounded add = rdp(plan, order, {.direction = Direction::add}).at(0);
  EXPECT_EQ(larger.value, remove.value);
  EXPECT_LT(add.upper(), remove.lower());
}

TEST(Rdp, MethodsAnswerForMixedPlans) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 5}, 100).add(Gaussian{20}, 3).add(SampledGaussian{0.02, 6});
  const std::vector<double> order{4};
  const Bounded usual = rdp(plan, order).at(0);
  test::expect_overlap(rdp(plan, order, {.method = SampledGaussianMethod::integer}).at(0), usual);
  test::expect_overlap(rdp(plan, order, {.method = SampledGaussianMethod::series}).at(0), usual);
  EXPECT_GT(rdp(plan, order, {.method = SampledGaussianMethod::closed_form}).at(0).lower(), usual.upper());
}

TEST(Rdp, MethodsSayWhereTheyDoNotApply) {
  const std::vector<double> half{2.5};
  const Plan plan = Plan().add(SampledGaussian{0.01, 1});
  EXPECT_THROW(rdp(plan, half, {.method = SampledGaussianMethod::integer}), Unsupported);
  EXPECT_THROW(rdp(plan, half, {.method = SampledGaussianMethod::closed_form}), Unsupported);
}

TEST(Rdp, RefusesOrdersBelowOne) {
  const auto curve = Mechanism(Gaussian{1}).curve();
  for (const double order : {0.999, -1.0, std::nan("")}) {
    EXPECT_THROW(rdp(*curve, order), InvalidArgument);
    EXPECT_THROW(divergence(*curve, order, Direction::add), InvalidArgument);
    const std::vector<double> bad{2, order};
    EXPECT_THROW(rdp(Plan().add(Gaussian{1}), bad), InvalidArgument);
  }
}

TEST(Rdp, OneOrderIsThatOfTheList) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 1.1}, 100);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const std::vector<double> orders{4.5};
    EXPECT_EQ(rdp(plan, 4.5, {.direction = direction}).upper(), rdp(plan, orders, {.direction = direction})[0].upper());
  }
  EXPECT_THROW(rdp(plan, 0.5), InvalidArgument);
}

TEST(Rdp, NoOrdersNoAnswers) { EXPECT_TRUE(rdp(Plan().add(Gaussian{1}), std::vector<double>{}).empty()); }

TEST(ClosedFormComparison, RowsAreTheLibrarysCurveAndTheTheoremsBound) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 4}, 1000);
  const std::vector<double> orders{2, 14, 15};
  const auto got = compare_closed_form(plan, orders);
  ASSERT_EQ(got.rows.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(got.rows[i].exact.upper(), rdp(plan, orders)[i].upper());
  EXPECT_NEAR(got.rows[1].closed_form->value, 1000 * 2 * 1e-4 * 14 / 16, 1e-13);
  EXPECT_NEAR(*got.rows[1].ratio_estimate, got.rows[1].closed_form->value / got.rows[1].exact.value, 1e-12);
  EXPECT_FALSE(got.rows[2].closed_form);
  EXPECT_FALSE(got.rows[2].ratio_estimate);
  EXPECT_THAT(got.rows[2].obstacle, HasSubstr("order <= s^2 L/2 - 2 ln s fails"));
}

TEST(ClosedFormComparison, SeveralStepsAddUpAndTheFirstEndCounts) {
  const SampledGaussian wide{0.01, 8}, narrow{0.01, 4};
  const auto got = compare_closed_form(Plan().add(wide, 2).add(narrow, 3), std::vector<double>{4, 20});
  EXPECT_NEAR(got.rows[0].closed_form->value, 2 * (2 * 1e-4 * 4 / 64) + 3 * (2 * 1e-4 * 4 / 16), 1e-15);
  EXPECT_FALSE(got.rows[1].closed_form);
  ASSERT_EQ(got.steps.size(), 2U);
  EXPECT_GT(got.steps[0].end.order, 20);
  EXPECT_LT(got.steps[1].end.order, 20);
  EXPECT_EQ(got.steps[1].count, 3);
}

// 14.3428: solved from a = s^2 ln(1 + 1/(q (a-1)))/2 - 2 ln s with 30 digits.
TEST(ClosedFormEnd, ByHand) {
  const ClosedFormEnd end = closed_form_end({0.01, 4});
  EXPECT_NEAR(end.order, 14.342885552265053, 1e-12);
  EXPECT_EQ(end.condition, "order <= s^2 L/2 - 2 ln s");
  EXPECT_THAT(closed_form_end({0.1, 10}).condition, HasSubstr("ln 5"));
}

TEST(ClosedFormEnd, NowhereOrEverywhere) {
  EXPECT_EQ(closed_form_end({0.25, 4}).order, 1);
  EXPECT_EQ(closed_form_end({0.25, 4}).condition, "sampling_rate <= 1/5");
  EXPECT_EQ(closed_form_end({0.1, 3.9}).condition, "noise_multiplier >= 4");
  EXPECT_EQ(closed_form_end({0, 4}).order, std::numeric_limits<double>::infinity());
  EXPECT_THROW(closed_form_end({-1, 4}), InvalidArgument);
}

// Without orders a grid on both sides of the end, short enough to read.
TEST(ClosedFormComparison, TheGridReachesBeyondTheEnd) {
  for (const double noise : {4.0, 30.0, 1e4, 1e6}) {
    const auto got = compare_closed_form(Plan().add(SampledGaussian{0.01, noise}));
    EXPECT_LE(got.rows.size(), 16U);
    EXPECT_GE(got.rows.size(), 8U);
    EXPECT_TRUE(got.rows.front().closed_form) << noise;
    EXPECT_FALSE(got.rows.back().closed_form) << noise;
    EXPECT_GE(got.rows.back().order, got.steps[0].end.order) << noise;
    for (std::size_t i = 1; i < got.rows.size(); ++i) EXPECT_GT(got.rows[i].order, got.rows[i - 1].order);
  }
}

TEST(ClosedFormComparison, StepsThatSampleNobodyHaveNoRatio) {
  const auto got = compare_closed_form(Plan().add(SampledGaussian{0, 4}), std::vector<double>{2});
  EXPECT_EQ(got.rows[0].exact.upper(), 0);
  EXPECT_EQ(got.rows[0].closed_form->upper(), 0);
  EXPECT_FALSE(got.rows[0].ratio_estimate);
}

TEST(ClosedFormComparison, OtherStepsAreNamed) {
  try {
    compare_closed_form(Plan().add(SampledGaussian{0.01, 4}).add(Laplace{3}));
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_THAT(error.what(), HasSubstr("laplace"));
  }
}

}  // namespace
}  // namespace renyi::rdp_test
