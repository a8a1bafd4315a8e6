// Losses that may be infinite, against enumeration in long double: pairs of which each law may have outcomes that the
// other lacks, composed, sampled, as tables, and as (epsilon, delta)-DP steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/extras/relate.h"
#include "renyi/rdp.h"
#include "renyi/tradeoff.h"
#include "support/expect.h"
#include "support/own_discrete.h"

namespace renyi::infinite_loss_property_test {
namespace {

using test::both_directions;
using test::direct_hockey_stick;
using test::directed;
using test::DiscretePair;
using test::infinity;
using test::OwnDiscrete;
using test::RandomInputs;

constexpr long double slack = 1e-17L;  // error of the reference computation in long double

const ExactInterval& of(const ExactAnswer& answer, Direction direction) {
  return direction == Direction::remove ? answer.remove : answer.add;
}

// P's mass where Q has none.
long double infinite_mass(const DiscretePair& pair) {
  long double mass = 0;
  for (std::size_t i = 0; i < pair.size(); ++i) mass += pair.q[i] == 0 ? pair.p[i] : 0;
  return mass;
}

// Next to 1, what is left for the finite part drowns in the rounding of the mass.
bool is_sharp(const DiscretePair& truth) {
  return infinite_mass(truth) < 0.9999 && infinite_mass(truth.swapped()) < 0.9999;
}

void expect_deltas(const Plan& plan, const DiscretePair& truth, double epsilon, long double width) {
  const ExactAnswer answer = PrivacyProfile(plan).delta(epsilon);
  const double renyi = renyi_delta(plan, epsilon).upper;
  for (const Direction direction : both_directions) {
    const long double delta = direct_hockey_stick(directed(truth, direction), epsilon);
    const ExactInterval& figure = of(answer, direction);
    EXPECT_LE(figure.lower, delta + slack) << to_string(direction);
    EXPECT_GE(figure.upper, delta - slack) << to_string(direction);
    if (is_sharp(truth)) {
      EXPECT_LE(figure.upper - figure.lower, width * delta + 1e-11L) << to_string(direction);
    }
    EXPECT_GE(renyi, delta - slack) << to_string(direction);
  }
}

// delta at the upper end is not above what was asked; at the lower end it is not below.
void expect_epsilons(const Plan& plan, const DiscretePair& truth, double delta) {
  const ExactAnswer answer = PrivacyProfile(plan).epsilon(delta);
  const double renyi = renyi_epsilon(plan, delta).upper;
  for (const Direction direction : both_directions) {
    const DiscretePair pair = directed(truth, direction);
    const ExactInterval& figure = of(answer, direction);
    const long double mass = infinite_mass(pair);
    if (mass > delta * (1 + 1e-12L)) {
      EXPECT_EQ(figure.lower, infinity);
      EXPECT_EQ(renyi, infinity);
      continue;
    }
    if (mass < delta * (1 - 1e-9L) && is_sharp(truth)) {
      EXPECT_TRUE(std::isfinite(figure.upper));
    }
    for (const double upper : {figure.upper, renyi}) {
      if (!std::isfinite(upper)) continue;
      EXPECT_LE(direct_hockey_stick(pair, upper), delta * (1 + 1e-13L) + slack);
    }
    if (figure.lower > 0) {
      EXPECT_GE(direct_hockey_stick(pair, figure.lower), delta * (1 - 1e-12L) - slack);
    }
    EXPECT_LE(figure.lower, figure.upper);
  }
}

// A few steps of one pair with gaps, and of another one, with gaps or without.
struct Composition {
  Plan plan;
  DiscretePair all;
};

Composition random_composition(RandomInputs& random) {
  const OwnDiscrete first = test::own_discrete(test::random_pair_with_gaps(random, 4));
  const bool gaps = random.chance(0.5);
  const OwnDiscrete second =
      test::own_discrete(gaps ? test::random_pair_with_gaps(random, 3) : test::random_pair(random, 3));
  const int n = 1 + static_cast<int>(random.below(4)), m = static_cast<int>(random.below(3));
  Composition result{Plan().add(first.mechanism, n), test::power(first.pair, n)};
  if (m > 0) {
    result.plan.add(second.mechanism, m);
    result.all = test::product(result.all, test::power(second.pair, m));
  }
  return result;
}

double random_epsilon(RandomInputs& random) { return random.chance(0.2) ? 0 : random.log_uniform(1e-3, 20); }

TEST(InfiniteLossProperty, CompositionsOfPairsWithGapsHoldTheEnumeratedTruth) {
  test::for_random_cases(0.2, [](RandomInputs& random) {
    const Composition c = random_composition(random);
    expect_deltas(c.plan, c.all, random_epsilon(random), 1e-6L);
    expect_epsilons(c.plan, c.all, random.log_uniform(1e-9, 0.9));
  });
}

// The mass itself, and nothing is left beyond it.
TEST(InfiniteLossProperty, DeltaAtInfinityIsTheMass) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const Composition c = random_composition(random);
    const ExactAnswer answer = PrivacyProfile(c.plan).delta(infinity);
    const auto curve = compose(c.plan);
    for (const Direction direction : both_directions) {
      const long double mass = infinite_mass(directed(c.all, direction));
      EXPECT_LE(of(answer, direction).lower, mass + slack);
      EXPECT_GE(of(answer, direction).upper, mass - slack);
      EXPECT_NEAR(curve->infinite_mass(direction).value, static_cast<double>(mass), 1e-14);
      EXPECT_LE(curve->infinite_mass(direction).error, 1e-13);
    }
  });
}

