// A step without any privacy.
#include <gtest/gtest.h>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"
#include "renyi/tradeoff.h"
#include "support/expect.h"

namespace renyi::non_private_test {
namespace {

using test::infinity;

const Mechanism non_private = make_mechanism("non-private");

TEST(NonPrivate, PromisesNothing) {
  for (const Neighbors neighbors : {Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out}) {
    const Plan plan = Plan(neighbors, 2).add(Gaussian{5}).add(non_private);
    for (const double delta : {0.0, 1e-5, 0.999}) {
      EXPECT_EQ(renyi_epsilon(plan, delta).upper, infinity);
      EXPECT_EQ(PrivacyProfile(plan).epsilon(delta).worst.lower, infinity);
    }
    EXPECT_EQ(renyi_epsilon(plan, 1).upper, 0);
    EXPECT_EQ(PrivacyProfile(plan).epsilon(1).worst.upper, 0);
    for (const double epsilon : {0.0, 3.0, 1e6, infinity}) {
      EXPECT_EQ(renyi_delta(plan, epsilon).upper, 1);
      EXPECT_EQ(PrivacyProfile(plan).delta(epsilon).worst.lower, 1);
    }
    EXPECT_EQ(renyi_epsilon(plan, 0.5).infinite_mass, 1);
  }
}

TEST(NonPrivate, ATestFindsEveryRecord) {
  const std::vector<double> none{0.0};
  EXPECT_EQ(tradeoff(Plan().add(non_private), none).front().worst.power.lower, 1);
  EXPECT_EQ(advantage(Plan().add(non_private)).lower, 1);
}

// Who is drawn is revealed: delta is 1 - (1-q)^n in the direction remove. Who is added shows by not being seen:
// with the record nothing is seen with probability (1-q)^n only, so that the loss is at most n ln(1/(1-q)).
TEST(NonPrivate, ASampleRevealsThoseWhoAreDrawn) {
  const double rate = 0.01;
  for (const int n : {1, 7}) {
    const Plan plan = Plan().add(non_private.sampled_by(Sampling::poisson(rate)), n);
    const double drawn = -std::expm1(n * std::log1p(-rate)), most = -n * std::log1p(-rate);
    const PrivacyProfile exact(plan);
    EXPECT_NEAR(exact.delta(0).worst.upper, drawn, 1e-14);
    EXPECT_NEAR(exact.delta(3).remove.upper, drawn, 1e-14);
    EXPECT_NEAR(exact.delta(3).remove.lower, drawn, 1e-14);
    EXPECT_EQ(exact.delta(3).add.upper, 0);
    EXPECT_NEAR(exact.delta(0.005).add.upper, -std::expm1(0.005 - most), 1e-13);
    EXPECT_NEAR(exact.epsilon(0).add.upper, most, 1e-13);
    EXPECT_EQ(exact.epsilon(0.5 * drawn).remove.lower, infinity);
    EXPECT_LE(exact.epsilon(1.01 * drawn).remove.upper, 1e-12);
    EXPECT_EQ(renyi_epsilon(plan, 0.5 * drawn).upper, infinity);
    EXPECT_LE(renyi_epsilon(plan, 1.01 * drawn).upper, most * (1 + 1e-12));
  }
}

// Under replace-one both records may be drawn, each with probability q: those of the other dataset are as disjoint.
TEST(NonPrivate, SamplesUnderEveryRelation) {
  const Sampling poisson = Sampling::poisson(0.2), fixed = Sampling::fixed_size(10, 2);
  for (const Sampling& sampling : {poisson, fixed}) {
    const PrivacyProfile exact(Plan(Neighbors::replace_one).add(non_private.sampled_by(sampling)));
    for (const Direction direction : test::both_directions) {
      const ExactAnswer far = exact.delta(10);
      EXPECT_NEAR((direction == Direction::remove ? far.remove : far.add).upper, 0.2, 1e-14);
    }
    EXPECT_NEAR(exact.delta(0).worst.lower, 0.2, 1e-14);
  }
  const PrivacyProfile zeroed(Plan(Neighbors::zero_out).add(non_private.sampled_by(poisson)));
  EXPECT_NEAR(zeroed.delta(1).worst.upper, 0.2, 1e-14);
  // Three records, each drawn by itself.
  const PrivacyProfile person(Plan(Neighbors::add_or_remove_one, 3).add(non_private.sampled_by(poisson)));
  EXPECT_NEAR(person.delta(10).remove.upper, 1 - 0.8 * 0.8 * 0.8, 1e-13);
}

}  // namespace
}  // namespace renyi::non_private_test
