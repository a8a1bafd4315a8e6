// A step given by the probabilities of its outcomes.
#include <gtest/gtest.h>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/extras/custom.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"
#include "support/expect.h"

namespace renyi::mechanism_pairs_test {
namespace {

using test::infinity;

Mechanism pairs(Rows rows) { return make_mechanism("pairs", {}, {{"probabilities", std::move(rows)}}); }

TEST(Pairs, AResponseIsAResponse) {
  const Plan table = Plan().add(pairs({{0.75, 0.25}, {0.25, 0.75}}), 40),
             known = Plan().add(RandomizedResponse{0.75}, 40);
  EXPECT_NEAR(renyi_epsilon(table, 1e-5).upper, renyi_epsilon(known, 1e-5).upper, 1e-9);
  const ExactInterval a = PrivacyProfile(table).epsilon(1e-5).worst, b = PrivacyProfile(known).epsilon(1e-5).worst;
  EXPECT_LE(a.lower, b.upper);
  EXPECT_LE(b.lower, a.upper);
  EXPECT_LE(a.upper - a.lower, 1e-5);
}

TEST(Pairs, IsTheOwnPairOfTheSameNumbers) {
  const Mechanism own = custom_pair("same", DistributionPair::discrete({0.01, 0.6, 0.39}, {0, 0.4, 0.6}));
  const Mechanism table = pairs({{0.01, 0}, {0.6, 0.4}, {0.39, 0.6}});
  for (const double epsilon : {0.0, 0.3, 2.0}) {
    const ExactAnswer a = PrivacyProfile(Plan().add(own, 3)).delta(epsilon);
    const ExactAnswer b = PrivacyProfile(Plan().add(table, 3)).delta(epsilon);
    EXPECT_EQ(a.remove.upper, b.remove.upper);
    EXPECT_EQ(a.add.lower, b.add.lower);
  }
}

TEST(Pairs, EqualTablesAreEqualSteps) {
  const Plan plan = Plan().add(pairs({{0.5, 0.4}, {0.5, 0.6}})).add(pairs({{0.5, 0.4}, {0.5, 0.6}}));
  EXPECT_EQ(plan.merged().size(), 1U);
  EXPECT_EQ(read_plan(write_plan(plan)).merged().front().mechanism, plan.merged().front().mechanism);
  EXPECT_NE(pairs({{0.5, 0.4}, {0.5, 0.6}}), pairs({{0.5, 0.6}, {0.5, 0.4}}));
}

TEST(Pairs, WhatIsNoPairOfLawsIsRefused) {
  EXPECT_THROW(pairs({{0.5, 0.5}, {0.4, 0.5}}), InvalidArgument);
  EXPECT_THROW(pairs({{0.5, 0.5}, {0.5, 0.5 + 1e-8}}), InvalidArgument);
  EXPECT_THROW(pairs({{1.5, 0.5}, {-0.5, 0.5}}), InvalidArgument);
  EXPECT_THROW(pairs({{1}}), InvalidArgument);
  EXPECT_THROW(pairs({}), InvalidArgument);
  EXPECT_NO_THROW(pairs({{0.5, 0.5}, {0.5, 0.5 + 1e-10}}));
}

}  // namespace
}  // namespace renyi::mechanism_pairs_test
