#include <gtest/gtest.h>

#include "renyi/error.h"
#include "renyi/plan.h"

namespace renyi {
namespace {

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
}  // namespace renyi
