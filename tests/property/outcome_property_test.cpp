// Bad outcomes and Bayes factors against direct computation on random discrete pairs.
#include <gtest/gtest.h>

#include "explain/promises.h"
#include "renyi/explain.h"
#include "renyi/papers/bad_outcomes.h"
#include "support/discrete_curve.h"

namespace renyi::outcome_property_test {
namespace {

using test::DiscretePair;
using test::RandomInputs;

// Roundings of the direct computation.
constexpr long double slack = 1e-15L;

// A baseline as the two doubles around it: both ends of a range increase with it.
struct Baseline {
  double below, above;
};
Baseline around(long double q) {
  const auto near = static_cast<double>(q);
  return {std::nextafter(near, 0.0), std::nextafter(near, 1.0)};
}

// Calls check(P(S), Q(S) from both sides) for every event S that is neither impossible nor certain.
template <class Check>
void for_each_event(const DiscretePair& pair, const Check& check) {
  for (std::size_t event = 1; event + 1 < std::size_t{1} << pair.size(); ++event) {
    long double p = 0, q = 0;
    for (std::size_t i = 0; i < pair.size(); ++i) {
      if ((event >> i & 1U) == 0) continue;
      p += pair.p[i];
      q += pair.q[i];
    }
    const Baseline baseline = around(q);
    if (baseline.below > 0 && baseline.above < 1) check(p, baseline);
  }
}

// `range` gives the range for a baseline.
template <class Range>
void expect_within(long double p, const Baseline& baseline, const Range& range) {
  EXPECT_GE(p * (1 + slack), static_cast<long double>(range(baseline.below).lower));
  EXPECT_LE(p * (1 - slack), static_cast<long double>(range(baseline.above).upper));
}

double both_ways(const DiscretePair& pair, double order) {
  const long double larger = std::max(test::direct_renyi(pair, order), test::direct_renyi(pair.swapped(), order));
  return static_cast<double>(larger * (1 + 1e-15L));
}

double random_order(RandomInputs& random) {
  return random.chance(0.3) ? random.one_of({1.1, 2, 10, 100, test::infinity}) : 1 + random.log_uniform(0.05, 1e3);
}

TEST(OutcomeProperty, EveryEventObeysBothBoundsOfEveryOrder) {
  test::for_random_cases(0.5, [](RandomInputs& random) {
    const DiscretePair pair = random.chance(0.2) ? test::random_pair_with_gaps(random) : test::random_pair(random);
    const double order = random_order(random), epsilon = both_ways(pair, order);
    for_each_event(pair, [&](long double p, const Baseline& baseline) {
      SCOPED_TRACE(fmt::format("order {}, epsilon {}, P {}, Q {}", order, epsilon, p, baseline.above));
      expect_within(p, baseline, [&](double q) { return outcome_at_order(order, epsilon, q); });
    });
  });
}

TEST(OutcomeProperty, EveryEventObeysTheBestBounds) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const DiscretePair pair = test::random_pair(random, 4);
    const test::DiscreteCurve curve(pair);
    for_each_event(pair, [&](long double p, const Baseline& baseline) {
      SCOPED_TRACE(fmt::format("P {}, Q {}", p, baseline.above));
      expect_within(p, baseline, [&](double q) {
        const OutcomeRange best = best_outcome(curve, q);
        return Interval{best.lower.probability, best.upper.probability};
      });
      expect_within(p, baseline, [&](double q) { return outcome_by_dp(curve.worst_max_loss().upper(), 0, q); });
    });
  });
}

TEST(OutcomeProperty, EveryEventObeysTheBoundsOfEpsilonAndDelta) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    const DiscretePair pair = test::random_pair_with_gaps(random);
    const double epsilon = random.chance(0.2) ? 0 : random.log_uniform(1e-3, 10);
    const long double delta =
        std::max(test::direct_hockey_stick(pair, epsilon), test::direct_hockey_stick(pair.swapped(), epsilon));
    const double shown = std::min(1.0, static_cast<double>(delta) * (1 + 1e-15) + 1e-18);
    for_each_event(pair, [&](long double p, const Baseline& baseline) {
      SCOPED_TRACE(fmt::format("epsilon {}, delta {}, P {}, Q {}", epsilon, shown, p, baseline.above));
      expect_within(p, baseline, [&](double q) { return outcome_by_dp(epsilon, shown, q); });
    });
  });
}

// Equality in Hoelder's inequality: P/Q constant on S, and what P has elsewhere negligible
// in the moment. Two atoms with Q(S) far below P(S) reach it.
TEST(OutcomeProperty, BothEndsAreReached) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    const long double q = random.log_uniform(1e-14, 1e-9), p = random.uniform(0.2, 0.5);
    const double order = random.log_uniform(5, 50);
    const DiscretePair pair{{p, 1 - p}, {q, 1 - q}};
    const double epsilon = both_ways(pair, order);
    SCOPED_TRACE(fmt::format("order {}, P {}, Q {}", order, p, q));
    const auto upper = static_cast<long double>(outcome_at_order(order, epsilon, static_cast<double>(q)).upper);
    EXPECT_NEAR(static_cast<double>(upper / p), 1, 1e-12);
    const auto lower = static_cast<long double>(outcome_at_order(order, epsilon, static_cast<double>(p)).lower);
    EXPECT_NEAR(static_cast<double>(lower / q), 1, 1e-11);
  });
}

