// Epochs and batch sizes of training runs.
#include "calibrate/run_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "renyi/cost.h"
#include "renyi/error.h"

namespace renyi::run_sizes_test {
namespace {

using ::testing::HasSubstr;

constexpr Target target{.epsilon = 2, .delta = 1e-5};

TrainingRun run_of(const RunSizes& sizes, const Mechanism& mechanism = Gaussian{.stddev = 1.1}) {
  return {.sizes = sizes, .mechanism = mechanism};
}

double cost_of(RunSizes sizes, const Mechanism& mechanism = Gaussian{.stddev = 1.1}) {
  return epsilon(plan_of(run_of(sizes, mechanism)), target.delta).upper();
}

TEST(RunSizes, TheLargestEpochs) {
  RunSizes sizes{.dataset_size = 60000, .batch_size = 64, .accumulation = 4};
  const Calibration found = calibrate(run_of(sizes), UnknownSize::epochs, target, {.digits = 3});
  EXPECT_FALSE(found.is_whole);
  sizes.epochs = found.value;
  EXPECT_EQ(plan_of(run_of(sizes)), found.plan);
  EXPECT_LE(cost_of(sizes), target.epsilon);
  EXPECT_EQ(cost_of(sizes), found.cost.upper());
  sizes.epochs = found.rounded->value;
  EXPECT_LE(found.rounded->value, found.value);
  EXPECT_EQ(cost_of(sizes), found.rounded->spent);
  sizes.epochs = found.value * (1 + 1e-9);
  EXPECT_GT(cost_of(sizes), target.epsilon);
}

TEST(RunSizes, ShuffledEpochsAreWhole) {
  const TrainingRun run{.sizes = {.dataset_size = 600, .batch_size = 7, .sampling = Scheme::shuffled},
                        .mechanism = Gaussian{.stddev = 4},
                        .adjacency = {Neighbors::zero_out, 1}};
  const Calibration found = calibrate(run, UnknownSize::epochs, target);
  EXPECT_EQ(found.value, 4);
  EXPECT_EQ(found.count, 4);
}

// With the number of steps given, the cost rises with the batch.
TEST(RunSizes, TheLargestBatchOfSoManySteps) {
  RunSizes sizes{.dataset_size = 500, .steps = 10};
  for (const Scheme scheme : {Scheme::poisson, Scheme::fixed_size}) {
    sizes.sampling = scheme;
    sizes.batch_size.reset();
    const Calibration found = calibrate(run_of(sizes), UnknownSize::batch_size, target);
    sizes.batch_size = found.count;
    EXPECT_LE(cost_of(sizes), target.epsilon);
    ++*sizes.batch_size;
    EXPECT_GT(cost_of(sizes), target.epsilon);
  }
}

// A dataset so small that every batch size can be tried.
TEST(RunSizes, NoLargerBatchOfSoManyEpochsMeetsTheTarget) {
  for (const double epochs : {0.5, 3.0, 20.0}) {
    RunSizes sizes{.dataset_size = 150, .epochs = epochs};
    const Calibration found = calibrate(run_of(sizes, Gaussian{.stddev = 3}), UnknownSize::batch_size, target);
    std::int64_t last = 0;
    for (std::int64_t batch = found.count; batch <= 150; ++batch) {
      sizes.batch_size = batch;
      const Plan plan = plan_of(run_of(sizes, Gaussian{.stddev = 3}));
      if (epsilon(plan, target.delta).upper() <= target.epsilon) last = batch;
    }
    EXPECT_EQ(found.count, last) << epochs;
  }
}

// At a tiny delta many small batches cost more than the whole dataset once.
TEST(RunSizes, TheWholeDatasetMayCostLess) {
  const RunSizes sizes{.dataset_size = 1000, .epochs = 1};
  const Mechanism noise = Gaussian{.stddev = 1};
  const double whole =
      epsilon(plan_of(run_of({.dataset_size = 1000, .batch_size = 1000, .epochs = 1}, noise)), 1e-60).upper();
  const double half =
      epsilon(plan_of(run_of({.dataset_size = 1000, .batch_size = 500, .epochs = 1}, noise)), 1e-60).upper();
  ASSERT_LT(whole, half);
  EXPECT_EQ(calibrate(run_of(sizes, noise), UnknownSize::batch_size, {whole, 1e-60}).count, 1000);
}

TEST(RunSizes, ABatchSizeIsTheLargestOnlyIfTheStepsAreGiven) {
  EXPECT_FALSE(calibrate(run_of({.dataset_size = 1000, .epochs = 1}), UnknownSize::batch_size, target).is_extreme);
  EXPECT_TRUE(calibrate(run_of({.dataset_size = 1000, .steps = 10}), UnknownSize::batch_size, target).is_extreme);
}

TEST(RunSizes, OtherSizesAreNumbersOfThePlan) {
  const Calibration rate = calibrate(run_of({.steps = 100}), UnknownSize::sampling_rate, target);
  EXPECT_EQ(rate.value, calibrate(Plan().add(SampledGaussian{0.5, 1.1}, 100), {{0}, "sampling_rate"}, target).value);
  const Calibration steps = calibrate(run_of({.sampling_rate = 0.01}), UnknownSize::steps, target);
  EXPECT_EQ(steps.count, calibrate(Plan().add(SampledGaussian{0.01, 1.1}), {{0}, "count"}, target).count);
}

template <class Problem>
std::string refusal(const RunSizes& sizes, UnknownSize unknown, const Target& wanted = target) {
  try {
    static_cast<void>(calibrate(run_of(sizes), unknown, wanted));
  } catch (const Problem& error) {
    return error.what();
  }
  return "nothing is wrong";
}

TEST(RunSizes, WhatIsWrongIsSaidOfTheSize) {
  EXPECT_EQ(refusal<InvalidArgument>({.dataset_size = 10}, UnknownSize::epochs),
            "epochs: got nothing, allowed: together with \"dataset_size\" and \"batch_size\"");
  EXPECT_EQ(refusal<InvalidArgument>({.dataset_size = 10, .batch_size = 1, .steps = 3}, UnknownSize::epochs),
            "steps: got 3, allowed: nothing beside \"epochs\", which are left open");
  EXPECT_EQ(refusal<InvalidArgument>({.epochs = 3}, UnknownSize::batch_size),
            "dataset_size: got nothing, allowed: the number of records, for \"sampling\" poisson");
  EXPECT_EQ(refusal<InvalidArgument>({.dataset_size = 10, .accumulation = 11}, UnknownSize::batch_size),
            "accumulation: got 11, allowed: at most the 10 records of \"dataset_size\"");
  EXPECT_EQ(refusal<InvalidArgument>({.dataset_size = 10, .sampling_rate = 0.1}, UnknownSize::batch_size),
            "sampling_rate: got 0.1, allowed: nothing that fixes the \"batch_size\", which is left open");
  EXPECT_THAT(refusal<InvalidArgument>({.dataset_size = 10, .epochs = 0}, UnknownSize::batch_size),
              HasSubstr("epochs: got 0, allowed: what makes 1 to 2^63-1 steps"));
  EXPECT_THAT(refusal<Unsupported>({.dataset_size = 10, .epochs = 3}, UnknownSize::batch_size, {1e-9, 0}),
              HasSubstr("no batch size was found that meets the target: 1 and larger powers of 2 exceed it"));
}

}  // namespace
}  // namespace renyi::run_sizes_test
