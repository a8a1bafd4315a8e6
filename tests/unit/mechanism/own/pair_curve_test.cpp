#include "mechanism/own/pair_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <memory>
#include <numbers>

#include "renyi/account.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/own.h"
#include "support/expect.h"

namespace renyi {
namespace {

using test::both_directions;
using test::infinity;

double log_normal_density(double x, double mean) {
  return -0.5 * (x - mean) * (x - mean) - 0.5 * std::log(2 * std::numbers::pi);
}

TEST(OwnPair, DirectionsAreThePairAndItsSwap) {
  const auto pair = DistributionPair::normal({0.5, 1}, {0, 1.25});
  const Mechanism own = own_pair("unequal normals", pair);
  EXPECT_EQ(own.curve()->knowledge(), Knowledge::orders);
  for (const double order : {1.0, 1.5, 2.0, 2.7}) {
    const Bounded remove = divergence(*own.curve(), order, Direction::remove);
    const Bounded add = divergence(*own.curve(), order, Direction::add);
    EXPECT_NEAR(remove.value, renyi_divergence(pair, order).value, 1e-14);
    EXPECT_NEAR(add.value, renyi_divergence(pair.swapped(), order).value, 1e-14);
    EXPECT_GE(remove.upper(), renyi_divergence(pair, order).upper());
    EXPECT_EQ(rdp(*own.curve(), order).upper(), std::max(remove.upper(), add.upper()));
  }
}

// D of order a between normals of unequal deviations is infinite from some order on, in one direction.
TEST(OwnPair, OrdersEndWhereTheDivergenceIsInfinite) {
  const auto pair = DistributionPair::normal({0, 1.25}, {0, 1});  // infinite from a = 1/(1 - 1/1.25^2) on
  const Mechanism own = own_pair("wider", pair);
  const double end = 1 / (1 - 1 / (1.25 * 1.25));
  EXPECT_TRUE(std::isfinite(rdp(*own.curve(), end - 0.01).upper()));
  EXPECT_EQ(rdp(*own.curve(), end + 0.01).upper(), infinity);
  const EpsilonBound bound = renyi_epsilon(Plan().add(own, 3), 1e-5);
  EXPECT_TRUE(std::isfinite(bound.epsilon));
  EXPECT_LT(bound.order, end);
}

TEST(OwnPair, DensitiesOfAGaussianGiveItsEpsilon) {
  auto calls = std::make_shared<std::atomic<int>>(0);
  LogDensities densities;
  densities.log_p = [calls](double x) { return ++*calls, log_normal_density(x, 1); };
  densities.log_q = [](double x) { return log_normal_density(x, 0); };
  const Mechanism own = own_pair("by its densities", DistributionPair::densities(densities));
  const Plan plan = Plan().add(own, 10);
  const double known = renyi_epsilon(Plan().add(Gaussian{1}, 10), 1e-5).epsilon;
  const double mine = renyi_epsilon(plan, 1e-5).epsilon;
  EXPECT_GE(mine, known * (1 - 1e-12));
  EXPECT_LE(mine, known * (1 + 1e-7));
  // Remembered: the same question asks for no density again.
  const int before = *calls;
  EXPECT_EQ(renyi_epsilon(plan, 1e-5).epsilon, mine);
  EXPECT_EQ(*calls, before);
  // Densities have no answer at order infinity: nothing is known there.
  EXPECT_EQ(rdp(*own.curve(), infinity).upper(), infinity);
  EXPECT_EQ(renyi_epsilon(plan, 0).epsilon, infinity);
}

TEST(OwnPair, HasNoExactFiguresAndSaysWhy) {
  const Plan plan = Plan().add(own_pair("laplace", DistributionPair::laplace({0, 1}, {1, 1})));
  try {
    ExactAccountant accountant(plan);
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_EQ(error.path(), "steps");
  }
  EXPECT_NEAR(renyi_epsilon(plan, 0).epsilon, 1, 1e-12);
}

}  // namespace
}  // namespace renyi
