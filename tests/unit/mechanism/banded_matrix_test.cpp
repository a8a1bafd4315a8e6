#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/plan.h"

namespace renyi::banded_matrix_test {
namespace {

const Rows four_bands{{1}, {0.5}, {0.375}, {0.3125}};

Interval exact_epsilon(const Plan& plan, double delta) {
  const Cost cost = epsilon(plan, delta);
  EXPECT_TRUE(cost.exact) << cost.unavailable();
  return cost.exact ? Interval{cost.exact->worst.lower, cost.exact->worst.upper} : Interval{};
}

// Both intervals contain the same number and are narrow.
void expect_same_cost(const Plan& a, const Plan& b) {
  for (const double delta : {1e-3, 1e-8}) {
    const Interval first = exact_epsilon(a, delta), second = exact_epsilon(b, delta);
    EXPECT_LE(first.lower, second.upper);
    EXPECT_LE(second.lower, first.upper);
    EXPECT_LE(std::abs(first.upper - second.upper), 1e-4 * second.upper);
  }
}

TEST(BandedMatrix, OneBandIsTrainingOnPoissonSamples) {
  for (const Neighbors neighbors : {Neighbors::add_or_remove_one, Neighbors::zero_out, Neighbors::replace_one}) {
    expect_same_cost(Plan(neighbors).add(BandedMatrix{
                         .noise_multiplier = 1.5, .rounds = 500, .sampling_rate = 0.02, .coefficients = {{1}}}),
                     Plan(neighbors).add(SampledGaussian{0.02, 1.5}, 500));
  }
}

TEST(BandedMatrix, AsManyGroupsAsRoundsIsOneSampledGaussian) {
  const double norm = std::sqrt(1 + 0.25 + 0.140625 + 0.09765625);
  expect_same_cost(
      Plan().add(BandedMatrix{
          .noise_multiplier = 2, .rounds = 100, .sampling_rate = 0.3, .groups = 100, .coefficients = four_bands}),
      Plan().add(SampledGaussian{0.3, 2 / norm}));
}

TEST(BandedMatrix, WithoutSamplingItIsTheMatrixWithThatManyParticipations) {
  expect_same_cost(
      Plan(Neighbors::zero_out)
          .add(BandedMatrix{.noise_multiplier = 4, .rounds = 40, .sampling_rate = 1, .coefficients = four_bands}),
      Plan(Neighbors::zero_out)
          .add(ToeplitzMatrix{.noise_multiplier = 4,
                              .rounds = 40,
                              .participations = 10,
                              .min_separation = 4,
                              .coefficients = four_bands}));
}

// The last turn of the first group has only what remains of its column.
TEST(BandedMatrix, TheLastTurnMayBeCutOff) {
  const Mechanism run =
      BandedMatrix{.noise_multiplier = 1, .rounds = 10, .sampling_rate = 0.1, .coefficients = four_bands};
  const auto steps = run.steps_of_run();
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].count, 2);
  EXPECT_EQ(steps[1].count, 1);
  EXPECT_NEAR(steps[0].mechanism.unsampled().get_if<Gaussian>()->l2_sensitivity, std::sqrt(1.48828125), 1e-12);
  EXPECT_NEAR(steps[1].mechanism.unsampled().get_if<Gaussian>()->l2_sensitivity, std::sqrt(1.25), 1e-12);
  EXPECT_TRUE(Mechanism(Gaussian{1}).steps_of_run().empty());
}

TEST(BandedMatrix, RunsAddUp) {
  const BandedMatrix run{.noise_multiplier = 2, .rounds = 100, .sampling_rate = 0.05, .coefficients = four_bands};
  BandedMatrix longer = run;
  longer.rounds = 300;
  expect_same_cost(Plan().add(run, 3), Plan().add(longer));
}

TEST(BandedMatrix, MoreRoundsThanCoefficientsNeedEnoughGroups) {
  BandedMatrix run{
      .noise_multiplier = 2, .rounds = 100, .sampling_rate = 0.05, .groups = 3, .coefficients = four_bands};
  EXPECT_THROW(static_cast<void>(Mechanism(run)), InvalidArgument);
  run.groups = 4;
  EXPECT_NO_THROW(static_cast<void>(Mechanism(run)));
  EXPECT_THROW(static_cast<void>(Mechanism(run).sampled_by(Sampling::poisson(0.1))), InvalidArgument);
}

TEST(BandedMatrix, SeveralRecordsOfAPersonHaveTheBoundOfAChain) {
  const BandedMatrix run{.noise_multiplier = 20, .rounds = 100, .sampling_rate = 0.01, .coefficients = four_bands};
  const Cost one = epsilon(Plan(Neighbors::zero_out, 1).add(run), 1e-6);
  const Cost two = epsilon(Plan(Neighbors::zero_out, 2).add(run), 1e-6);
  EXPECT_FALSE(two.exact);
  EXPECT_GT(two.upper(), one.upper());
}

TEST(BandedMatrix, SaysWhatItAssumesAboutGroups) {
  const BandedMatrix run{.noise_multiplier = 2, .rounds = 100, .sampling_rate = 0.05, .coefficients = four_bands};
  EXPECT_NE(assumption(Plan().add(run)).find("groups"), std::string::npos);
  EXPECT_EQ(assumption(Plan(Neighbors::zero_out).add(run)), "");
  EXPECT_EQ(Analysis(Plan().add(run)).standing(), Standing::attained);
}

}  // namespace
}  // namespace renyi::banded_matrix_test
