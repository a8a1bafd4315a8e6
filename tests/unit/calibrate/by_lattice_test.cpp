// Calibrates runs that only the lattice supports: intervals are about as wide as the tolerance, and slow to compute.
#include <gtest/gtest.h>

#include "exact/privacy_profile.h"
#include "renyi/calibrate.h"

namespace renyi::by_lattice_test {
namespace {

constexpr double tolerance = 1e-5;  // the default

// Private, spent to twice the interval's width, and said to be no nearer than that where that is much.
void expect_spent(const Calibration& found, const Target& target) {
  SCOPED_TRACE(found.value);
  ASSERT_TRUE(found.cost.exact);
  EXPECT_LE(found.cost.exact->worst.upper, target.epsilon);
  EXPECT_GE(found.cost.exact->worst.upper, target.epsilon - 2 * tolerance);
  EXPECT_EQ(found.cost.exact->worst.upper, PrivacyProfile(found.plan).epsilon(target.delta).worst.upper);
  const double most = target.epsilon - found.cost.exact->worst.lower;
  EXPECT_DOUBLE_EQ(found.unspent, most > 1e-6 * target.epsilon ? most : 0);
}

double noise_for(double rate, std::int64_t steps, const Target& target) {
  const Calibration found =
      calibrate(Plan().add(SampledGaussian{rate, 1}, steps), {.path = {0}, .parameter = "noise_multiplier"}, target);
  expect_spent(found, target);
  return found.value;
}

// Also: a larger target never asks for more noise.
TEST(CalibrateByLattice, SpendsTheTargetOnNoise) {
  double before = 1e6;
  for (const double epsilon : {0.5, 1.0, 3.0}) {
    const double noise = noise_for(0.01, 20, {.epsilon = epsilon, .delta = 1e-5});
    EXPECT_LT(noise, before) << epsilon;
    if (epsilon == 1) {
      EXPECT_NEAR(noise, 0.81143, 1e-5);
    }
    before = noise;
  }
  noise_for(0.1, 5, {.epsilon = 2, .delta = 1e-6});
}

TEST(CalibrateByLattice, SpendsTheTargetOnTheRateAndOnLaplaceNoise) {
  const Target target{.epsilon = 3, .delta = 1e-5};
  expect_spent(calibrate(Plan().add(SampledGaussian{1, 0.7}, 30), {.path = {0}, .parameter = "sampling_rate"}, target),
               target);
  expect_spent(calibrate(Plan().add(Laplace{1}, 10), {.path = {0}, .parameter = "scale"}, target), target);
}

TEST(CalibrateByLattice, FindsTheLargestCount) {
  const Target target{.epsilon = 2, .delta = 1e-6};
  const Mechanism step = SampledGaussian{0.1, 1.19};
  const Calibration found =
      calibrate(Plan().add(step), {.path = {0}, .parameter = "count"}, target, {.exact = {.engine = Engine::lattice}});
  EXPECT_EQ(found.cost.exact->worst.engine, Engine::lattice);
  EXPECT_LE(found.cost.exact->worst.upper, target.epsilon);
  EXPECT_GT(PrivacyProfile(Plan().add(step, found.count + 1)).epsilon(target.delta).worst.lower, target.epsilon);
  EXPECT_EQ(found.unspent, 0);
}

TEST(CalibrateByLattice, ASmallerToleranceSpendsMore) {
  const Target target{.epsilon = 2, .delta = 1e-6};
  const Unknown noise{.path = {0}, .parameter = "noise_multiplier"};
  const Plan plan = Plan().add(SampledGaussian{0.1, 1}, 5);
  const Calibration coarse = calibrate(plan, noise, target, {.exact = {.tolerance = 1e-3, .engine = Engine::lattice}});
  const Calibration fine = calibrate(plan, noise, target, {.exact = {.engine = Engine::lattice}});
  EXPECT_EQ(fine.cost.exact->worst.engine, Engine::lattice);
  EXPECT_LT(fine.unspent, coarse.unspent);
  EXPECT_LE(coarse.unspent, 2e-3);
  EXPECT_LE(fine.unspent, 2e-5);
}

TEST(CalibrateByLattice, NarrowIntervalsLeaveNothingUnspent) {
  EXPECT_EQ(calibrate(Plan().add(Gaussian{1}, 10), {.path = {0}, .parameter = "stddev"}, {3, 1e-5}).unspent, 0);
}

}  // namespace
}  // namespace renyi::by_lattice_test