// Pure DP's range is that of randomized response: each end is reached.
TEST(OutcomeProperty, PureEndsAreReachedByRandomizedResponse) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    const double epsilon = random.log_uniform(1e-3, 3);
    const DiscretePair pair = test::randomized_response_pair(epsilon);
    const Interval low = outcome_by_dp(epsilon, 0, static_cast<double>(pair.q[0]));
    const Interval high = outcome_by_dp(epsilon, 0, static_cast<double>(pair.q[1]));
    EXPECT_NEAR(low.upper, static_cast<double>(pair.p[0]), 1e-14);
    EXPECT_NEAR(high.lower, static_cast<double>(pair.p[1]), 1e-14);
  });
}

long double direct_bayes_moment(const DiscretePair& pair, double order) {
  long double sum = 0;
  for (std::size_t i = 0; i < pair.size(); ++i) sum += pair.p[i] * std::pow(pair.p[i] / pair.q[i], order - 1.0L);
  return sum;
}

long double direct_bayes_tail(const DiscretePair& pair, double factor) {
  long double sum = 0;
  for (std::size_t i = 0; i < pair.size(); ++i) sum += pair.p[i] > factor * pair.q[i] ? pair.p[i] : 0;
  return sum;
}

TEST(BayesProperty, MomentsAreTheDefinitions) {
  test::for_random_cases(0.5, [](RandomInputs& random) {
    const DiscretePair pair = test::random_pair(random);
    const double order = 1 + random.log_uniform(1e-3, 30);
    const long double truth = std::max(direct_bayes_moment(pair, order), direct_bayes_moment(pair.swapped(), order));
    if (truth > 1e300L) return;
    const auto bound = static_cast<long double>(bayes_moment(test::DiscreteCurve(pair), order));
    EXPECT_GE(bound, truth * (1 - 1e-15L));
    EXPECT_LE(bound, truth * (1 + 1e-11L));
  });
}

TEST(BayesProperty, TailsAndMeansHold) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    const DiscretePair pair = test::random_pair(random);
    const test::DiscreteCurve curve(pair);
    const auto most = static_cast<double>(std::max(test::direct_max_loss(pair), test::direct_max_loss(pair.swapped())));
    const double factor = std::min(1e300, std::exp(most * random.uniform(0, 1.1)));
    const long double truth = std::max(direct_bayes_tail(pair, factor), direct_bayes_tail(pair.swapped(), factor));
    SCOPED_TRACE(fmt::format("factor {}, largest {}", factor, std::exp(most)));
    EXPECT_GE(static_cast<long double>(bayes_tail(curve, factor).upper), truth * (1 - slack));
    const long double mean = std::max(test::direct_kl(pair), test::direct_kl(pair.swapped()));
    EXPECT_GE(static_cast<long double>(rdp(curve, 1).upper()), mean * (1 - slack) - 1e-17L);
  });
}

// Just below the largest factor the tail is the mass of the largest loss.
TEST(BayesProperty, TheTailIsReachedAtTheLargestLoss) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    const double epsilon = random.log_uniform(1e-2, 20);
    const DiscretePair pair = test::randomized_response_pair(epsilon);
    const double tail = bayes_tail(test::DiscreteCurve(pair), std::exp(epsilon) * (1 - 1e-9)).upper;
    EXPECT_GE(tail, static_cast<double>(pair.p[0]));
    EXPECT_LE(tail, static_cast<double>(pair.p[0]) * (1 + 1e-4));
  });
}

// No order of a fine grid, infinity included, is better than the one found.
TEST(OutcomeProperty, TheBestOrderIsTheBest) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const auto curve = compose(random.plan());
    const double baseline =
        random.chance(0.3) ? random.one_of({1e-300, 1e-16, 0.5, 1 - 1e-9}) : random.log_uniform(1e-30, 1);
    if (baseline >= 1) return;
    const OutcomeRange best = best_outcome(*curve, baseline);
    SCOPED_TRACE(fmt::format("baseline {}: [{} at {}, {} at {}]", baseline, best.lower.probability, best.lower.order,
                             best.upper.probability, best.upper.order));
    EXPECT_LE(best.lower.probability, baseline);
    EXPECT_GE(best.upper.probability, baseline);
    for (double z = 1e-9; z < 1e12; z *= 1.5) {
      const Interval at = outcome_at_order(1 + z, rdp(*curve, 1 + z).upper(), baseline);
      EXPECT_LE(best.upper.probability, at.upper * (1 + 1e-9)) << "order " << 1 + z;
      EXPECT_GE(best.lower.probability, at.lower * (1 - 1e-9)) << "order " << 1 + z;
    }
    const Interval pure = outcome_by_dp(curve->worst_max_loss().upper(), 0, baseline);
    EXPECT_LE(best.upper.probability, pure.upper * (1 + 1e-9));
    EXPECT_GE(best.lower.probability, pure.lower * (1 - 1e-9));
  });
}

// Nor is any order's bound on the opposite event. Baselines whose complement is a double.
TEST(OutcomeProperty, TheComplementIsUsedWhereItIsBetter) {
  test::for_random_cases(0.05, [](RandomInputs& random) {
    const auto curve = compose(random.plan());
    const double baseline = std::ldexp(static_cast<double>(1 + random.below((1U << 20U) - 1)), -20);
    const OutcomeRange best = best_outcome(*curve, baseline);
    SCOPED_TRACE(fmt::format("baseline {}", baseline));
    for (double z = 1e-9; z < 1e12; z *= 2) {
      const Interval opposite = outcome_at_order(1 + z, rdp(*curve, 1 + z).upper(), 1 - baseline);
      EXPECT_LE(best.upper.probability, 1 - opposite.lower + 1e-9) << "order " << 1 + z;
      EXPECT_GE(best.lower.probability, 1 - opposite.upper - 1e-9) << "order " << 1 + z;
    }
  });
}

}  // namespace
}  // namespace renyi::outcome_property_test
