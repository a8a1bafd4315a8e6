// The exact row of the comparison.
#include "renyi/exact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "renyi/compare.h"

namespace renyi {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
}  // namespace renyi
