// Questions under limits: their answers contain those without limits, and say that a limit was reached.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "renyi/calibrate.h"
#include "renyi/cost.h"
#include "renyi/error.h"
#include "renyi/extras/relate.h"
#include "renyi/limits.h"
#include "renyi/tradeoff.h"

namespace renyi::cost_limited_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;

// Plans for every engine that may take long.
std::vector<Plan> plans() {
  return {Plan().add(SampledGaussian{0.01, 1.1}, 1000), Plan().add(Laplace{2}, 20).add(Gaussian{3}),
          Plan().add(Laplace{3}, 5).add(SampledGaussian{0.1, 2}, 3),
          Plan().add(RandomizedResponse{0.75}, 3).add(Laplace{2}, 2)};
}

void expect_within(const ExactInterval& narrow, const ExactInterval& wide) {
  EXPECT_LE(wide.lower, narrow.upper);
  EXPECT_GE(wide.upper, narrow.lower);
  EXPECT_LE(wide.lower, narrow.lower * (1 + 1e-9));
  EXPECT_GE(wide.upper, narrow.upper * (1 - 1e-9));
}

TEST(LimitedCost, ContainsTheUnlimitedOneAndSaysSo) {
  for (const Plan& plan : plans()) {
    const Cost epsilon_free = epsilon(plan, 1e-5), delta_free = delta(plan, 1);
    EXPECT_FALSE(epsilon_free.limited);
    const LimitScope scope(Limits{.time = 0s});
    const Cost epsilon_then = epsilon(plan, 1e-5), delta_then = delta(plan, 1);
    for (const auto& [free, then] : {std::pair(epsilon_free, epsilon_then), std::pair(delta_free, delta_then)}) {
      ASSERT_TRUE(then.exact);
      expect_within(free.exact->worst, then.exact->worst);
      expect_within(free.exact->remove, then.exact->remove);
      expect_within(free.exact->add, then.exact->add);
      EXPECT_GE(then.renyi->upper, free.exact->worst.lower);
      EXPECT_TRUE(then.limited);
      EXPECT_TRUE(then.exact->worst.limited);
      EXPECT_THAT(then.limit, HasSubstr("the time limit of 0 s was reached"));
    }
  }
}

TEST(LimitedCost, IsTheSameWhereNoLimitIsReached) {
  const Plan plan = plans().front();
  const Cost free = epsilon(plan, 1e-5);
  const LimitScope scope(Limits{.time = 1h, .stop = [] { return false; }});
  const Cost then = epsilon(plan, 1e-5);
  EXPECT_EQ(then.exact->worst.upper, free.exact->worst.upper);
  EXPECT_EQ(then.exact->worst.lower, free.exact->worst.lower);
  EXPECT_FALSE(then.limited);
  EXPECT_THAT(then.limit, IsEmpty());
}

TEST(LimitedCost, IsNotRememberedByLaterQuestions) {
  const Plan plan = Plan().add(Laplace{2}, 20).add(Gaussian{3});
  const Analysis analysis(plan);
  {
    const LimitScope scope(Limits{.time = 0s});
    (void)epsilon(analysis, 1e-5);
  }
  EXPECT_EQ(epsilon(analysis, 1e-5).exact->worst.upper, epsilon(plan, 1e-5).exact->worst.upper);
}

TEST(LimitedCost, IsAnErrorWhereNothingIsProved) {
  const Plan plan = Plan().add(Mechanism(Laplace{2}).sampled_by(Sampling::poisson(0.1)), 10);
  const LimitScope scope(Limits{.time = 0s});
  EXPECT_THROW((void)epsilon(plan, 1e-5), LimitReached);
  EXPECT_THROW((void)calibrate(Plan().add(SampledGaussian{0.01, 1}, 1000), {{0}, "noise_multiplier"}, {2, 1e-5}),
               LimitReached);
}

TEST(LimitedCost, MemoryIsThatOfTheQuestion) {
  const Plan plan = Plan().add(Skellam{500, 4}, 3).add(Laplace{2}, 2);
  const Cost free = epsilon(plan, 1e-5);
  const Cost then = epsilon(plan, 1e-5, {.exactness = {.memory = std::size_t{1} << 18}});
  ASSERT_TRUE(then.exact);
  expect_within(free.exact->worst, then.exact->worst);
}

TEST(LimitedCost, TradeOffsAndNotionsHoldAsWell) {
  const Plan plan = plans().front();
  const Interval free = advantage(plan);
  const auto zcdp_free = to_zcdp(plan).found.value();
  const LimitScope scope(Limits{.time = 0s});
  EXPECT_GE(advantage(plan).upper, free.lower);
  EXPECT_TRUE(scope.was_reached());
  try {
    EXPECT_GE(to_zcdp(plan).found.value().rho.upper, zcdp_free.rho.lower);
  } catch (const LimitReached& error) {
    EXPECT_EQ(error.limit(), Limit::time);
  }
}

}  // namespace
}  // namespace renyi::cost_limited_test
