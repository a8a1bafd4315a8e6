#include "renyi/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "renyi/error.h"

namespace renyi::plan_test {
namespace {

using ::testing::HasSubstr;
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

TEST(Plan, MergesInOrderOfFirstUse) {
  Plan plan;
  plan.add(Gaussian{2}).add(Laplace{3}, 4).add(Gaussian{2}, 5).add(Gaussian{7});
  const auto merged = plan.merged();
  ASSERT_EQ(merged.size(), 3U);
  EXPECT_EQ(merged[0].mechanism, Mechanism(Gaussian{2}));
  EXPECT_EQ(merged[0].count, 6);
  EXPECT_EQ(merged[1].mechanism, Mechanism(Laplace{3}));
  EXPECT_EQ(merged[1].count, 4);
  EXPECT_EQ(merged[2].count, 1);
}

TEST(Plan, NestedCountsMultiply) {
  const Steps inner{Step{Mechanism(Gaussian{2}), 3}, Step{Mechanism(Laplace{1}), 1}};
  const Steps outer{Step{inner, 5}, Step{Mechanism(Gaussian{2}), 1}};
  const auto merged = Plan().add(outer, 7).merged();
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].count, 7 * (5 * 3 + 1));
  EXPECT_EQ(merged[1].count, 7 * 5);
}

TEST(Plan, AddsAnotherPlanAsAGroup) {
  const Plan inner = Plan().add(Gaussian{2}, 3);
  const Plan outer = Plan().add(inner, 4);
  ASSERT_EQ(outer.steps().size(), 1U);
  EXPECT_EQ(outer.merged().at(0).count, 12);
}

TEST(Plan, RefusesCountsBelowOneAndChangesNothing) {
  Plan plan;
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_THROW(plan.add(Gaussian{1}, count), InvalidArgument);
    EXPECT_THROW(plan.add(Steps{Step{Mechanism(Gaussian{1}), count}}), InvalidArgument);
  }
  EXPECT_TRUE(plan.steps().empty());
}

TEST(Plan, CountsReach2To63Minus1AndNoFurther) {
  EXPECT_EQ(Plan().add(Gaussian{1}, most).merged().at(0).count, most);
  try {
    Plan().add(Steps{Step{Mechanism(Gaussian{1}), most}}, 2);
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.path(), "count");
    EXPECT_THAT(error.what(), HasSubstr("2^63-1"));
  }
  Plan twice;
  twice.add(Gaussian{1}, most).add(Gaussian{1});
  EXPECT_THROW(twice.merged(), InvalidArgument);
  EXPECT_THROW(compose(twice), InvalidArgument);
}

Steps nested(int depth) {
  Steps steps{Step{Mechanism(Gaussian{1}), 1}};
  for (int i = 0; i < depth; ++i) steps = Steps{Step{steps, 1}};
  return steps;
}

TEST(Plan, RefusesNestingBeyondItsDepth) {
  EXPECT_NO_THROW(Plan().add(nested(20)));
  try {
    Plan().add(nested(100));
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("levels"));
  }
}

TEST(Plan, RefusesMechanismsNotAnalysedUnderItsRelation) {
  const Mechanism shuffled = Mechanism(Gaussian{1}).sampled_by(Sampling::shuffled(10));
  Plan plan;
  EXPECT_NO_THROW(plan.add(Gaussian{1}));
  EXPECT_THROW(plan.add(shuffled), Unsupported);
  EXPECT_THROW(plan.add(Steps{Step{Steps{Step{shuffled, 1}}, 2}}), Unsupported);
  EXPECT_EQ(plan.steps().size(), 1U);
  EXPECT_NO_THROW(Plan(Neighbors::zero_out).add(shuffled));
  EXPECT_NO_THROW(Plan(Neighbors::replace_one).add(shuffled));
  EXPECT_THROW(Plan(Neighbors::replace_one).add(Parallel({{Step{Gaussian{1}}}})), Unsupported);
  EXPECT_THROW(Plan(Neighbors::zero_out, 2).add(Parallel({{Step{Gaussian{1}}}})), Unsupported);
}

