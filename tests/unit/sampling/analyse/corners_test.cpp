// Corners of the table of who gets what, each once answered wrongly or not at all.
#include <gtest/gtest.h>

#include <cmath>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/extras/privacy_loss.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::corners_test {
namespace {

double largest_loss(const Mechanism& said, const Adjacency& adjacency, Direction direction) {
  return analysed(said, adjacency).curve()->max_loss(direction).upper();
}

// Each batch of an epoch gives an answer of its own, and a person's records may lie in several.
TEST(AnalyseCorners, AnswersOfSeveralBatchesAdd) {
  const double e = std::log(3.0);
  const Mechanism step = Mechanism(RandomizedResponse{0.75}).sampled_by(Sampling::shuffled(10));
  for (const Neighbors neighbors : {Neighbors::zero_out, Neighbors::replace_one}) {
    EXPECT_NEAR(largest_loss(step, {neighbors, 1}, Direction::remove), e, 1e-12);
    EXPECT_GE(largest_loss(step, {neighbors, 3}, Direction::remove), 3 * e);
    EXPECT_NEAR(largest_loss(step, {neighbors, 3}, Direction::remove), 3 * e, 1e-12);
    EXPECT_NEAR(largest_loss(step, {neighbors, 1000}, Direction::remove), 10 * e, 1e-11);
  }
}

TEST(AnalyseCorners, AnEpochIsBoundedNotKnown) {
  const Plan plan = Plan(Neighbors::zero_out).add(Mechanism(Gaussian{4}).sampled_by(Sampling::shuffled(10)), 3);
  EXPECT_FALSE(PrivacyLoss(plan, Direction::remove).known());
  const Plan whole = Plan(Neighbors::zero_out).add(Gaussian{4}, 3);
  EXPECT_NEAR(PrivacyProfile(plan).epsilon(1e-5).worst.upper, PrivacyProfile(whole).epsilon(1e-5).worst.upper, 1e-9);
}

TEST(AnalyseCorners, ALimitIsNeverAttained) {
  const Plan plan = Plan().add(Mechanism(Gaussian{4}).sampled_by(Sampling::truncated_poisson(0.5, 1000, 1)));
  EXPECT_FALSE(PrivacyLoss(plan, Direction::remove).known());
}

// All records are drawn: the batch overflows always or never.
TEST(AnalyseCorners, ALimitOnAllRecords) {
  const auto rdp_of = [](double limit) {
    const Mechanism step = Mechanism(Gaussian{4}).sampled_by(Sampling::truncated_poisson(1, 10, limit));
    return rdp(*analysed(step, {Neighbors::zero_out, 1}).curve(), 2).value;
  };
  EXPECT_NEAR(rdp_of(3), 1 / 16.0, 1e-12);  // the emptied record is in the batch or not: no other takes its place
  EXPECT_NEAR(rdp_of(10), 1 / 16.0, 1e-12);
}

// -ln(1-g) of the largest loss of add: rounding g down, or to 1, would lose it.
TEST(AnalyseCorners, RatesNextToOneKeepTheirLosses) {
  const Mechanism pure = Mechanism(PureDp{30}).sampled_by(Sampling::poisson(0.9));
  EXPECT_GE(largest_loss(pure, {Neighbors::add_or_remove_one, 16}, Direction::add), 16 * std::log(10.0));
  const double n = 7e14;
  const Mechanism laplace = Mechanism(Laplace{0.001}).sampled_by(Sampling::fixed_size(n, n - 1));
  EXPECT_GE(largest_loss(laplace, {}, Direction::add), std::log(n));
}

TEST(AnalyseCorners, ManyHitsAreServed) {
  for (const Sampling& sampling : {Sampling::with_replacement(10, 400), Sampling::with_replacement(1e6, 16384)}) {
    for (const Mechanism& m : {Mechanism(Gaussian{4}), Mechanism(Laplace{4}), Mechanism(PureDp{0.1})}) {
      const Plan plan = Plan().add(m.sampled_by(sampling));
      const double bound = renyi_epsilon(plan, 1e-5).upper;
      EXPECT_GT(bound, 0) << m.kind();
      EXPECT_LE(PrivacyProfile(plan).epsilon(1e-5).worst.upper, bound) << m.kind();
    }
  }
  // Beyond what the group bound is proved for there is no answer, rather than that of a smaller group.
  const Mechanism many = Mechanism(Zcdp{1e-12, 1e-12}).sampled_by(Sampling::with_replacement(1, 1e15));
  EXPECT_THROW(analysed(many, {}), Unsupported);
}

// Each part is analysed once, however deep the parts nest.
TEST(AnalyseCorners, NestedPartsTakeNoLongerThanTheyAre) {
  Steps steps{Step{Mechanism(Laplace{3}).sampled_by(Sampling::with_replacement(50, 5)), 1}};
  for (int depth = 0; depth < 40; ++depth) steps = {Step{Mechanism(Parallel({steps, {Step{Laplace{9}, 1}}})), 1}};
  const Plan plan = Plan().add(steps);
  EXPECT_GT(renyi_epsilon(plan, 1e-5).upper, 0);
}

}  // namespace
}  // namespace renyi::corners_test
