#include "renyi/calibrate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "conversion/renyi_bound.h"
#include "renyi/error.h"
#include "support/expect.h"

namespace renyi::calibrate_calibrate_test {
namespace {

using ::testing::HasSubstr;
const Target usual{3, 1e-5};
const CalibrateOptions by_renyi{.by = Accounting::renyi};

double epsilon_of(const Mechanism& m, std::int64_t count, const Target& target = usual) {
  return renyi_epsilon(Plan().add(m, count), target.delta).upper;
}

TEST(Calibrate, FindsTheSmallestNoise) {
  const Calibration found =
      calibrate(Plan().add(SampledGaussian{0.01, 7}, 10'000), {{0}, "noise_multiplier"}, usual, by_renyi);
  EXPECT_LE(found.cost.renyi->upper, 3);
  EXPECT_LE(epsilon_of(SampledGaussian{0.01, found.value}, 10'000), 3);
  EXPECT_GT(epsilon_of(SampledGaussian{0.01, found.value * (1 - 1e-9)}, 10'000), 3);
  EXPECT_EQ(found.plan.merged().at(0).mechanism, Mechanism(SampledGaussian{0.01, found.value}));
  EXPECT_EQ(found.plan.merged().at(0).count, 10'000);
}

TEST(Calibrate, FindsTheLargestRate) {
  const Calibration found =
      calibrate(Plan().add(SampledGaussian{1, 1.1}, 10'000), {{0}, "sampling_rate"}, usual, by_renyi);
  EXPECT_LE(epsilon_of(SampledGaussian{found.value, 1.1}, 10'000), 3);
  EXPECT_GT(epsilon_of(SampledGaussian{found.value * (1 + 1e-9), 1.1}, 10'000), 3);
}

TEST(Calibrate, FindsTheLargestCount) {
  const Calibration found = calibrate(Plan().add(SampledGaussian{0.01, 1.1}, 1), {{0}, "count"}, usual, by_renyi);
  EXPECT_EQ(found.value, static_cast<double>(found.count));
  EXPECT_LE(epsilon_of(SampledGaussian{0.01, 1.1}, found.count), 3);
  EXPECT_GT(epsilon_of(SampledGaussian{0.01, 1.1}, found.count + 1), 3);
  EXPECT_EQ(found.plan.merged().at(0).count, found.count);
}

// delta = 0: steps of pure epsilon 1/8 simply add up.
TEST(Calibrate, CountsPureStepsByHand) {
  EXPECT_EQ(calibrate(Plan().add(PureDp{0.125}), {{0}, "count"}, {3.01, 0}).count, 24);
  EXPECT_NEAR(calibrate(Plan().add(PureDp{1}, 4), {{0}, "epsilon"}, {3, 0}).value, 0.75, 1e-9);
  EXPECT_NEAR(calibrate(Plan().add(Laplace{1}, 4), {{0}, "scale"}, {2, 0}).value, 2, 1e-8);
}

// The classical bound of a Gaussian: epsilon = rho + 2 sqrt(rho ln(1/delta)).
TEST(Calibrate, ClassicalGaussianByHand) {
  const double log_term = std::log(1e5), root = std::sqrt(log_term + 3) - std::sqrt(log_term);
  const double sigma = std::sqrt(0.5) / root;
  const Calibration found = calibrate(Plan().add(Gaussian{1}), {{0}, "stddev"}, usual,
                                      {.by = Accounting::renyi, .conversion = {Conversion::classical, {}}});
  EXPECT_NEAR(found.value / sigma, 1, 1e-8);
  EXPECT_EQ(found.cost.renyi->conversion, Conversion::classical);
}

TEST(Calibrate, FreeStepsRunForEver) {
  const Calibration found = calibrate(Plan().add(SampledGaussian{0, 1}), {{0}, "count"}, usual);
  EXPECT_EQ(found.count, std::numeric_limits<std::int64_t>::max());
}

TEST(Calibrate, TheWholeRangeMayDo) {
  const Calibration found = calibrate(Plan().add(SampledGaussian{0.5, 1e6}), {{0}, "sampling_rate"}, usual);
  EXPECT_EQ(found.value, 1);
}

TEST(Calibrate, FollowsThePathIntoGroups) {
  Plan plan;
  plan.add(Laplace{50}, 2)
      .add(Steps{Step{Mechanism(Gaussian{30}), 2}, Step{Mechanism(SampledGaussian{0.01, 1}), 500}}, 4);
  const Calibration found = calibrate(plan, {{1, 1}, "noise_multiplier"}, usual, by_renyi);
  EXPECT_LE(renyi_epsilon(found.plan, usual.delta).upper, usual.epsilon);
  const auto merged = found.plan.merged();
  ASSERT_EQ(merged.size(), 3U);
  EXPECT_EQ(merged[2].count, 2000);
  EXPECT_EQ(merged[2].mechanism, Mechanism(SampledGaussian{0.01, found.value}));
  Plan costly;
  costly.add(Laplace{50}, 2).add(Gaussian{30}, 8).add(SampledGaussian{0.01, found.value * (1 - 1e-9)}, 2000);
  EXPECT_GT(renyi_epsilon(costly, usual.delta).upper, usual.epsilon);
}

TEST(Calibrate, CountsAWholeGroup) {
  Plan plan;
  plan.add(Gaussian{30}).add(Steps{Step{Mechanism(SampledGaussian{0.01, 2}), 10}}, 1);
  const Calibration found = calibrate(plan, {{1}, "count"}, usual, by_renyi);
  EXPECT_EQ(found.plan.merged().at(1).count, 10 * found.count);
  Plan more;
  more.add(Gaussian{30}).add(SampledGaussian{0.01, 2}, 10 * (found.count + 1));
  EXPECT_GT(renyi_epsilon(more, usual.delta).upper, usual.epsilon);
}

TEST(Calibrate, HonoursTheGivenOrders) {
  const CalibrateOptions options{.by = Accounting::renyi, .conversion = {Conversion::tight, {{8.0}}}};
  const Calibration found = calibrate(Plan().add(Gaussian{1}), {{0}, "stddev"}, usual, options);
  EXPECT_EQ(found.cost.renyi->order, 8);
  EXPECT_GE(found.value, calibrate(Plan().add(Gaussian{1}), {{0}, "stddev"}, usual, by_renyi).value);
}

TEST(Calibrate, AnImpossibleTargetSaysWhatIsReachable) {
  Plan plan;
  plan.add(PureDp{5}).add(Gaussian{1});
  try {
    calibrate(plan, {{1}, "stddev"}, {1, 1e-9});
    FAIL() << "found";
  } catch (const Unsupported& error) {
    EXPECT_EQ(error.path(), "epsilon");
    EXPECT_THAT(error.what(), HasSubstr("cannot be reached"));
    EXPECT_THAT(error.what(), HasSubstr("gives epsilon 5;"));
  }
  EXPECT_THROW(calibrate(Plan().add(PureDp{5}), {{0}, "count"}, {1, 1e-9}), Unsupported);
}

TEST(Calibrate, RefusesUnknownNames) {
  try {
    calibrate(Plan().add(SampledGaussian{0.01, 1}), {{0}, "colour"}, usual);
    FAIL() << "found";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.value(), "colour");
    EXPECT_THAT(error.allowed(), HasSubstr("noise_multiplier"));
    EXPECT_THAT(error.allowed(), HasSubstr("count"));
  }
}

TEST(Calibrate, RefusesPathsThatLeadNowhere) {
  const Plan plan = Plan().add(Gaussian{1}).add(Steps{Step{Mechanism(Gaussian{1}), 1}});
  for (const std::vector<std::size_t>& path : {std::vector<std::size_t>{}, {2}, {0, 0}, {1, 1}, {1, 0, 0}}) {
    EXPECT_THROW(calibrate(plan, {path, "stddev"}, usual), InvalidArgument);
  }
  EXPECT_THROW(calibrate(plan, {{1}, "stddev"}, usual), InvalidArgument);  // a group has only a count
}

TEST(Calibrate, RefusesParametersWithoutADirection) {
  EXPECT_THROW(calibrate(Plan().add(RandomizedResponse{0.75}), {{0}, "truth_probability"}, usual), Unsupported);
}

TEST(Calibrate, RefusesTargetsOutOfRange) {
  const Plan plan = Plan().add(Gaussian{1});
  for (const Target& target : {Target{-1, 1e-5}, Target{test::infinity, 1e-5}, Target{1, -0.1}, Target{1, 1.1}}) {
    EXPECT_THROW(calibrate(plan, {{0}, "stddev"}, target), InvalidArgument);
  }
}

// At delta 0 any positive rate has infinite epsilon; a rate of 0 costs nothing.
TEST(Calibrate, FindsTheRateOfZeroThatStandsApart) {
  const Calibration found = calibrate(Plan().add(SampledGaussian{0.01, 1}), {{0}, "sampling_rate"}, {0, 0});
  EXPECT_EQ(found.value, 0);
  EXPECT_EQ(found.cost.renyi->upper, 0);
}

// Ranges may be open at an end that is not 0.
TEST(Calibrate, AnOpenRangeIsSearchedFromItsFirstValue) {
  const Plan plan = Plan().add(Tcdp{0.03, 5}, 3);
  const Calibration found = calibrate(plan, {{0}, "omega"}, {.epsilon = 2, .delta = 1e-5});
  EXPECT_LE(found.cost.renyi->upper, 2);
  EXPECT_NEAR(found.cost.renyi->upper, 2, 1e-6);
  EXPECT_GT(found.value, 1);
}

}  // namespace
}  // namespace renyi::calibrate_calibrate_test