TEST(Plan, EveryRelationAnalysesTheSampledGaussian) {
  for (const Neighbors n : {Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out}) {
    EXPECT_NO_THROW(Plan(n).add(SampledGaussian{0.01, 1})) << to_string(n);
  }
}

TEST(Plan, AUnitIsFrom1ToItsLargest) {
  for (const std::int64_t unit : {std::int64_t{0}, std::int64_t{-1}, largest_unit + 1}) {
    EXPECT_THROW(Plan(Neighbors::zero_out, unit), InvalidArgument) << unit;
  }
  EXPECT_EQ(Plan(Neighbors::zero_out, largest_unit).unit(), largest_unit);
  EXPECT_THROW(Plan(Neighbors::zero_out, 2).add(Plan(Neighbors::zero_out)), InvalidArgument);
}

TEST(Plan, RefusesToMixRelations) {
  const Plan other = Plan(Neighbors::replace_one).add(Gaussian{1});
  try {
    Plan().add(other);
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.path(), "neighbors");
    EXPECT_THAT(error.what(), HasSubstr("replace-one"));
    EXPECT_THAT(error.what(), HasSubstr("add-or-remove-one"));
  }
}

Mechanism shuffled(const Mechanism& mechanism, double batches) {
  return mechanism.sampled_by(Sampling::shuffled(batches));
}

TEST(UnderPoisson, IsNothingWithoutShuffledEpochs) {
  EXPECT_FALSE(under_poisson(Plan()));
  EXPECT_FALSE(under_poisson(Plan().add(Laplace{2}).add(Mechanism(Laplace{2}).sampled_by(Sampling::poisson(0.1)))));
}

TEST(UnderPoisson, AnEpochIsItsBatchesAtTheirRate) {
  const Plan plan = Plan(Neighbors::zero_out, 3).add(shuffled(Gaussian{2}, 200), 5).add(Laplace{7}, 4);
  const auto drawn = under_poisson(plan);
  ASSERT_TRUE(drawn);
  EXPECT_EQ(drawn->adjacency(), plan.adjacency());
  const auto merged = drawn->merged();
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].mechanism, Mechanism(Gaussian{2}).sampled_by(Sampling::poisson(1.0 / 200)));
  EXPECT_EQ(merged[0].count, 1000);
  EXPECT_EQ(merged[1].mechanism, Mechanism(Laplace{7}));
  EXPECT_EQ(merged[1].count, 4);
}

TEST(UnderPoisson, ReachesGroupsAndParallelParts) {
  const Step epoch{shuffled(RandomizedResponse{0.6}, 10), 2};
  const auto group = under_poisson(Plan(Neighbors::zero_out).add(Steps{epoch}, 3));
  ASSERT_TRUE(group);
  EXPECT_EQ(group->merged()[0].count, 60);
  const auto parts = under_poisson(Plan(Neighbors::zero_out).add(Parallel({{Step{Laplace{2}}}, {epoch}})));
  ASSERT_TRUE(parts);
  const auto* parallel = std::get<Mechanism>(parts->steps()[0].what).get_if<Parallel>();
  ASSERT_NE(parallel, nullptr);
  EXPECT_EQ(std::get<Mechanism>(parallel->parts()[0][0].what), Mechanism(Laplace{2}));
  const Step& redrawn = parallel->parts()[1][0];
  EXPECT_EQ(redrawn.count, 2);
  EXPECT_EQ(std::get<Steps>(redrawn.what)[0].count, 10);
}

TEST(UnderPoisson, RefusesCountsBeyondTheLargest) {
  const Plan plan = Plan(Neighbors::zero_out).add(shuffled(Laplace{2}, 1e15), 1'000'000);
  EXPECT_THROW(under_poisson(plan), InvalidArgument);
}

}  // namespace
}  // namespace renyi::plan_test
