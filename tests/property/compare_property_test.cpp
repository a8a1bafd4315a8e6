// Composition theorems against the truth: products of discrete pairs taken apart atom
// by atom, and Gaussians in closed form.
#include <gtest/gtest.h>

#include "compare/theorem.h"
#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/papers/composition_theorems.h"
#include "renyi/rdp.h"
#include "support/discrete_pair.h"
#include "support/expect.h"

namespace renyi::compare_property_test {
namespace {

const CompareOptions theorems_only{.epsilon = {}, .event = {}, .exact = false};

using test::DiscretePair;
using test::RandomInputs;

const TheoremAnswer& row(const Comparison& comparison, std::string_view name) {
  for (const TheoremAnswer& answer : comparison.theorems) {
    if (answer.name == name) return answer;
  }
  throw std::out_of_range(std::string(name));
}

// The hockey-stick divergence of long doubles is off by this at most.
constexpr long double direct_error = 1e-16L;

long double delta_of(const DiscretePair& pair, double epsilon) {
  return std::max(test::direct_hockey_stick(pair, epsilon), test::direct_hockey_stick(pair.swapped(), epsilon));
}

// The pair's pure epsilon, rounded up.
double pure_epsilon(const DiscretePair& pair) {
  const long double loss = std::max(test::direct_max_loss(pair), test::direct_max_loss(pair.swapped()));
  return static_cast<double>(std::max(0.0L, loss)) * (1 + 1e-14);
}

// Laws whose ratio is within a factor e^(2 scale) of 1 everywhere; randomized
// response, which is the worst of them, every third time.
DiscretePair random_pure_pair(RandomInputs& random, double scale) {
  if (random.chance(0.3)) return test::randomized_response_pair(scale);
  DiscretePair pair = test::random_pair(random, 3);
  long double sum = 0;
  for (std::size_t i = 0; i < pair.size(); ++i) {
    pair.q[i] = pair.p[i] * std::exp(static_cast<long double>(random.uniform(-scale, scale)));
    sum += pair.q[i];
  }
  for (auto& mass : pair.q) mass /= sum;
  return pair;
}

struct PureRun {
  Plan plan;
  DiscretePair outcomes;  // outcomes of all steps together
};

PureRun random_pure_run(RandomInputs& random, std::size_t most_steps) {
  PureRun run{Plan(), {{1}, {1}}};
  for (std::size_t n = 1 + random.below(most_steps); n > 0; --n) {
    const DiscretePair step = random_pure_pair(random, random.log_uniform(1e-3, 2));
    run.plan.add(PureDp{pure_epsilon(step)});
    run.outcomes = test::product(run.outcomes, step);
  }
  return run;
}

TEST(CompareProperty, EveryEpsilonIsProvenOnProductsOfPurePairs) {
  test::for_random_cases(1, [](RandomInputs& random) {
    const PureRun run = random_pure_run(random, 6);
    const double delta = random.log_uniform(1e-8, 0.9);
    const Comparison got = compare(run.plan, delta, theorems_only);
    for (const TheoremAnswer& answer : got.theorems) {
      SCOPED_TRACE(fmt::format("{} at delta {}, {} steps", answer.name, delta, run.plan.steps().size()));
      if (!answer.epsilon) continue;
      EXPECT_LE(delta_of(run.outcomes, *answer.epsilon), delta + direct_error);
    }
  });
}

// The optimal row is exact for randomized response: a slightly smaller epsilon is not enough.
TEST(CompareProperty, OptimalIsExactForRandomizedResponse) {
  test::for_random_cases(1, [](RandomInputs& random) {
    const double e = random.log_uniform(1e-3, 4), delta = random.log_uniform(1e-9, 0.9);
    const std::size_t k = 1 + random.below(10);
    DiscretePair all{{1}, {1}};
    for (std::size_t i = 0; i < k; ++i) all = test::product(all, test::randomized_response_pair(e));
    const double got =
        *row(compare(Plan().add(PureDp{e}, static_cast<std::int64_t>(k)), delta, theorems_only), "optimal").epsilon;
    SCOPED_TRACE(fmt::format("{} x {} at delta {} gives {}", k, e, delta, got));
    EXPECT_LE(delta_of(all, got), delta + direct_error);
    if (got > 0) {
      EXPECT_GT(delta_of(all, got * (1 - 1e-9)) * (1 + 1e-12L), delta);
    }
  });
}

TEST(CompareProperty, NoTheoremAboutPureStepsBeatsTheOptimum) {
  test::for_random_cases(1, [](RandomInputs& random) {
    const double e = random.log_uniform(1e-6, 10), delta = random.log_uniform(1e-12, 0.99);
    const auto k = static_cast<std::int64_t>(random.log_uniform(1, 1e6));
    const Comparison got = compare(Plan().add(PureDp{e}, k), delta, theorems_only);
    const double least = *row(got, "optimal").epsilon;
    for (const char* name : {"basic", "advanced", "renyi-corollary", "renyi-lemma", "renyi-pure", "renyi-plan"}) {
      SCOPED_TRACE(fmt::format("{} x {} at delta {}, {}", k, e, delta, name));
      if (row(got, name).epsilon) {
        EXPECT_LE(least, *row(got, name).epsilon * (1 + 1e-10));
      }
    }
  });
}

// Basic composition cannot be improved as delta goes to 0.
TEST(CompareProperty, BasicIsTightAsDeltaVanishes) {
  test::for_random_cases(0.5, [](RandomInputs& random) {
    const double e = random.log_uniform(1e-3, 3);
    const auto k = static_cast<std::int64_t>(1 + random.below(60));
    const Comparison got = compare(Plan().add(PureDp{e}, k), 1e-300, theorems_only);
    SCOPED_TRACE(fmt::format("{} x {}", k, e));
    EXPECT_NEAR(*row(got, "optimal").epsilon / *row(got, "basic").epsilon, 1, 1e-10);
  });
}

// (Sum of steps), every subset of the outcomes: Pr[S] is at most the bound from Pr'[S].
TEST(CompareProperty, TheEventFormHoldsForEveryEvent) {
  test::for_random_cases(0.5, [](RandomInputs& random) {
    PureRun run = random_pure_run(random, 3);
    while (run.outcomes.size() > 10) run = random_pure_run(random, 3);
    const compare_detail::Workload workload(run.plan);
    for (std::size_t subset = 1; subset < (std::size_t{1} << run.outcomes.size()); ++subset) {
      long double p = 0, q = 0;
      for (std::size_t i = 0; i < run.outcomes.size(); ++i) {
        if ((subset >> i & 1) == 0) continue;
        p += run.outcomes.p[i];
        q += run.outcomes.q[i];
      }
      const double event = std::min(1.0, static_cast<double>(q));
      if (event == 0) continue;
      const auto got = compare_detail::event_form({workload, 1, 0.1, event});
      EXPECT_LE(p, *got.probability * (1 + 1e-15L) + direct_error) << "event of probability " << event;
    }
  });
}

// 2 a e^2 >= a e^2 / 2 >= the tight curve, which randomized response has.
TEST(CompareProperty, TheLemmaIsAboveTheTightCurve) {
  test::for_random_cases(0.5, [](RandomInputs& random) {
    const double e = random.log_uniform(1e-4, 20), a = 1 + random.log_uniform(1e-3, 1e3);
    SCOPED_TRACE(fmt::format("epsilon {}, order {}", e, a));
    const Bounded tight = rdp(*Mechanism(PureDp{e}).curve(), a);
    const long double direct = test::direct_renyi(test::randomized_response_pair(e), a);
    EXPECT_NEAR(static_cast<double>(tight.value / direct), 1, e * e < 1e-3 ? 1e-6 : 1e-10);
    EXPECT_LE(tight.lower(), a * e * e / 2 * (1 + 1e-15));
    EXPECT_LE(tight.upper(), 2 * a * e * e);
    const DiscretePair pair = random_pure_pair(random, e);
    const double pure = pure_epsilon(pair);
    EXPECT_LE(test::direct_renyi(pair, a), rdp(*Mechanism(PureDp{pure}).curve(), a).upper() + 1e-15L);
  });
}

// Gaussians: delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu), mu = sqrt(n)/s.
long double gaussian_delta(double mu, double epsilon) {
  const auto phi = [](long double x) { return 0.5L * std::erfc(-x / std::sqrt(2.0L)); };
  const long double m = mu, e = epsilon;
  return phi(m / 2 - e / m) - std::exp(e) * phi(-m / 2 - e / m);
}

TEST(CompareProperty, EveryEpsilonIsProvenForGaussians) {
  test::for_random_cases(0.2, [](RandomInputs& random) {
    const double stddev = random.log_uniform(0.5, 200), delta = random.log_uniform(1e-9, 0.5);
    const auto n = static_cast<std::int64_t>(random.log_uniform(1, 1e4));
    const double mu = std::sqrt(static_cast<double>(n)) / stddev;
    for (const TheoremAnswer& answer : compare(Plan().add(Gaussian{stddev}, n), delta, theorems_only).theorems) {
      if (!answer.epsilon || *answer.epsilon > 1e3) continue;
      SCOPED_TRACE(fmt::format("{}: {} x {} at delta {} gives {}", answer.name, n, stddev, delta, *answer.epsilon));
      EXPECT_LE(gaussian_delta(mu, *answer.epsilon), delta * (1 + 1e-9L));
    }
  });
}

Plan random_small_plan(RandomInputs& random) {
  Plan plan;
  for (std::size_t n = 1 + random.below(3); n > 0; --n) {
    const auto count = static_cast<std::int64_t>(random.log_uniform(1, 100));
    switch (random.below(4)) {
      case 0: plan.add(Gaussian{random.log_uniform(3, 300)}, count); break;
      case 1: plan.add(SampledGaussian{random.log_uniform(1e-3, 0.1), random.log_uniform(1, 10)}, count); break;
      case 2: plan.add(Laplace{random.log_uniform(3, 3000)}, count); break;
      default: plan.add(PureDp{random.log_uniform(1e-4, 0.3)}, count);
    }
  }
  return plan;
}

TEST(CompareProperty, MoreRunsNeverCostLess) {
  test::for_random_cases(0.15, [](RandomInputs& random) {
    const Plan plan = random_small_plan(random);
    const double delta = random.log_uniform(1e-9, 0.1);
    const auto n = static_cast<std::int64_t>(random.log_uniform(1, 1e3));
    const Comparison few = compare(Plan().add(plan, n), delta, theorems_only),
                     more = compare(Plan().add(plan, n + 1), delta, theorems_only);
    for (std::size_t i = 0; i < few.theorems.size(); ++i) {
      const TheoremAnswer &less = few.theorems[i], &later = more.theorems[i];
      SCOPED_TRACE(fmt::format("{} at {} runs", less.name, n));
      if (less.epsilon && later.epsilon) {
        EXPECT_LE(*less.epsilon, *later.epsilon * (1 + 1e-11));
      }
      if (!less.epsilon) {
        EXPECT_FALSE(later.epsilon);
      }
      if (less.event_probability) {
        EXPECT_LE(*less.event_probability, *later.event_probability);
      }
    }
  });
}

// The theorems for (epsilon, delta)-DP steps by what was once the rule: Renyi's epsilon of a step at an even share of
// delta, or of half of it, and the other half for the theorem.
struct Halved {
  double basic = 0;
  double advanced = 0;
};

Halved by_halving(const Plan& plan, double delta) {
  double sharing = 0;
  for (const CountedMechanism& step : plan.analysed()) {
    if (std::isinf(step.mechanism.curve()->worst_max_loss().upper())) sharing += static_cast<double>(step.count);
  }
  Halved result;
  double squares = 0, drift = 0;
  for (const CountedMechanism& step : plan.analysed()) {
    const auto curve = step.mechanism.curve();
    const double pure = curve->worst_max_loss().upper(), n = static_cast<double>(step.count);
    const auto epsilon = [&](double share) {
      return std::isinf(pure) ? renyi_epsilon(*curve, share / sharing).upper : pure;
    };
    const double half = epsilon(0.5 * delta);
    result.basic += n * epsilon(delta);
    squares += n * half * half;
    drift += n * half * std::expm1(half);
  }
  const double slack = sharing > 0 ? 0.5 * delta : delta;
  result.advanced = std::sqrt(2 * std::log(1 / slack) * squares) + drift;
  return result;
}

TEST(CompareProperty, NoSplitIsWorseThanHalves) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const Plan plan = random_small_plan(random);
    const double delta = random.log_uniform(1e-12, 0.5);
    const Halved old = by_halving(plan, delta);
    const Comparison got = compare(plan, delta, theorems_only);
    EXPECT_LE(*row(got, "basic").epsilon, old.basic * (1 + 1e-12)) << "at delta " << delta;
    EXPECT_LE(*row(got, "advanced").epsilon, old.advanced * (1 + 1e-12)) << "at delta " << delta;
  });
}

