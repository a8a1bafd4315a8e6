// The classical calibration of Gaussian noise beside the exact one.
#include <gtest/gtest.h>

#include <cmath>

#include "exact/privacy_profile.h"
#include "renyi/calibrate.h"
#include "renyi/exact.h"
#include "renyi/papers/classical_gaussian.h"

namespace renyi::classical_test {
namespace {

constexpr Target target{.epsilon = 0.5, .delta = 1e-5};

TEST(Classical, StandsBesideTheExactNoiseOfOneGaussian) {
  const Calibration found = calibrate(Plan().add(Gaussian{1}), {{0}, "stddev"}, target);
  ASSERT_TRUE(found.classical);
  EXPECT_NEAR(*found.classical, std::sqrt(2 * std::log(1.25e5)) / 0.5, 1e-12);
  EXPECT_NEAR(*found.classical, 9.68961, 1e-5);
  EXPECT_NEAR(found.value, 7.03183, 1e-5);
  // It grows with the sensitivity, and with the records of a person.
  EXPECT_NEAR(*calibrate(Plan().add(Gaussian{1, 3}), {{0}, "stddev"}, target).classical, 3 * *found.classical, 1e-11);
  const Plan persons = Plan(Neighbors::add_or_remove_one, 2).add(Gaussian{1});
  EXPECT_NEAR(*calibrate(persons, {{0}, "stddev"}, target).classical, 2 * *found.classical, 1e-11);
}

TEST(Classical, IsNotThereForOtherPlansAndTargets) {
  EXPECT_FALSE(calibrate(Plan().add(Gaussian{1}), {{0}, "stddev"}, {.epsilon = 1, .delta = 1e-5}).classical);
  EXPECT_FALSE(calibrate(Plan().add(Gaussian{1}, 2), {{0}, "stddev"}, target).classical);
  EXPECT_FALSE(calibrate(Plan().add(Gaussian{1}).add(Laplace{50}), {{0}, "stddev"}, target).classical);
  EXPECT_FALSE(calibrate(Plan().add(Laplace{1}), {{0}, "scale"}, target).classical);
  EXPECT_FALSE(calibrate(Plan().add(Gaussian{9}), {{0}, "l2_sensitivity"}, target).classical);
  EXPECT_FALSE(classical_gaussian({.epsilon = 0, .delta = 1e-5}));
  EXPECT_FALSE(classical_gaussian({.epsilon = 0.5, .delta = 0}));
}

// The theorem is true, and never asks for less than is needed.
TEST(Classical, IsPrivate) {
  for (const double epsilon : {1e-3, 0.1, 0.5, 0.999}) {
    for (const double delta : {1e-12, 1e-5, 0.1, 0.5, 0.9}) {
      const Plan plan = Plan().add(Gaussian{*classical_gaussian({epsilon, delta})});
      EXPECT_LE(PrivacyProfile(plan).delta(epsilon).worst.upper, delta) << epsilon << " " << delta;
    }
  }
}

}  // namespace
}  // namespace renyi::classical_test
