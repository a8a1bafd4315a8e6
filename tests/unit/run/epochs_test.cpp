#include <gtest/gtest.h>

#include "renyi/error.h"
#include "renyi/run.h"

namespace renyi::epochs_test {
namespace {

TEST(Epochs, StepsAreRoundedUp) {
  EXPECT_EQ(steps_from_epochs(60, 60000, 256), 14063);
  EXPECT_EQ(steps_from_epochs(1, 100, 10), 10);
  EXPECT_EQ(steps_from_epochs(1, 101, 10), 11);
  EXPECT_EQ(steps_from_epochs(0.001, 100, 10), 1);
}

TEST(Epochs, DecimalFractionsMeanWhatTheySay) {
  EXPECT_EQ(steps_from_epochs(0.1, 1000, 10), 10);
  EXPECT_EQ(steps_from_epochs(1.1, 1000, 10), 110);
  EXPECT_EQ(steps_from_epochs(0.3, 1000000000, 1), 300000000);
  EXPECT_EQ(steps_from_epochs(0.1000001, 1000, 10), 11);
}

TEST(Epochs, NoStepsOrTooManyAreRefused) {
  EXPECT_THROW(static_cast<void>(steps_from_epochs(0, 10, 1)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(steps_from_epochs(-1, 10, 1)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(steps_from_epochs(1e300, 10, 1)), InvalidArgument);
}

TEST(Epochs, TheLastBatchMayBeSmaller) {
  EXPECT_EQ(batches_of_epoch(60000, 256), 235);
  EXPECT_EQ(batches_of_epoch(100, 10), 10);
  EXPECT_EQ(batches_of_epoch(9, 10), 1);
  EXPECT_EQ(batches_of_epoch(9223372036854775807, 2), 4611686018427387904);
  EXPECT_EQ(poisson_rate(60000, 600), 0.01);
}

// The epochs that are reported make the steps that were found, whatever the sizes.
TEST(EpochsFromSteps, AreReadBackAsTheSameSteps) {
  EXPECT_EQ(epochs_from_steps(10, 1000, 10), 0.1);
  std::int64_t steps = 1;
  for (const std::int64_t records : {1, 7, 60000, 999983, 1'000'000'007}) {
    for (const std::int64_t batch : {1, 3, 256, 9999}) {
      const double epochs = epochs_from_steps(steps, records, batch);
      EXPECT_EQ(steps_from_epochs(epochs, records, batch), steps) << records << " " << batch;
      EXPECT_EQ(steps_from_epochs(epochs * (1 + 1e-12), records, batch), steps + 1) << records << " " << batch;
      steps = steps * 5 % 99'999'989 + 1;
    }
  }
  const std::int64_t most = 9'000'000'000'000'000'001;
  EXPECT_LE(steps_from_epochs(epochs_from_steps(most, 3, 1), 3, 1), most);
}

}  // namespace
}  // namespace renyi::epochs_test
