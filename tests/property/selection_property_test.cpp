// Tests private selection and the exponential mechanism against direct computation on random small datasets.
#include <gtest/gtest.h>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "mechanism/bounded_range.h"
#include "renyi/exact.h"
#include "renyi/extras/custom.h"
#include "renyi/extras/select.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"
#include "support/best_of_runs.h"
#include "support/own_discrete.h"

namespace renyi::selection_property_test {
namespace {

using test::DiscretePair;
using test::RandomInputs;

constexpr double infinity = std::numeric_limits<double>::infinity();
const std::vector<double> orders{1, 1.1, 1.5, 2, 4, 16, 100, infinity};

Runs random_runs(RandomInputs& random) {
  switch (random.below(4)) {
    case 0: return Runs::geometric(random.one_of({1, 1.5, 4, 30}));
    case 1: return Runs::logarithmic(random.one_of({0.01, 0.2, 0.9}));
    case 2: return Runs::negative_binomial(random.one_of({-0.9, -0.5, 0.5, 2, 5}), random.one_of({0.02, 0.3, 0.9}));
    default: return Runs::poisson(random.one_of({0.05, 0.5, 1, 3, 40}));
  }
}

// The judge's sums are off by roundings of 1, divided by the order less 1.
constexpr long double rounding = 1e-17L;

TEST(SelectionProperties, TheBestOfSeveralRunsCostsNoMoreThanTheBound) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const auto [run, step] = test::own_discrete(test::random_pair(random, 5));
    const Runs runs = random_runs(random);
    const auto curve = compose(Plan().add(Select({Step{step}}, runs)));
    const DiscretePair best = test::best_of(run, runs);
    for (const double order : orders) {
      SCOPED_TRACE(testing::Message() << to_string(runs.law) << " order " << order);
      const double bound = rdp(*curve, order).upper();
      EXPECT_LE(test::direct_renyi(best, order), bound * (1 + 1e-9L) + rounding);
      EXPECT_LE(test::direct_renyi(best.swapped(), order), bound * (1 + 1e-9L) + rounding);
    }
  });
}

// A run whose noise is so much less than usual: 1 or more.
Mechanism random_run(RandomInputs& random, double less) {
  const double size = random.log_uniform(0.02, 5);
  switch (random.below(6)) {
    case 0: return Gaussian{1 / size, less};
    case 1: return Laplace{1 / size, less};
    case 2: return PureDp{size * less};
    case 3: return Zcdp{size * less};
    case 4: return make_mechanism("exponential", {{"epsilon", size * less}});
    default: return SampledGaussian{0.05, 2 / less / (1 + size)};
  }
}

Runs random_number_of_runs(RandomInputs& random, double more) {
  const double mean = 1 + random.log_uniform(1e-2, 1e4), gamma = random.log_uniform(1e-6, 0.9) / more;
  switch (random.below(4)) {
    case 0: return Runs::geometric(mean * more);
    case 1: return Runs::logarithmic(gamma);
    case 2: return Runs::negative_binomial(random.one_of({-0.9, -0.5, 0.5, 2, 5}), gamma);
    default: return Runs::poisson((mean - 1) * more);
  }
}

Plan random_selection(RandomInputs random, double less, double more) {
  const Mechanism run = random_run(random, less);
  return Plan().add(Select({Step{run}}, random_number_of_runs(random, more)));
}

// Searches over orders may stop at slightly different places.
constexpr double search = 1e-9;

TEST(SelectionProperties, LessNoiseMoreRunsAndLargerOrdersNeverCostLess) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    const double less = 1 + random.one_of({0, 1e-4, 0.01, 0.1}), more = 1 + random.one_of({0, 1e-4, 0.01, 0.1});
    const Plan one = random_selection(random, 1, 1), other = random_selection(random, less, more);
    SCOPED_TRACE(write_plan(one) + " and " + write_plan(other));
    const auto few = compose(one), many = compose(other);
    double before = 0;
    for (const double order : orders) {
      const double here = rdp(*few, order).upper();
      EXPECT_LE(here, rdp(*many, order).upper() * (1 + search)) << "order " << order;
      EXPECT_LE(before, here * (1 + search)) << "order " << order;
      before = here;
    }
    for (const double delta : {1e-9, 1e-5, 1e-2}) {
      EXPECT_LE(renyi_epsilon(*few, delta).upper, renyi_epsilon(*many, delta).upper * (1 + search)) << delta;
    }
  });
}

// Neighbours for the exponential mechanism: scores, and scores moved by at most 1.
DiscretePair random_scores(RandomInputs& random, long double epsilon) {
  const std::size_t answers = 2 + random.below(5);
  DiscretePair pair;
  long double sum_p = 0, sum_q = 0;
  for (std::size_t i = 0; i < answers; ++i) {
    const long double score = random.uniform(-3, 3) * random.one_of({0.1, 1, 5});
    const long double moved = score + (random.chance(0.7) ? random.one_of({-1, 1}) : random.uniform(-1, 1));
    pair.p.push_back(std::exp(epsilon * score / 2));
    pair.q.push_back(std::exp(epsilon * moved / 2));
    sum_p += pair.p.back();
    sum_q += pair.q.back();
  }
  for (auto& mass : pair.p) mass /= sum_p;
  for (auto& mass : pair.q) mass /= sum_q;
  return pair;
}

TEST(SelectionProperties, NoScoresCostTheExponentialMechanismMoreThanItsCurve) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    const double epsilon = random.one_of({0.01, 0.3, 1, 2.5, 8});
    const auto curve = make_mechanism("exponential", {{"epsilon", epsilon}}).curve();
    const DiscretePair pair = random_scores(random, epsilon);
    for (const double order : orders) {
      EXPECT_LE(test::direct_renyi(pair, order), rdp(*curve, order).upper() * (1 + 1e-12L) + rounding) << order;
    }
  });
}

const std::vector<double> shares{0, 0.2, 0.6, 1.5};

// The delta of two steps of the dominating pair at these shares of epsilon.
std::vector<double> dominating_deltas(double epsilon) {
  Plan plan;
  plan.add(CustomMechanism("bounded range", std::make_shared<mechanism::BoundedRangePair>(epsilon)), 2);
  const PrivacyProfile accountant(plan, {.tolerance = 1e-3});
  std::vector<double> deltas;
  for (const double share : shares) deltas.push_back(accountant.delta(share * epsilon).worst.upper);
  return deltas;
}

// Two different uses, one after the other: the pair dominates each, and so both together.
TEST(SelectionProperties, TheDominatingPairComposes) {
  const std::vector<double> epsilons{0.3, 1, 2.5};
  std::vector<std::vector<double>> allowed;
  for (const double epsilon : epsilons) allowed.push_back(dominating_deltas(epsilon));
  test::for_random_cases(0.3, [&](RandomInputs& random) {
    const std::size_t which = random.below(epsilons.size());
    const double epsilon = epsilons[which];
    const DiscretePair both = test::product(random_scores(random, epsilon), random_scores(random, epsilon));
    for (std::size_t i = 0; i < shares.size(); ++i) {
      EXPECT_LE(test::direct_hockey_stick(both, shares[i] * epsilon), allowed[which][i]) << epsilon << ' ' << shares[i];
    }
  });
}

}  // namespace
}  // namespace renyi::selection_property_test
