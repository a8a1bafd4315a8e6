// The fallback: sound, and no worse than the plan's best part.
#include <gtest/gtest.h>

#include <cmath>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"

namespace renyi::bounds_test {
namespace {

PrivacyProfile fallback(const Plan& plan) {
  ExactOptions options;
  options.engine = Engine::bounds;
  return PrivacyProfile(plan, options);
}

Plan mixed() {
  return Plan().add(Gaussian{4}, 3).add(Laplace{2}, 5).add(RandomizedResponse{0.8}, 2).add(Gaussian{7, 3}, 2);
}

TEST(Bounds, LowerEndIsTheBestPart) {
  const PrivacyProfile gaussians(Plan().add(Gaussian{4}, 3).add(Gaussian{7, 3}, 2));
  const PrivacyProfile laplace(Plan().add(Laplace{2})), responses(Plan().add(RandomizedResponse{0.8}, 2));
  for (const double epsilon : {0.0, 0.3, 0.49, 1.0, 2.5}) {
    const double best = std::max({gaussians.delta(epsilon).worst.lower, laplace.delta(epsilon).worst.lower,
                                  responses.delta(epsilon).worst.lower});
    EXPECT_EQ(fallback(mixed()).delta(epsilon).worst.lower, best);
  }
  for (const double delta : {1e-200, 1e-9, 0.01, 0.3}) {
    const double best = std::max({gaussians.epsilon(delta).worst.lower, laplace.epsilon(delta).worst.lower,
                                  responses.epsilon(delta).worst.lower});
    EXPECT_NEAR(fallback(mixed()).epsilon(delta).worst.lower, best, 1e-12 * best);
  }
}

TEST(Bounds, UpperEndIsTheRenyiBound) {
  const ExactInterval delta = fallback(mixed()).delta(1).worst;
  EXPECT_EQ(delta.upper, renyi_delta(mixed(), 1).upper);
  EXPECT_EQ(delta.engine, Engine::bounds);
  EXPECT_EQ(fallback(mixed()).epsilon(1e-6).worst.upper, renyi_epsilon(mixed(), 1e-6).upper);
}

// Where there is a closed form, it lies inside.
TEST(Bounds, HoldTheClosedForm) {
  for (const auto& plan : {Plan().add(Gaussian{1}, 10), Plan().add(SampledGaussian{0.1, 0.7}),
                           Plan().add(RandomizedResponse{0.55}, 1000), Plan().add(PureDp{2})}) {
    const PrivacyProfile exact(plan);
    for (const double epsilon : {0.0, 0.1, 1.5, 9.0}) {
      const ExactAnswer truth = exact.delta(epsilon), bounds = fallback(plan).delta(epsilon);
      EXPECT_LE(bounds.remove.lower, truth.remove.upper);
      EXPECT_GE(bounds.remove.upper, truth.remove.lower);
      EXPECT_LE(bounds.add.lower, truth.add.upper);
      EXPECT_GE(bounds.add.upper, truth.add.lower);
    }
  }
}

// Billions of steps of each kind: still an answer.
TEST(Bounds, AreQuickHoweverManySteps) {
  const std::int64_t many = 1'000'000'000'000;
  const Plan plan =
      Plan().add(Laplace{1e6}, many).add(RandomizedResponse{0.5001}, many).add(SampledGaussian{1e-6, 3}, many);
  const ExactInterval figure = fallback(plan).epsilon(1e-9).worst;
  EXPECT_GT(figure.lower, 100);
  EXPECT_GE(figure.upper, figure.lower);
}

}  // namespace
}  // namespace renyi::bounds_test
