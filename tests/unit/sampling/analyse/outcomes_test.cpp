// Steps on samples that lose so much at once that Q's masses are too small for a double where P's are not.
#include "sampling/analyse/outcomes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "renyi/account.h"
#include "renyi/exact.h"

namespace renyi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Plan plan_of(const Mechanism& inner, const Sampling& sampling, std::int64_t count = 1) {
  return Plan().add(inner.sampled_by(sampling), count);
}

Mechanism discrete_laplace(double sensitivity) {
  return make_mechanism("discrete-laplace", {{"scale", 1}, {"sensitivity", sensitivity}});
}

// P has exp(1000) times Q's mass, and nearly all of its own, at the largest loss.
TEST(SampledOutcomes, DiscreteLaplaceNoiseThatHidesNothing) {
  const ExactAnswer answer = ExactAccountant(plan_of(discrete_laplace(1000), Sampling::poisson(0.15))).epsilon(1e-5);
  // 1/(1 + 1/e) of P's mass has the loss l = 1000 + ln(0.15): delta = 0.15 P (1 - exp(epsilon - l)).
  const double mass = 0.15 / (1 + std::exp(-1.0)), loss = 1000 + std::log(0.15);
  const double truth = loss + std::log1p(-1e-5 / mass);
  EXPECT_NEAR(truth, 998.10, 0.01);
  EXPECT_LE(answer.remove.lower, truth + 1e-9);
  EXPECT_GE(answer.remove.upper, truth - 1e-9);
  EXPECT_LT(answer.worst.upper, truth + 1e-6);
}

TEST(SampledOutcomes, LaplaceNoiseThatHidesNothing) {
  const Mechanism laplace = Laplace{.scale = 1, .l1_sensitivity = 1000};
  const ExactAnswer delta = ExactAccountant(plan_of(laplace, Sampling::poisson(0.15))).delta(10);
  EXPECT_LE(delta.worst.lower, 0.15);
  EXPECT_GE(delta.worst.upper, 0.15);
  EXPECT_LT(delta.worst.upper - delta.worst.lower, 1e-9);
  double before = 0;
  for (const std::int64_t count : {1, 10, 1000, 2000}) {
    const ExactAnswer epsilon = ExactAccountant(plan_of(laplace, Sampling::poisson(0.15), count)).epsilon(1e-5);
    EXPECT_GT(epsilon.worst.upper, before) << count;
    before = epsilon.worst.lower;
  }
  EXPECT_GT(before, 2e5);
}

TEST(SampledOutcomes, LossesThatAreNearlyInfinite) {
  const Mechanism losses = make_mechanism("losses", {}, {{"losses", {{800, 0.5}, {-0.6, 0.5}}}});
  const Plan plan = plan_of(losses, Sampling::poisson(0.15));
  const ExactAnswer answer = ExactAccountant(plan).epsilon(1e-5);
  const double truth = 800 + std::log(0.15) + std::log1p(-1e-5 / 0.075);
  EXPECT_NEAR(answer.remove.upper, truth, 1e-6);
  EXPECT_NEAR(answer.remove.lower, truth, 1e-6);
  EXPECT_GE(renyi_epsilon(plan, 1e-5).epsilon, truth - 1e-9);
}

TEST(SampledOutcomes, MoreSensitivityOnLimitedBatchesNeverCostsLess) {
  double before = 0;
  for (const double sensitivity : {300.0, 500.0, 1000.0}) {
    const Plan plan = plan_of(discrete_laplace(sensitivity), Sampling::truncated_poisson(0.125, 62876, 1), 1000);
    const ExactAnswer answer = ExactAccountant(plan).epsilon(0.1);
    EXPECT_GT(answer.worst.upper, before);
    EXPECT_GT(renyi_epsilon(plan, 0.1).epsilon, before);
    before = answer.worst.lower;
    EXPECT_GT(before, 82316 * sensitivity / 301);
  }
}

// A probability of 1e-400 that everything is revealed.
TEST(SampledOutcomes, InfiniteLossesTooSmallForADouble) {
  const Mechanism step = make_mechanism("approx-dp", {{"epsilon", 0.1}, {"delta", 1e-300}});
  const Plan plan = plan_of(step, Sampling::poisson(1e-100));
  const ExactAccountant accountant(plan);
  EXPECT_EQ(accountant.epsilon(0).remove.upper, infinity);
  EXPECT_EQ(accountant.epsilon(0).remove.lower, infinity);
  EXPECT_EQ(renyi_epsilon(plan, 0).epsilon, infinity);
  EXPECT_LE(accountant.delta(infinity).remove.lower, 0);
  EXPECT_GT(accountant.delta(infinity).remove.upper, 0);
}

// Mass that a list of all outcomes lacks has infinite loss; a window of laws without end lacks it by nature.
TEST(SampledOutcomes, MissingMassIsCharged) {
  using numerics::Mass;
  sampling::SampledOutcomes step{.inclusion = {.rate = 0.5}, .pair = {}};
  step.pair.outcomes = {{Mass::of(0.5), Mass::of(0.2), std::log(0.4), 0}, {Mass::of(0.5), Mass::of(0.5), 0, 0}};
  const auto curve = sampling::outcomes_curve({step});
  EXPECT_NEAR(curve->infinite_mass(Direction::remove).value, 0.15, 1e-15);  // of 0.5 (0.2 + 0.5) + 0.5
  EXPECT_EQ(curve->infinite_mass(Direction::add).value, 0);
  const auto window = sampling::outcomes_curve({step}, sampling::Listing::window);
  EXPECT_EQ(window->infinite_mass(Direction::remove).value, 0);
}

}  // namespace
}  // namespace renyi