// Equal steps of every kind: with a pure epsilon, without, and with a delta of their own.
Mechanism random_step(RandomInputs& random) {
  switch (random.below(5)) {
    case 0: return SampledGaussian{random.log_uniform(1e-4, 1), random.log_uniform(0.5, 10)};
    case 1: return Gaussian{random.log_uniform(0.5, 100)};
    case 2: return Laplace{random.log_uniform(0.5, 300)};
    case 3: return Zcdp{.rho = random.log_uniform(1e-5, 1)};
    default:
      return make_mechanism("approx-dp",
                            {{"epsilon", random.log_uniform(1e-3, 2)}, {"delta", random.log_uniform(1e-12, 1e-3)}});
  }
}

// All of delta may go to the steps, and then the optimal theorem adds their epsilons too.
TEST(CompareProperty, OptimalIsNeverAboveBasic) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const Mechanism step = random_step(random);
    const auto count = random.chance(0.3) ? 1 : static_cast<std::int64_t>(random.log_uniform(1, 1e4));
    const double delta = random.log_uniform(1e-12, 0.9);
    const Comparison got = compare(Plan().add(step, count), delta, theorems_only);
    SCOPED_TRACE(fmt::format("{} x {} at delta {}", count, step.kind(), delta));
    EXPECT_LE(*row(got, "optimal").epsilon, *row(got, "basic").epsilon * (1 + 1e-12));
  });
}

