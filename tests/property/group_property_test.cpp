// Groups, post-processing and adaptive composition against direct computation.
#include <gtest/gtest.h>

#include "renyi/explain.h"
#include "renyi/extras/group_privacy.h"
#include "support/discrete_curve.h"

namespace renyi::group_property_test {
namespace {

using test::DiscretePair;
using test::RandomInputs;
using Law = std::vector<long double>;

constexpr long double slack = 1e-12L;

Law random_law(RandomInputs& random, std::size_t size) { return test::detail::random_law(random, size, 0); }

// Neighbours in a row: the first and the last are 2^c steps apart.
std::vector<Law> random_chain(RandomInputs& random, int doublings) {
  const std::size_t size = 2 + random.below(4);
  std::vector<Law> chain;
  for (std::size_t i = 0; i <= std::size_t{1} << doublings; ++i) chain.push_back(random_law(random, size));
  return chain;
}

// An event that each neighbour sees as rarely as D_a = e with the one before allows, a = 2^(c+1).
std::vector<Law> extreme_chain(RandomInputs& random, int doublings) {
  const long double a = std::ldexp(2.0L, doublings), e = random.uniform(5, 50);
  long double log_mass = -1e-9L;
  std::vector<Law> chain;
  for (std::size_t i = 0; i <= std::size_t{1} << doublings; ++i) {
    chain.push_back({std::exp(log_mass), -std::expm1(log_mass)});
    log_mass = log_mass * a / (a - 1) - e;
  }
  return chain;
}

std::shared_ptr<const Curve> curve_of_neighbours(const std::vector<Law>& chain) {
  std::vector<std::shared_ptr<const Curve>> curves;
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    curves.push_back(std::make_shared<test::DiscreteCurve>(DiscretePair{chain[i], chain[i + 1]}));
  }
  return std::make_shared<test::LargestCurve>(std::move(curves));
}

TEST(GroupProperty, HoldsOnRandomChainsAtEveryOrder) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    const int doublings = static_cast<int>(1 + random.below(3));
    const auto chain = random.chance(0.2) ? extreme_chain(random, doublings) : random_chain(random, doublings);
    const auto group = group_privacy(curve_of_neighbours(chain), doublings);
    const DiscretePair ends{chain.front(), chain.back()};
    for (const double order :
         {1.0, 1 + random.log_uniform(1e-6, 1), 2.0, 2 + random.log_uniform(1e-3, 1e3), test::infinity}) {
      SCOPED_TRACE(fmt::format("2^{} neighbours, order {}", doublings, order));
      const long double truth = std::max(test::direct_renyi(ends, order), test::direct_renyi(ends.swapped(), order));
      EXPECT_GE(static_cast<long double>(rdp(*group, order).upper()), truth * (1 - slack));
    }
  });
}

// An event that P0 nearly always, P1 rarely and P2 hardly ever sees: with D_a = e on both
// steps the ends are (2a-1)/(a-1) e apart, which is 3 e at a = 2 and more below it:
// the factor of Proposition 2 cannot be lowered for all orders, nor its condition dropped.
TEST(GroupProperty, TheFactorThreeIsReachedAndNeedsItsCondition) {
  for (const long double a : {1.5L, 2.0L, 4.0L, 16.0L}) {
    const long double e = 50, p1 = std::exp(-e), p2 = std::exp(-e - e * a / (a - 1));
    const auto law = [](long double mass) { return Law{mass, 1 - mass}; };
    const Law first = law(1 - 1e-18L), second = law(p1), third = law(p2);
    const long double step = std::max(test::direct_renyi({first, second}, a), test::direct_renyi({second, third}, a));
    EXPECT_NEAR(static_cast<double>(step / e), 1, 1e-6);
    const long double ends = test::direct_renyi({first, third}, std::max(1.0L, a / 2));
    EXPECT_NEAR(static_cast<double>(ends / e), static_cast<double>((2 * a - 1) / (a - 1)), 1e-6);
    EXPECT_EQ(ends <= 3 * e * (1 + 1e-6L), a >= 2);
  }
}

TEST(PostProcessingProperty, NoStochasticMapRaisesADivergence) {
  test::for_random_cases(0.5, [](RandomInputs& random) {
    const DiscretePair pair = test::random_pair_with_gaps(random);
    const std::size_t outcomes = 1 + random.below(5);
    DiscretePair processed{Law(outcomes, 0), Law(outcomes, 0)};
    for (std::size_t i = 0; i < pair.size(); ++i) {
      const Law row = test::detail::random_law(random, outcomes, 0.3);
      for (std::size_t j = 0; j < outcomes; ++j) {
        processed.p[j] += pair.p[i] * row[j];
        processed.q[j] += pair.q[i] * row[j];
      }
    }
    for (const double order : {0.5, 1.0, 1.5, 2.0, 10.0, test::infinity}) {
      EXPECT_LE(test::direct_renyi(processed, order), test::direct_renyi(pair, order) * (1 + slack) + 1e-17L)
          << "order " << order;
    }
  });
}

TEST(AdaptiveCompositionProperty, DivergencesAddOnTwoStageTrees) {
  test::for_random_cases(0.5, [](RandomInputs& random) {
    const DiscretePair first = test::random_pair(random);
    const double order = 1 + random.log_uniform(1e-2, 50);
    const bool same = random.chance(0.3);
    DiscretePair second = test::random_pair(random), joint;
    long double most = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (!same) second = test::random_pair(random);
      most = std::max(most, test::direct_renyi(second, order));
      for (std::size_t j = 0; j < second.size(); ++j) {
        joint.p.push_back(first.p[i] * second.p[j]);
        joint.q.push_back(first.q[i] * second.q[j]);
      }
    }
    const long double sum = test::direct_renyi(first, order) + most, truth = test::direct_renyi(joint, order);
    EXPECT_LE(truth, sum * (1 + slack) + 1e-17L);
    if (same) {  // the bound is attained in this case
      EXPECT_GE(truth, sum * (1 - slack) - 1e-17L);
    }
  });
}

}  // namespace
}  // namespace renyi::group_property_test
