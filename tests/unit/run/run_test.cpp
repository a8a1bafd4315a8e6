#include "renyi/run.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "renyi/calibrate.h"
#include "renyi/cost.h"
#include "renyi/error.h"

namespace renyi::run_test {
namespace {

const Step& only_step(const Plan& plan) { return plan.steps().front(); }
const Mechanism& mechanism_of(const Plan& plan) { return std::get<Mechanism>(only_step(plan).what); }

TEST(Run, NoiseOnPoissonSamplesIsASampledGaussian) {
  const Plan plan = plan_of(
      {.sizes = {.dataset_size = 60000, .batch_size = 256, .epochs = 60}, .mechanism = Gaussian{.stddev = 1.1}});
  const auto found = mechanism_of(plan).get_if<SampledGaussian>();
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->sampling_rate, 256.0 / 60000);
  EXPECT_EQ(found->noise_multiplier, 1.1);
  EXPECT_EQ(only_step(plan).count, 14063);
  EXPECT_EQ(plan.adjacency(), Adjacency());
}

TEST(Run, OtherMechanismsAreSampledByTheScheme) {
  const Plan fixed = plan_of({.sizes = {.dataset_size = 1000, .batch_size = 10, .sampling = Scheme::fixed_size},
                              .mechanism = Laplace{.scale = 2},
                              .adjacency = {Neighbors::replace_one, 1}});
  EXPECT_EQ(mechanism_of(fixed), Mechanism(Laplace{.scale = 2}).sampled_by(Sampling::fixed_size(1000, 10)));
  EXPECT_EQ(fixed.neighbors(), Neighbors::replace_one);
  const Plan scaled =
      plan_of({.sizes = {.sampling_rate = 0.1}, .mechanism = Gaussian{.stddev = 4, .l2_sensitivity = 2}});
  EXPECT_NE(mechanism_of(scaled).sampling(), nullptr);
  const Plan whole = plan_of({.sizes = {.steps = 7}, .mechanism = Gaussian{.stddev = 4}, .adjacency = {{}, 3}});
  EXPECT_EQ(mechanism_of(whole), Mechanism(Gaussian{.stddev = 4}));
  EXPECT_EQ(only_step(whole).count, 7);
  EXPECT_EQ(whole.unit(), 3);
}

std::string refused_field(const TrainingRun& run) {
  try {
    static_cast<void>(plan_of(run));
  } catch (const InvalidArgument& error) {
    return error.path();
  }
  return "nothing is wrong";
}

TEST(Run, WhatASchemeRefusesIsSaidOfTheSize) {
  EXPECT_EQ(refused_field({.sizes = {.sampling_rate = 1.5}, .mechanism = Gaussian{1}}), "sampling_rate");
  EXPECT_EQ(refused_field({.sizes = {.sampling_rate = 1.5}, .mechanism = Laplace{1}}), "sampling_rate");
  EXPECT_EQ(refused_field({.sizes = {.sampling_rate = 0.1}, .mechanism = Gaussian{.stddev = 1e-9}}),
            "noise_multiplier");
  EXPECT_EQ(
      refused_field({.sizes = {.dataset_size = 2'000'000'000'000'000, .batch_size = 1, .sampling = Scheme::shuffled},
                     .mechanism = Gaussian{1},
                     .adjacency = {Neighbors::zero_out, 1}}),
      "batch_size");
  EXPECT_THROW(static_cast<void>(plan_of({.sizes = {.dataset_size = 10, .batch_size = 1, .sampling = Scheme::shuffled},
                                          .mechanism = Gaussian{1}})),
               Unsupported);
}

TEST(Run, AnOpenSizeCanBeSolvedFor) {
  const ResolvedRun steps = resolved_run({.dataset_size = 1000, .batch_size = 10}, UnknownSize::steps);
  const Calibration most = calibrate(plan_of(steps, Gaussian{.stddev = 2}), Unknown{{0}, "count"}, Target{1, 1e-5});
  EXPECT_GT(most.count, 1);
  const ResolvedRun batch =
      resolved_run({.dataset_size = 1000, .steps = 10, .sampling = Scheme::fixed_size}, UnknownSize::batch_size);
  const Calibration largest =
      calibrate(plan_of(batch, Gaussian{.stddev = 2}), Unknown{{0}, "sampling.batch_size"}, Target{1, 1e-5});
  EXPECT_GT(largest.count, 1);
  EXPECT_LT(largest.count, 1000);
}

TEST(Run, ADeltaOfOneInNIsWarnedOf) {
  const auto has_warning = [](std::int64_t records, double delta) {
    return !warnings_of(resolved_run({.dataset_size = records}), delta).empty();
  };
  EXPECT_TRUE(has_warning(1000, 1e-3));
  EXPECT_FALSE(has_warning(1000, 0.000999));
  EXPECT_TRUE(has_warning(49, 1.0 / 49));  // which times 49 is less than 1
  EXPECT_TRUE(has_warning(1, 1));
  EXPECT_FALSE(has_warning(60000, 1e-5));
  for (std::int64_t records = 1; records < 2000; ++records) {
    ASSERT_TRUE(has_warning(records, 1 / static_cast<double>(records))) << records;
  }
  EXPECT_TRUE(warnings_of(resolved_run({.dataset_size = 1000}), std::nullopt).empty());
  EXPECT_TRUE(warnings_of(resolved_run({}), 0.5).empty());
  const RunWarning warning = warnings_of(resolved_run({.dataset_size = 60000}), 1e-4).front();
  EXPECT_EQ(warning.kind, RunWarningKind::large_delta);
  EXPECT_EQ(to_string(warning.kind), "large-delta");
  EXPECT_EQ(warning.text,
            "delta = 0.0001 is not below 1/N = 1.66667e-5: so large a delta allows publishing a record outright; "
            "choose one well below 1/N");
}

TEST(Run, LoadersThatShuffleAreWarnedOfWhereTheRunIsToldInEpochs) {
  const auto kinds = [](const RunSizes& sizes) { return warnings_of(resolved_run(sizes), 1e-9).size(); };
  EXPECT_EQ(kinds({.dataset_size = 100, .batch_size = 10, .epochs = 1}), 1U);
  EXPECT_EQ(kinds({.dataset_size = 100, .batch_size = 10, .epochs = 1, .sampling = Scheme::fixed_size}), 1U);
  EXPECT_EQ(kinds({.dataset_size = 100, .batch_size = 10, .epochs = 1, .sampling = Scheme::shuffled}), 0U);
  EXPECT_EQ(kinds({.dataset_size = 100, .batch_size = 10, .steps = 1}), 0U);
  EXPECT_EQ(to_string(RunWarningKind::shuffled_loader), "shuffled-loader");
}

}  // namespace
}  // namespace renyi::run_test
