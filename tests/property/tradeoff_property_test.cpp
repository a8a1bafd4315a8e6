// The trade-off function against the Neyman-Pearson test of discrete laws, and the laws it obeys.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "renyi/tradeoff.h"
#include "support/discrete_pair.h"
#include "support/random_inputs.h"

namespace renyi::tradeoff_property_test {
namespace {

using test::DiscretePair;
using test::RandomInputs;

// The most powerful test of Q against P rejects the likeliest atoms first: its power.
long double direct_power(const DiscretePair& pair, long double a) {
  std::vector<std::size_t> order(pair.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return pair.p[i] * pair.q[j] > pair.p[j] * pair.q[i]; });
  long double power = 0, left = a;
  for (const std::size_t i : order) {
    const long double share = pair.q[i] <= left ? 1 : left / pair.q[i];
    power += share * pair.p[i];
    left -= share * pair.q[i];
    if (!(left > 0)) break;
  }
  return power;
}

double random_error(RandomInputs& random) {
  if (random.chance(0.3)) return 1 - random.log_uniform(1e-9, 0.5);
  return random.chance(0.5) ? random.log_uniform(1e-12, 0.9) : random.uniform(0.001, 0.999);
}

// f(a) = max over x of 1 - D(x) - a x, reached at a kink of D; and D below 1 by the swapped pair.
TEST(TradeoffProperty, DualityOnDiscretePairs) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    const DiscretePair pair = test::random_pair(random);
    const long double a = random_error(random);
    long double best = 0;
    for (std::size_t i = 0; i < pair.size(); ++i) {
      const long double s = std::log(pair.p[i] / pair.q[i]), x = pair.p[i] / pair.q[i];
      const long double d = test::direct_hockey_stick(pair, s);
      EXPECT_NEAR(static_cast<double>(d),
                  static_cast<double>(1 - x + x * test::direct_hockey_stick(pair.swapped(), -s)),
                  1e-15 * static_cast<double>(1 + x));
      best = std::max(best, 1 - d - a * x);
    }
    EXPECT_NEAR(static_cast<double>(best), static_cast<double>(1 - direct_power(pair, a)), 1e-15);
  });
}

TEST(TradeoffProperty, RepeatedResponsesAgreeWithTheBestTest) {
  test::for_random_cases(0.05, [](RandomInputs& random) {
    const double loss = random.log_uniform(1e-3, 3);
    const auto runs = static_cast<int>(1 + random.below(9));
    DiscretePair pair{{1}, {1}};
    for (int i = 0; i < runs; ++i) pair = test::product(pair, test::randomized_response_pair(loss));
    const double a = random_error(random);
    const LeastError got = tradeoff(Plan().add(PureDp{loss}, runs), std::vector{a})[0].worst;
    const long double power = direct_power(pair, a);
    EXPECT_LE(static_cast<long double>(got.power.lower), power * (1 + 1e-15L));
    EXPECT_GE(static_cast<long double>(got.power.upper), power * (1 - 1e-15L));
    EXPECT_LE(static_cast<long double>(got.type_two.lower), 1 - power + 1e-16L);
    EXPECT_GE(static_cast<long double>(got.type_two.upper), 1 - power - 1e-16L);
    EXPECT_LE(got.power.upper - got.power.lower, 1.1e-6 * got.power.upper);
  });
}

// f falls, stays on or below the blind tests, and is its own inverse the other way round.
TEST(TradeoffProperty, LawsOfOneSampledGaussian) {
  test::for_random_cases(0.02, [](RandomInputs& random) {
    const Plan plan = Plan().add(SampledGaussian{random.log_uniform(1e-6, 0.999), random.log_uniform(0.3, 30)});
    const double a = random_error(random), b = a + (1 - a) * random.uniform(0.01, 0.5);
    const auto points = tradeoff(plan, std::vector{a, b});
    for (const TradeoffPoint& point : points) {
      EXPECT_LE(point.remove.type_two.lower, 1 - point.type_one);
      EXPECT_LE(point.worst.type_two.upper, std::min(point.remove.type_two.upper, point.add.type_two.upper));
    }
    EXPECT_LE(points[1].remove.type_two.lower, points[0].remove.type_two.upper);
    EXPECT_LE(points[1].add.type_two.lower, points[0].add.type_two.upper);
    // add(remove(a)) = a; remove(a) lies in an interval, and add falls.
    const Interval there = points[0].remove.type_two;
    const auto back = tradeoff(plan, std::vector{there.lower, there.upper});
    EXPECT_GE(back[0].add.type_two.upper, a * (1 - 1e-15));
    EXPECT_LE(back[1].add.type_two.lower, a * (1 + 1e-15));
  });
}

}  // namespace
}  // namespace renyi::tradeoff_property_test