// delta counted once for each step, not once in all and not as a sum: 1 - (1-d)^n.
TEST(InfiniteLossProperty, ApproximateStepsAreTheirPair) {
  test::for_random_cases(0.2, [](RandomInputs& random) {
    const double epsilon = random.chance(0.2) ? 0 : random.log_uniform(1e-3, 5), delta = random.log_uniform(1e-9, 0.5);
    const DiscretePair response = test::randomized_response_pair(epsilon);
    const long double rest = 1 - static_cast<long double>(delta);
    const DiscretePair pair{{delta, rest * response.p[0], rest * response.p[1], 0},
                            {0, rest * response.q[0], rest * response.q[1], delta}};
    const int n = 1 + static_cast<int>(random.below(5));
    const Plan plan = Plan().add(make_mechanism("approx-dp", {{"epsilon", epsilon}, {"delta", delta}}), n);
    const DiscretePair all = test::power(pair, n);
    expect_deltas(plan, all, random.chance(0.3) ? epsilon : random_epsilon(random), 1e-8L);
    expect_epsilons(plan, all, random.log_uniform(1e-10, 0.9));
    EXPECT_NEAR(renyi_delta(plan, 1e3).upper, static_cast<double>(infinite_mass(all)), 1e-14);
    EXPECT_GE(renyi_delta(plan, 1e3).upper, infinite_mass(all) - 1e-19L);
  });
}

// ((1-g) Q + g P, Q), outcome by outcome.
TEST(InfiniteLossProperty, PoissonSamplesMixEveryOutcome) {
  test::for_random_cases(0.2, [](RandomInputs& random) {
    const OwnDiscrete own = test::own_discrete(test::random_pair_with_gaps(random, 4));
    const double rate = random.log_uniform(1e-3, 0.99);
    DiscretePair mixed = own.pair;
    for (std::size_t i = 0; i < mixed.size(); ++i)
      mixed.p[i] = (1 - static_cast<long double>(rate)) * mixed.q[i] + rate * mixed.p[i];
    const int n = 1 + static_cast<int>(random.below(3));
    const Plan plan = Plan().add(own.mechanism.sampled_by(Sampling::poisson(rate)), n);
    expect_deltas(plan, test::power(mixed, n), random_epsilon(random), 1e-7L);
    expect_epsilons(plan, test::power(mixed, n), random.log_uniform(1e-9, 0.9));
  });
}

Rows rows_of(const DiscretePair& pair) {
  Rows rows;
  for (std::size_t i = 0; i < pair.size(); ++i) {
    const double loss = pair.q[i] == 0 ? infinity : static_cast<double>(std::log(pair.p[i] / pair.q[i]));
    if (pair.p[i] > 0) rows.push_back({loss, static_cast<double>(pair.p[i])});
  }
  return rows;
}

