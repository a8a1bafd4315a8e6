// The theory of divergences on random discrete pairs, against direct computation in extended precision.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "renyi/extras/divergence.h"
#include "support/discrete_pair.h"
#include "support/expect.h"
#include "support/random_inputs.h"

namespace renyi::test::divergence_property_test {
namespace {

// A random pair for the library, and the same numbers for the reference computation.
struct Given {
  std::vector<double> p, q;
  DiscretePair judge;

  DistributionPair pair() const { return DistributionPair::discrete(p, q, Normalize::yes); }
};

std::vector<double> rounded(const std::vector<long double>& law) { return {law.begin(), law.end()}; }

std::vector<long double> proportional(const std::vector<double>& weights) {
  long double sum = 0;
  for (const double weight : weights) sum += weight;
  std::vector<long double> law;
  for (const double weight : weights) law.push_back(weight / sum);
  return law;
}

Given given(const DiscretePair& pair) {
  Given result{rounded(pair.p), rounded(pair.q), {}};
  result.judge = {proportional(result.p), proportional(result.q)};
  return result;
}

Given random_given(RandomInputs& random, bool gaps = false) {
  return given(gaps ? random_pair_with_gaps(random) : random_pair(random));
}

// Orders in (0, inf], with the neighbourhoods of 0, 1/2, 1 and the far end.
double random_order(RandomInputs& random) {
  switch (random.below(5)) {
    case 0: return random.one_of({1e-9, 0.1, 0.5, 1, 2, 64, infinity});
    case 1: return random.uniform(1e-3, 1);
    case 2: return 1 + (random.chance(0.5) ? 1 : -1) * random.log_uniform(1e-6, 0.3);
    default: return random.log_uniform(1, 1e4);
  }
}

// The error of the reference computation: the rounding of its exponents, divided by a - 1.
long double judge_error(const DiscretePair& pair, long double a) {
  long double size = 4;
  for (std::size_t i = 0; i < pair.size(); ++i) {
    if (pair.p[i] > 0) size = std::max(size, std::abs(std::log(pair.p[i])));
    if (pair.q[i] > 0) size = std::max(size, std::abs(std::log(pair.q[i])));
  }
  constexpr long double unit = 1e-18L;
  return std::isinf(a) || a == 1 ? unit * size : unit * size * (1 + a + std::abs(1 - a)) / std::abs(1 - a);
}

void expect_infinite(const Bounded& got) { EXPECT_EQ(got.lower(), infinity); }

void expect_holds(const Bounded& got, long double truth, long double slack) {
  expect_sane(got);
  if (std::isinf(truth)) return expect_infinite(got);
  EXPECT_LE(got.lower(), truth + slack);
  EXPECT_GE(got.upper(), truth - slack);
  EXPECT_LE(got.error, 1e-10L * truth + 1e-25L);
}

TEST(DiscreteDivergence, IsTheDefinition) {
  for_random_cases(1, [](RandomInputs& random) {
    const Given g = random_given(random, random.chance(0.3));
    const double order = random_order(random);
    SCOPED_TRACE(order);
    expect_holds(renyi_divergence(g.pair(), order), direct_renyi(g.judge, order), judge_error(g.judge, order));
    expect_holds(renyi_divergence(g.pair().swapped(), order), direct_renyi(g.judge.swapped(), order),
                 judge_error(g.judge, order));
    expect_holds(kl_divergence(g.pair()), direct_kl(g.judge), judge_error(g.judge, 1));
  });
}

TEST(DiscreteDivergence, HockeyStickIsTheDefinition) {
  for_random_cases(1, [](RandomInputs& random) {
    const Given g = random_given(random, random.chance(0.3));
    const double epsilon = random.chance(0.3) ? 0 : random.log_uniform(1e-6, 300);
    const Bounded got = hockey_stick(g.pair(), epsilon);
    expect_sane(got);
    const long double truth = direct_hockey_stick(g.judge, epsilon), slack = 1e-18L * (1 + epsilon);
    EXPECT_LE(got.lower(), truth + slack);
    EXPECT_GE(got.upper(), truth - slack);
    EXPECT_LE(got.error, 4e-13L * (1 + epsilon));
  });
}

TEST(DiscreteDivergence, NeverFallsInTheOrder) {
  for_random_cases(1, [](RandomInputs& random) {
    const auto pair = random_given(random, random.chance(0.3)).pair();
    const double a = random_order(random), b = random_order(random);
    expect_not_above(renyi_divergence(pair, std::min(a, b)), renyi_divergence(pair, std::max(a, b)));
  });
}

// (1-a) D_a(P||Q) = a D_{1-a}(Q||P), computed on both sides without it.
TEST(DiscreteDivergence, SkewSymmetry) {
  for_random_cases(1, [](RandomInputs& random) {
    const Given g = random_given(random, random.chance(0.3));
    const double a = random.uniform(0.01, 0.99);
    const Bounded left = renyi_divergence(g.pair(), a);
    const long double right = a * direct_renyi(g.judge.swapped(), 1 - static_cast<long double>(a)) / (1 - a);
    if (std::isinf(right)) return expect_infinite(left);
    expect_holds(left, right, judge_error(g.judge, a) + judge_error(g.judge, 1 - a) + 1e-15L * right);
  });
}

std::vector<double> merged(const std::vector<double>& law, std::size_t i, std::size_t j) {
  std::vector<double> result = law;
  result[i] += result[j];
  result.erase(result.begin() + static_cast<std::ptrdiff_t>(j));
  return result;
}

TEST(DiscreteDivergence, MergingOutcomesNeverRaisesIt) {
  for_random_cases(1, [](RandomInputs& random) {
    const Given g = random_given(random, random.chance(0.3));
    const std::size_t j = 1 + random.below(g.p.size() - 1), i = random.below(j);
    const auto coarse = DistributionPair::discrete(merged(g.p, i, j), merged(g.q, i, j), Normalize::yes);
    const double order = random_order(random), epsilon = random.epsilon();
    // Adding two masses rounds: a loss moves by two units at most, and no divergence by more than the losses.
    const double slack = 4 * 0x1p-53;
    EXPECT_LE(renyi_divergence(coarse, order).lower(), renyi_divergence(g.pair(), order).upper() + slack);
    EXPECT_LE(hockey_stick(coarse, epsilon).lower(), hockey_stick(g.pair(), epsilon).upper() + slack);
  });
}

// Splitting outcomes in equal shares changes no divergence: merging is tight where the losses agree.
TEST(DiscreteDivergence, MergingOutcomesOfOneLossChangesNothing) {
  for_random_cases(1, [](RandomInputs& random) {
    const Given g = random_given(random, random.chance(0.3));
    std::vector<double> p = g.p, q = g.q;
    const std::size_t i = random.below(p.size());
    const double share = random.one_of({0.5, 0.25, 0.125});
    for (auto* law : {&p, &q}) {
      law->push_back((*law)[i] * share);
      (*law)[i] *= 1 - share;
    }
    const auto fine = DistributionPair::discrete(p, q, Normalize::yes);
    const double order = random_order(random), epsilon = random.epsilon();
    const Bounded a = renyi_divergence(fine, order), b = renyi_divergence(g.pair(), order);
    // 1 - share times a mass may round, by one unit of its loss.
    const double slack = 8 * 0x1p-53;
    EXPECT_EQ(std::isinf(a.value), std::isinf(b.value));
    EXPECT_LE(a.lower(), b.upper() + slack);
    EXPECT_LE(b.lower(), a.upper() + slack);
    EXPECT_NEAR(hockey_stick(fine, epsilon).value, hockey_stick(g.pair(), epsilon).value, 1e-14);
  });
}

// The event {loss > epsilon} by itself carries the whole hockey-stick divergence (Neyman, Pearson).
TEST(DiscreteDivergence, OneEventAttainsTheHockeyStick) {
  for_random_cases(1, [](RandomInputs& random) {
    const Given g = random_given(random);
    const double epsilon = random.chance(0.5) ? 0 : random.log_uniform(1e-3, 10);
    long double p = 0, q = 0;
    for (std::size_t i = 0; i < g.p.size(); ++i) {
      if (g.judge.p[i] > std::exp(static_cast<long double>(epsilon)) * g.judge.q[i]) {
        p += g.judge.p[i];
        q += g.judge.q[i];
      }
    }
    const auto event =
        DistributionPair::bernoulli(static_cast<double>(std::min(p, 1.0L)), static_cast<double>(std::min(q, 1.0L)));
    const double rounding = 0x1p-52 * (1 + std::exp(epsilon));
    EXPECT_NEAR(hockey_stick(event, epsilon).value, hockey_stick(g.pair(), epsilon).value, 1e-14 + rounding);
  });
}

TEST(DiscreteDivergence, AddsOnIndependentOutcomes) {
  for_random_cases(0.5, [](RandomInputs& random) {
    const Given a = given(random_pair(random, 4)), b = given(random_pair(random, 4));
    const double order = random_order(random);
    const Given both = given(product(a.judge, b.judge));
    const Bounded joint = renyi_divergence(both.pair(), order);
    const Bounded x = renyi_divergence(a.pair(), order), y = renyi_divergence(b.pair(), order);
    // The product's masses were rounded to double: each loss is off by two units.
    const double slack = 4 * 0x1p-53;
    EXPECT_LE(joint.lower(), x.upper() + y.upper() + slack);
    EXPECT_GE(joint.upper(), x.lower() + y.lower() - slack);
  });
}

TEST(DiscreteDivergence, PinskerAndBretagnolleHuber) {
  for_random_cases(1, [](RandomInputs& random) {
    const auto pair = random_given(random, random.chance(0.2)).pair();
    const double variation = total_variation(pair).lower(), kl = kl_divergence(pair).upper();
    EXPECT_LE(2 * variation * variation, kl * (1 + 1e-15));
    EXPECT_LE(variation, std::sqrt(-std::expm1(-kl)) * (1 + 1e-15));
  });
}

// Pinsker's constant is attained in the limit of close fair coins: KL/(2 TV^2) -> 1.
TEST(DiscreteDivergence, PinskerIsTight) {
  for (const double gap : {1e-2, 1e-4, 1e-8}) {
    const auto pair = DistributionPair::bernoulli(0.5 + gap, 0.5);
    const double variation = total_variation(pair).value;
    EXPECT_NEAR(kl_divergence(pair).value / (2 * variation * variation), 1, gap);
  }
}

TEST(DiscreteDivergence, HockeyStickFallsAndIsConvexInExpEpsilon) {
  for_random_cases(1, [](RandomInputs& random) {
    const auto pair = random_given(random, random.chance(0.3)).pair();
    const double low = random.uniform(0, 3), high = low + random.uniform(0, 3), share = random.uniform();
    const double between = std::log(share * std::exp(low) + (1 - share) * std::exp(high));
    const Bounded at_low = hockey_stick(pair, low), at_high = hockey_stick(pair, high);
    expect_not_above(at_high, at_low);
    EXPECT_LE(hockey_stick(pair, between).lower(), share * at_low.upper() + (1 - share) * at_high.upper() + 1e-14);
    expect_overlap(total_variation(pair), total_variation(pair.swapped()));
    const Bounded largest = renyi_divergence(pair, infinity);
    if (std::isinf(largest.value)) return;
    EXPECT_LE(hockey_stick(pair, largest.upper()).value, 0);
    // Just below the supremum of the loss something is left.
    const double below = std::max(largest.value * (1 - 1e-6) - 1e-12, 0.0);
    EXPECT_TRUE(below == 0 || hockey_stick(pair, below).value > 0);
  });
}

TEST(DiscreteDivergence, OrdersOneAndInfinityAreLimits) {
  for_random_cases(0.5, [](RandomInputs& random) {
    const Given g = random_given(random);
    const Bounded one = kl_divergence(g.pair()), most = renyi_divergence(g.pair(), infinity);
    const double h = 1e-9,
                 steepness = most.upper() * most.upper() + renyi_divergence(g.pair().swapped(), infinity).upper();
    // The slope at order 1 is half the variance of the loss.
    for (const double order : {1 - h, 1 + h}) {
      EXPECT_NEAR(renyi_divergence(g.pair(), order).value, one.value,
                  h * (1 + steepness) * (1 + steepness) + 2 * one.error);
    }
    // z D_{1+z} >= ln p + z D_inf for the outcome where the loss is largest.
    long double least = 1;
    for (const long double mass : g.judge.p) least = std::min(least, mass);
    const double far = 1e12;
    EXPECT_GE(renyi_divergence(g.pair(), far).upper(), most.lower() + static_cast<double>(std::log(least)) / (far - 1));
    expect_not_above(renyi_divergence(g.pair(), far), most);
  });
}

// Randomized response is the extreme point of pure differential privacy: D_inf = epsilon, and one direction mirrors the
// other.
TEST(DiscreteDivergence, RandomizedResponseIsSymmetric) {
  for_random_cases(0.3, [](RandomInputs& random) {
    const double epsilon = random.log_uniform(1e-6, 30), order = random_order(random);
    const Given g = given(randomized_response_pair(epsilon));
    EXPECT_NEAR(renyi_divergence(g.pair(), infinity).value, epsilon, 1e-15 + 1e-14 * epsilon);
    expect_holds(renyi_divergence(g.pair(), order), direct_renyi(g.judge, order), judge_error(g.judge, order));
  });
}

}  // namespace
}  // namespace renyi::test::divergence_property_test
