#include "renyi/closed_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "renyi/account.h"
#include "renyi/error.h"

namespace renyi {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
}  // namespace renyi
