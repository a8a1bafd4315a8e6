// Calibrating by the exact accountant, which is the default.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exact/privacy_profile.h"
#include "renyi/calibrate.h"
#include "renyi/error.h"

namespace renyi::by_exact_test {
namespace {

using ::testing::HasSubstr;
const Target usual{3, 1e-5};
const CalibrateOptions by_renyi{.by = Accounting::renyi};

double exact_upper(const Mechanism& m, std::int64_t count) {
  return PrivacyProfile(Plan().add(m, count)).epsilon(usual.delta).worst.upper;
}

TEST(CalibrateByExact, IsTheDefaultAndTakesLessNoiseThanTheRenyiBound) {
  const Plan plan = Plan().add(SampledGaussian{0.01, 7}, 10'000);
  const Calibration found = calibrate(plan, {{0}, "noise_multiplier"}, usual);
  ASSERT_TRUE(found.cost.exact);
  EXPECT_EQ(found.by, Accounting::exact);
  EXPECT_LE(found.cost.exact->worst.upper, usual.epsilon);
  EXPECT_GT(found.cost.renyi->upper, usual.epsilon);
  EXPECT_LE(found.value, 0.95 * calibrate(plan, {{0}, "noise_multiplier"}, usual, by_renyi).value);
}

TEST(CalibrateByExact, StopsAtTheBoundary) {
  const Calibration noise = calibrate(Plan().add(SampledGaussian{0.01, 7}, 10'000), {{0}, "noise_multiplier"}, usual);
  EXPECT_LE(exact_upper(SampledGaussian{0.01, noise.value}, 10'000), usual.epsilon);
  EXPECT_GT(exact_upper(SampledGaussian{0.01, noise.value * (1 - 1e-9)}, 10'000), usual.epsilon);
  const Calibration rate = calibrate(Plan().add(SampledGaussian{1, 1.1}, 10'000), {{0}, "sampling_rate"}, usual);
  EXPECT_LE(exact_upper(SampledGaussian{rate.value, 1.1}, 10'000), usual.epsilon);
  EXPECT_GT(exact_upper(SampledGaussian{rate.value * (1 + 1e-9), 1.1}, 10'000), usual.epsilon);
}

TEST(CalibrateByExact, FindsTheLargestCount) {
  const Calibration found = calibrate(Plan().add(SampledGaussian{0.01, 1.1}), {{0}, "count"}, usual);
  EXPECT_LE(exact_upper(SampledGaussian{0.01, 1.1}, found.count), usual.epsilon);
  EXPECT_GT(exact_upper(SampledGaussian{0.01, 1.1}, found.count + 1), usual.epsilon);
  EXPECT_EQ(found.plan.merged().at(0).count, found.count);
  // Large counts are found too, to the last one.
  const Mechanism mild = SampledGaussian{1e-5, 2};
  const Calibration many = calibrate(Plan().add(mild), {{0}, "count"}, usual);
  EXPECT_GT(many.count, 1'000'000'000);
  EXPECT_LE(exact_upper(mild, many.count), usual.epsilon);
  EXPECT_GT(exact_upper(mild, many.count + many.count / 1'000'000'000), usual.epsilon);
}

// Gaussians compose to one Gaussian, so n of them need sqrt(n) times the noise.
TEST(CalibrateByExact, GaussianNoiseGrowsLikeTheRoot) {
  const double once = calibrate(Plan().add(Gaussian{1}), {{0}, "stddev"}, usual).value;
  const double often = calibrate(Plan().add(Gaussian{1}, 100), {{0}, "stddev"}, usual).value;
  EXPECT_NEAR(often / once, 10, 1e-7);
}

TEST(CalibrateByExact, WorksWhereTheRenyiBoundReachesNothing) {
  Plan plan;
  plan.add(SampledGaussian{0.01, 1.1}, 10'000).add(Gaussian{1});
  const Target tight{5.3, 1e-5};  // the first step alone: Renyi 5.63, exactly 5.19
  EXPECT_THROW(calibrate(plan, {{1}, "stddev"}, tight, by_renyi), Unsupported);
  const Calibration found = calibrate(plan, {{1}, "stddev"}, tight);
  EXPECT_LE(found.cost.exact->worst.upper, 5.3);
  EXPECT_GE(found.cost.exact->worst.upper, 5.3 * (1 - 1e-8));
}

TEST(CalibrateByExact, AnImpossibleTargetSaysWhatIsReachable) {
  Plan plan;
  plan.add(SampledGaussian{0.01, 1.1}, 10'000).add(Gaussian{1});
  try {
    calibrate(plan, {{1}, "stddev"}, {5, 1e-5});
    FAIL() << "found";
  } catch (const Unsupported& error) {
    EXPECT_THAT(error.what(), HasSubstr("gives epsilon 5.1925"));
  }
}

TEST(CalibrateByExact, FallsBackToRenyiUnlessAskedForByName) {
  const Plan plan = Plan().add(Zcdp{.rho = 1}, 10);
  const Calibration found = calibrate(plan, {{0}, "rho"}, usual);
  EXPECT_EQ(found.by, Accounting::renyi);
  EXPECT_FALSE(found.cost.exact);
  EXPECT_LE(found.cost.renyi->upper, usual.epsilon);
  EXPECT_THROW(calibrate(plan, {{0}, "rho"}, usual, {.by = Accounting::exact}), Unsupported);
}

// delta = 0 is the largest loss; epsilon = 0 asks for the total variation.
TEST(CalibrateByExact, EndsOfTheTarget) {
  EXPECT_NEAR(calibrate(Plan().add(Laplace{1}, 4), {{0}, "scale"}, {2, 0}).value, 2, 1e-8);
  const Calibration found = calibrate(Plan().add(Gaussian{1}, 100), {{0}, "stddev"}, {0, 0.01});
  EXPECT_LE(PrivacyProfile(found.plan).delta(0).worst.upper, 0.01);
  EXPECT_GE(PrivacyProfile(found.plan).delta(0).worst.upper, 0.01 * (1 - 1e-6));
}

// Where exact intervals are wide the value is private still, and no worse than by the Renyi bound.
TEST(CalibrateByExact, WideIntervalsStaySound) {
  const CalibrateOptions wide{.exact = {.engine = Engine::bounds}};
  const Plan plan = Plan().add(Gaussian{1}, 3);
  const Calibration found = calibrate(plan, {{0}, "stddev"}, usual, wide);
  EXPECT_LE(found.cost.exact->worst.upper, usual.epsilon);
  EXPECT_LE(found.value, calibrate(plan, {{0}, "stddev"}, usual, by_renyi).value * (1 + 1e-9));
}

}  // namespace
}  // namespace renyi::by_exact_test