// Run that often the plan fits the budget, run once more it does not.
TEST(CompareProperty, TheLargestCountIsTheLargest) {
  test::for_random_cases(0.04, [](RandomInputs& random) {
    const Plan plan = random_small_plan(random);
    const double delta = random.log_uniform(1e-9, 0.1), budget = random.log_uniform(0.01, 30);
    for (const TheoremAnswer& answer :
         compare(plan, delta, {.epsilon = budget, .event = {}, .exact = false}).theorems) {
      if (!answer.largest_count) continue;
      const LargestCount& largest = *answer.largest_count;
      SCOPED_TRACE(fmt::format("{}: {} within {} at delta {}", answer.name, largest.count, budget, delta));
      ASSERT_FALSE(largest.unlimited);
      if (largest.count > 0) {
        EXPECT_LE(*row(compare(Plan().add(plan, largest.count), delta, theorems_only), answer.name).epsilon, budget);
      }
      if (largest.at_least) continue;
      const auto next = row(compare(Plan().add(plan, largest.count + 1), delta, theorems_only), answer.name);
      if (next.epsilon) {
        EXPECT_GT(*next.epsilon, budget);
      }
    }
  });
}

// Nothing that a theorem proves is below the exact cost.
TEST(CompareProperty, NoTheoremBeatsTheExactCost) {
  test::for_random_cases(0.01, [](RandomInputs& random) {
    const Plan plan = random_small_plan(random);
    const double delta = random.log_uniform(1e-9, 0.1);
    const double exact = PrivacyProfile(plan).epsilon(delta).worst.lower;
    for (const TheoremAnswer& answer : compare(plan, delta).theorems) {
      if (answer.epsilon) {
        EXPECT_GE(*answer.epsilon, exact) << answer.name << " at delta " << delta;
      }
    }
  });
}

}  // namespace
}  // namespace renyi::compare_property_test