// Two tables that say the same, and the pair they are made of.
TEST(InfiniteLossProperty, TablesAreThePairTheyList) {
  test::for_random_cases(0.2, [](RandomInputs& random) {
    const DiscretePair drawn = test::random_pair_with_gaps(random, 4);
    std::vector<double> p = test::as_doubles(drawn.p), q = test::as_doubles(drawn.q);
    const DiscretePair pair = test::own_discrete(p, q).pair;
    Rows probabilities;
    for (std::size_t i = 0; i < p.size(); ++i) probabilities.push_back({p[i], q[i]});
    const int n = 1 + static_cast<int>(random.below(3));
    const double epsilon = random_epsilon(random);
    const Plan pairs = Plan().add(make_mechanism("pairs", {}, {{"probabilities", probabilities}}), n);
    expect_deltas(pairs, test::power(pair, n), epsilon, 1e-8L);
    // Losses and probabilities are rounded each by itself, so that Q is off by as much.
    const Plan losses = Plan().add(make_mechanism("losses", {}, {{"losses", rows_of(pair)}}), n);
    const ExactAnswer answer = PrivacyProfile(losses).delta(epsilon);
    for (const Direction direction : both_directions) {
      const long double truth = direct_hockey_stick(directed(test::power(pair, n), direction), epsilon);
      EXPECT_LE(of(answer, direction).lower, truth + 1e-12L);
      EXPECT_GE(of(answer, direction).upper, truth - 1e-12L);
      if (!is_sharp(test::power(pair, n))) continue;
      EXPECT_LE(of(answer, direction).upper - of(answer, direction).lower, 1e-8L * truth + 1e-11L);
    }
  });
}

// The best test without a type I error finds what only one law has.
TEST(InfiniteLossProperty, TradeoffsBeginAtTheMass) {
  test::for_random_cases(0.02, [](RandomInputs& random) {
    const Composition c = random_composition(random);
    const std::vector<double> none{0.0};
    const TradeoffPoint point = tradeoff(c.plan, none).front();
    EXPECT_NEAR(point.remove.power.upper, static_cast<double>(infinite_mass(c.all)), 1e-13);
    EXPECT_NEAR(point.add.power.lower, static_cast<double>(infinite_mass(c.all.swapped())), 1e-13);
    EXPECT_NEAR(point.remove.type_two.lower, static_cast<double>(1 - infinite_mass(c.all)), 1e-13);
  });
}

// Bounds at a few orders of a pair never give less than the pair, and at one of them nothing more.
TEST(InfiniteLossProperty, PointsBoundTheCurveTheyAreTakenFrom) {
  test::for_random_cases(0.3, [](RandomInputs& random) {
    const OwnDiscrete own = test::own_discrete(test::random_pair(random));
    const auto curve = own.mechanism.curve();
    Rows points;
    const std::size_t size = 1 + random.below(6);
    for (std::size_t i = 0; i < size; ++i) {
      const double order = random.chance(0.1) ? infinity : 1 + random.log_uniform(1e-2, 1e3);
      points.push_back({order, std::max(1e-290, rdp(*curve, order).upper())});
    }
    const auto bound = make_mechanism("rdp", {}, {{"points", points}}).curve();
    double last = 1;
    for (const auto& point : points) last = std::max(last, point[0]);
    for (int i = 0; i < 20; ++i) {
      const double order = 1 + random.log_uniform(1e-3, 1e3);
      if (order <= last * (1 - 1e-12)) {
        EXPECT_GE(rdp(*bound, order).upper(), rdp(*curve, order).lower()) << order;
      } else if (order > last) {
        EXPECT_EQ(rdp(*bound, order).lower(), infinity) << order;
      }
    }
    for (const auto& point : points) {
      EXPECT_LE(rdp(*bound, point[0]).lower(), point[1]) << point[0];  // no looser than what was said
    }
    const double delta = random.log_uniform(1e-9, 0.5);
    const auto count = static_cast<std::int64_t>(random.log_uniform(1, 100));
    const Plan truth = Plan().add(own.mechanism, count);
    const Plan told = Plan().add(make_mechanism("rdp", {}, {{"points", points}}), count);
    EXPECT_GE(renyi_epsilon(told, delta).upper, renyi_epsilon(truth, delta).upper * (1 - 1e-9));
    for (const auto& point : points) {
      const ConversionOptions there{Conversion::tight, {{point[0]}}};
      EXPECT_LE(renyi_epsilon(told, delta).upper, renyi_epsilon(truth, delta, there).upper * (1 + 1e-5) + 1e-9)
          << point[0];
    }
  });
}

}  // namespace
}  // namespace renyi::infinite_loss_property_test
