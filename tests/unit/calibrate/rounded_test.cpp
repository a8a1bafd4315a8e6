// Values to few digits, and what they cost.
#include <gtest/gtest.h>

#include <limits>

#include "calibrate/plan_with_unknown.h"
#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/calibrate.h"
#include "renyi/error.h"

namespace renyi::rounded_test {
namespace {

using calibrate_detail::to_digits;
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

TEST(ToDigits, GoesTheWayItIsTold) {
  EXPECT_EQ(to_digits(1.5649, 3, true), 1.57);
  EXPECT_EQ(to_digits(1.5649, 3, false), 1.56);
  EXPECT_EQ(to_digits(9.9991, 3, true), 10.0);
  EXPECT_EQ(to_digits(0.0010001, 3, false), 0.001);
  EXPECT_EQ(to_digits(0.99999, 3, false), 0.999);
  EXPECT_EQ(to_digits(1.5, 3, true), 1.5);
  EXPECT_EQ(to_digits(-0.51234, 3, true), -0.512);
  EXPECT_EQ(to_digits(-0.51234, 3, false), -0.513);
  EXPECT_EQ(to_digits(0.0, 3, true), 0);
  EXPECT_EQ(to_digits(HUGE_VAL, 3, true), HUGE_VAL);
}

TEST(ToDigits, OfWholeNumbers) {
  EXPECT_EQ(to_digits(std::int64_t{3712}, 3, false), 3710);
  EXPECT_EQ(to_digits(std::int64_t{3712}, 3, true), 3720);
  EXPECT_EQ(to_digits(std::int64_t{371}, 3, true), 371);
  EXPECT_EQ(to_digits(std::int64_t{9999}, 3, true), 10'000);
  EXPECT_EQ(to_digits(std::int64_t{0}, 3, true), 0);
  EXPECT_EQ(to_digits(largest, 3, false), 9'220'000'000'000'000'000);
  EXPECT_EQ(to_digits(largest, 3, true), largest);  // nothing rounder is a count
}

TEST(Rounded, IsPrivateAndSaysWhatItLeaves) {
  const Target target{.epsilon = 3, .delta = 1e-5};
  for (const auto by : {Accounting::exact, Accounting::renyi}) {
    const CalibrateOptions options{.by = by, .digits = 3};
    const Calibration noise =
        calibrate(Plan().add(SampledGaussian{0.01, 1}, 10'000), {{0}, "noise_multiplier"}, target, options);
    EXPECT_EQ(noise.rounded->value, by == Accounting::exact ? 1.57 : 1.67);
    const Plan rounder = Plan().add(SampledGaussian{0.01, noise.rounded->value}, 10'000);
    const double cost = by == Accounting::exact ? PrivacyProfile(rounder).epsilon(1e-5).worst.upper
                                                : renyi_epsilon(rounder, 1e-5).upper;
    EXPECT_EQ(noise.rounded->spent, cost);
    EXPECT_EQ(noise.rounded->unspent, 3 - cost);
    EXPECT_GT(noise.rounded->unspent, 0);
    const Calibration count = calibrate(Plan().add(SampledGaussian{0.01, 1.1}), {{0}, "count"}, target, options);
    EXPECT_EQ(count.rounded->count, by == Accounting::exact ? 3710 : 3130);
    EXPECT_LE(count.rounded->spent, 3);
  }
}

// The end of a range has no rounder value towards more privacy.
TEST(Rounded, StaysInTheRange) {
  const Calibration found = calibrate(Plan().add(SampledGaussian{0, 1}), {{0}, "count"}, {3, 1e-5}, {.digits = 3});
  EXPECT_EQ(found.rounded->count, 9'220'000'000'000'000'000);
  EXPECT_THROW(calibrate(Plan().add(Gaussian{1}), {{0}, "stddev"}, {3, 1e-5}, {.digits = 0}), InvalidArgument);
  EXPECT_FALSE(calibrate(Plan().add(Gaussian{1}), {{0}, "stddev"}, {3, 1e-5}).rounded);
}

}  // namespace
}  // namespace renyi::rounded_test
