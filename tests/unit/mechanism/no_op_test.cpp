// A step that costs nothing, whatever is done with it.
#include <gtest/gtest.h>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::no_op_test {
namespace {

const Mechanism no_op = make_mechanism("no-op");

TEST(NoOp, CostsNothing) {
  for (const Neighbors neighbors : {Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out}) {
    const Plan plan = Plan(neighbors, 3).add(no_op, 1'000'000);
    EXPECT_EQ(renyi_epsilon(plan, 0).upper, 0);
    EXPECT_EQ(PrivacyProfile(plan).epsilon(0).worst.upper, 0);
    EXPECT_EQ(PrivacyProfile(plan).delta(0).worst.upper, 0);
  }
}

TEST(NoOp, AddsNothing) {
  const Plan alone = Plan().add(Gaussian{3}, 5), both = Plan(alone).add(no_op, 9);
  EXPECT_EQ(renyi_epsilon(both, 1e-5).upper, renyi_epsilon(alone, 1e-5).upper);
  EXPECT_EQ(PrivacyProfile(both).epsilon(1e-5).worst.upper, PrivacyProfile(alone).epsilon(1e-5).worst.upper);
}

TEST(NoOp, StaysFreeOnSamples) {
  const Plan plan = Plan(Neighbors::replace_one).add(no_op.sampled_by(Sampling::poisson(0.3)), 4);
  EXPECT_EQ(renyi_epsilon(plan, 0).upper, 0);
  EXPECT_EQ(read_plan(write_plan(plan)).merged().front().mechanism, plan.merged().front().mechanism);
}

}  // namespace
}  // namespace renyi::no_op_test
