#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "renyi/error.h"
#include "renyi/run.h"

namespace renyi::resolved_run_test {
namespace {

constexpr auto most = std::numeric_limits<std::int64_t>::max();

// The error about these sizes, in full.
std::string refusal(const RunSizes& sizes, std::optional<UnknownSize> open = std::nullopt) {
  try {
    static_cast<void>(resolved_run(sizes, open));
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "nothing is wrong";
}

TEST(Parts, BatchesAndEpochsAreARateAndSteps) {
  const ResolvedRun parts = resolved_run({.dataset_size = 60000, .batch_size = 256, .epochs = 60});
  EXPECT_EQ(parts.scheme, Scheme::poisson);
  EXPECT_EQ(parts.sampling(), Sampling::poisson(256.0 / 60000));
  EXPECT_EQ(parts.count, 14063);
  EXPECT_EQ(parts.rate_rule, "B / N = 256 / 60000");
  EXPECT_EQ(parts.steps_rule, "ceil(epochs * N / B) = ceil(60 * 60000 / 256) = 14063");
  EXPECT_TRUE(parts.batch_rule.empty());
  EXPECT_TRUE(parts.in_epochs);
  const std::vector<std::string> rules{"sampling rate: B / N = 256 / 60000",
                                       "steps: ceil(epochs * N / B) = ceil(60 * 60000 / 256) = 14063",
                                       "size: N counts as public; zero-out says so: docs/guide/public-size.md"};
  EXPECT_EQ(parts.rules(), rules);
}

TEST(Parts, WithoutSizesThereIsOneStepOnAllRecords) {
  const ResolvedRun parts = resolved_run({});
  EXPECT_EQ(parts.scheme, std::nullopt);
  EXPECT_EQ(parts.sampling(), std::nullopt);
  EXPECT_EQ(parts.count, 1);
  EXPECT_TRUE(parts.rules().empty());
  EXPECT_EQ(resolved_run({.steps = most}).count, most);
}

TEST(Parts, ARateStandsForABatch) {
  EXPECT_EQ(resolved_run({.steps = 3, .sampling_rate = 0.25}).sampling(), Sampling::poisson(0.25));
  EXPECT_FALSE(resolved_run({.steps = 3, .sampling_rate = 0.25}).in_epochs);
}

TEST(Parts, EveryScheme) {
  EXPECT_EQ(resolved_run({.dataset_size = 100, .batch_size = 10, .sampling = Scheme::fixed_size}).sampling(),
            Sampling::fixed_size(100, 10));
  EXPECT_EQ(resolved_run({.dataset_size = 100, .batch_size = 200, .sampling = Scheme::with_replacement}).sampling(),
            Sampling::with_replacement(100, 200));
  const RunSizes truncated{
      .dataset_size = 100, .batch_size = 10, .sampling = Scheme::truncated_poisson, .batch_limit = 20};
  EXPECT_EQ(resolved_run(truncated).sampling(), Sampling::truncated_poisson(0.1, 100, 20));
  const ResolvedRun shuffled =
      resolved_run({.dataset_size = 60000, .batch_size = 256, .epochs = 2.5, .sampling = Scheme::shuffled});
  EXPECT_EQ(shuffled.sampling(), Sampling::shuffled(235));
  EXPECT_EQ(shuffled.count, 3);
  EXPECT_EQ(shuffled.batch_rule, "ceil(N / B) = ceil(60000 / 256) = 235 an epoch");
  EXPECT_EQ(shuffled.steps_rule, "one an epoch: ceil(epochs) = ceil(2.5) = 3");
  EXPECT_EQ(resolved_run({.dataset_size = 10, .batch_size = 2, .sampling = Scheme::shuffled}).steps_rule,
            "one an epoch");
}

TEST(Parts, AccumulatedBatchesAreOneStep) {
  const ResolvedRun parts = resolved_run({.dataset_size = 60000, .batch_size = 64, .accumulation = 4, .epochs = 60});
  EXPECT_EQ(parts.sampling(), Sampling::poisson(256.0 / 60000));
  EXPECT_EQ(parts.count, 14063);
  EXPECT_EQ(parts.rate_rule, "A * B / N = 4 * 64 / 60000");
  EXPECT_EQ(parts.steps_rule, "ceil(epochs * N / (A * B)) = ceil(60 * 60000 / (4 * 64)) = 14063");
  const ResolvedRun draws =
      resolved_run({.dataset_size = 100, .batch_size = 3, .accumulation = 2, .sampling = Scheme::with_replacement});
  EXPECT_EQ(draws.batch_rule, "A * B = 2 * 3 = 6 draws a step");
}

TEST(Parts, EpochsMayBeDecimals) {
  EXPECT_EQ(resolved_run({.dataset_size = 1000, .batch_size = 10, .epochs = 0.1}).count, 10);
  EXPECT_EQ(resolved_run({.dataset_size = 1000, .batch_size = 10, .epochs = 1.1}).count, 110);
}

TEST(Parts, StepsOverrideEpochs) {
  const ResolvedRun parts = resolved_run({.dataset_size = 100, .batch_size = 10, .epochs = 7, .steps = 3});
  EXPECT_EQ(parts.count, 3);
  EXPECT_EQ(parts.steps_rule, "from \"steps\", which overrides \"epochs\"");
}

TEST(Parts, WhatIsWrongNamesTheSize) {
  EXPECT_EQ(refusal({.dataset_size = 0}), "dataset_size: got 0, allowed: an integer from 1 to 2^63-1");
  EXPECT_EQ(refusal({.dataset_size = 10, .batch_size = -1}),
            "batch_size: got -1, allowed: an integer from 1 to 2^63-1");
  EXPECT_EQ(refusal({.dataset_size = 10, .batch_size = 1, .accumulation = 0}),
            "accumulation: got 0, allowed: an integer from 1 to 2^63-1");
  EXPECT_EQ(refusal({.steps = 0}), "steps: got 0, allowed: an integer from 1 to 2^63-1");
  EXPECT_EQ(refusal({.batch_limit = 0}), "batch_limit: got 0, allowed: an integer from 1 to 2^63-1");
  EXPECT_EQ(refusal({.dataset_size = 10, .batch_size = 1, .epochs = 0}),
            "epochs: got 0, allowed: what makes 1 to 2^63-1 steps");
  EXPECT_EQ(refusal({.dataset_size = 10, .batch_size = 1, .epochs = std::numeric_limits<double>::quiet_NaN()}),
            "epochs: got nan, allowed: what makes 1 to 2^63-1 steps");
}

TEST(Parts, WhatDoesNotGoTogetherIsRefused) {
  EXPECT_EQ(refusal({.batch_size = 10}), "batch_size: got 10, allowed: together with \"dataset_size\"");
  EXPECT_EQ(refusal({.dataset_size = 100, .accumulation = 2}),
            "accumulation: got 2, allowed: together with \"batch_size\"");
  EXPECT_EQ(refusal({.dataset_size = 100, .batch_size = 101}),
            "batch_size: got 101, allowed: at most the 100 records of \"dataset_size\"");
  EXPECT_EQ(refusal({.dataset_size = 100, .batch_size = 51, .accumulation = 2}),
            "batch_size: got A * B = 2 * 51, allowed: at most the 100 records of \"dataset_size\"");
  EXPECT_EQ(refusal({.epochs = 3}), "epochs: got 3, allowed: together with \"dataset_size\" and \"batch_size\"");
  EXPECT_EQ(refusal({.dataset_size = 100, .batch_size = 10, .sampling_rate = 0.1}),
            "sampling_rate: got 0.1, allowed: either \"sampling_rate\" or \"batch_size\", not both");
  EXPECT_EQ(refusal({.sampling = Scheme::poisson}),
            "sampling_rate: got nothing, allowed: a rate, or \"batch_size\" with \"dataset_size\", for \"sampling\" "
            "poisson");
  EXPECT_EQ(refusal({.dataset_size = 100, .sampling_rate = 0.1, .sampling = Scheme::fixed_size}),
            "sampling_rate: got 0.1, allowed: no rate for \"sampling\" fixed-size: \"batch_size\" and "
            "\"dataset_size\" say it");
  EXPECT_EQ(refusal({.sampling = Scheme::fixed_size}),
            "dataset_size: got nothing, allowed: the number of records, for \"sampling\" fixed-size");
  EXPECT_EQ(refusal({.dataset_size = 10, .sampling = Scheme::shuffled}),
            "batch_size: got nothing, allowed: the records of a batch, for \"sampling\" shuffled");
  EXPECT_EQ(refusal({.sampling_rate = 0.1, .batch_limit = 5}),
            "batch_limit: got 5, allowed: together with \"sampling\" truncated-poisson");
  EXPECT_EQ(refusal({.dataset_size = 9, .sampling_rate = 0.1, .sampling = Scheme::truncated_poisson}),
            "batch_limit: got nothing, allowed: the most records of a step, for \"sampling\" truncated-poisson");
  EXPECT_EQ(refusal({.dataset_size = 10, .batch_size = 2, .steps = 5, .sampling = Scheme::shuffled}),
            "steps: got 5, allowed: \"epochs\" instead: with \"sampling\" shuffled a record is used once an epoch");
}

TEST(Parts, TooManyAccumulatedRecordsAreRefused) {
  EXPECT_EQ(refusal({.dataset_size = most, .batch_size = most, .accumulation = 2}),
            "accumulation: got 2, allowed: what makes less than 2^63 records a step");
  EXPECT_EQ(refusal({.dataset_size = most, .batch_size = 1, .epochs = 2}),
            "epochs: got 2, allowed: what makes 1 to 2^63-1 steps");
}

TEST(Parts, OneSizeMayBeLeftOpen) {
  const ResolvedRun steps = resolved_run({.dataset_size = 100, .batch_size = 10}, UnknownSize::steps);
  EXPECT_EQ(steps.count, std::nullopt);
  const ResolvedRun rate = resolved_run({.steps = 3}, UnknownSize::sampling_rate);
  EXPECT_EQ(rate.scheme, Scheme::poisson);
  EXPECT_EQ(rate.numbers.front().rate, std::nullopt);
  const ResolvedRun batch =
      resolved_run({.dataset_size = 100, .sampling = Scheme::fixed_size}, UnknownSize::batch_size);
  EXPECT_EQ(batch.numbers[0].whole, 100);
  EXPECT_EQ(batch.numbers[1].whole, std::nullopt);
  EXPECT_NO_THROW(batch.sampling()->check());
  const ResolvedRun records =
      resolved_run({.batch_size = 7, .sampling = Scheme::with_replacement}, UnknownSize::dataset_size);
  EXPECT_EQ(records.numbers[1].whole, 7);
  EXPECT_NO_THROW(records.sampling()->check());
  const ResolvedRun limit = resolved_run(
      {.dataset_size = 100, .sampling_rate = 0.1, .sampling = Scheme::truncated_poisson}, UnknownSize::batch_limit);
  EXPECT_EQ(limit.numbers[2].whole, std::nullopt);
  EXPECT_NO_THROW(limit.sampling()->check());
}

TEST(Parts, WhatCannotBeOpenIsRefused) {
  EXPECT_EQ(refusal({.steps = 3}, UnknownSize::steps), "steps: got a value, allowed: no value, since it is left open");
  EXPECT_EQ(refusal({.dataset_size = 100, .batch_size = 10, .epochs = 2}, UnknownSize::steps),
            "epochs: got 2, allowed: nothing that fixes the steps, which are left open");
  EXPECT_EQ(refusal({.dataset_size = 100, .batch_size = 10}, UnknownSize::sampling_rate),
            "sampling_rate: got nothing, allowed: either \"sampling_rate\" or \"batch_size\", not both");
  EXPECT_EQ(
      refusal({.dataset_size = 100, .batch_size = 10, .sampling = Scheme::fixed_size}, UnknownSize::sampling_rate),
      "sampling_rate: got nothing, allowed: no rate for \"sampling\" fixed-size: \"batch_size\" and "
      "\"dataset_size\" say it");
  EXPECT_EQ(refusal({.sampling_rate = 0.1}, UnknownSize::batch_size),
            "dataset_size: got nothing, allowed: the number of records, for \"sampling\" poisson");
  EXPECT_EQ(refusal({}, UnknownSize::dataset_size), "dataset_size: got nothing, allowed: a number: nothing is sampled");
  EXPECT_FALSE(can_be_unknown(UnknownSize::batch_size, Scheme::shuffled));
  EXPECT_TRUE(can_be_unknown(UnknownSize::sampling_rate, std::nullopt));
}

}  // namespace
}  // namespace renyi::resolved_run_test
