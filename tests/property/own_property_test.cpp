// Tests discrete pairs as custom mechanisms against enumeration in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/own_discrete.h"

namespace renyi::own_property_test {
namespace {

using test::both_directions;
using test::directed;
using test::DiscretePair;
using test::infinity;
using test::OwnDiscrete;
using test::RandomInputs;

constexpr long double slack = 1e-17L;  // error of the reference computation in long double

void expect_inside(const ExactInterval& figure, long double truth, long double judge_error) {
  EXPECT_LE(figure.lower, truth + judge_error) << to_string(figure.engine);
  EXPECT_GE(figure.upper, truth - judge_error) << to_string(figure.engine);
}

TEST(OwnProperty, CurvesOfDiscretePairsAreThoseOfTheDefinition) {
  test::for_random_cases(0.2, [](RandomInputs& random) {
    const OwnDiscrete own = test::own_discrete(test::random_pair(random));
    const auto curve = own.mechanism.curve();
    const double order = 1 + random.log_uniform(1e-2, 1e3);
    for (const Direction direction : both_directions) {
      const DiscretePair pair = directed(own.pair, direction);
      const Bounded d = divergence(*curve, order, direction);
      const long double truth = test::direct_renyi(pair, order), judge = 1e-16L * (1 + truth) + 4e-17L * 200;
      EXPECT_LE(d.lower(), truth + judge);
      EXPECT_GE(d.upper(), truth - judge);
      const Bounded kl = divergence(*curve, 1, direction);
      EXPECT_NEAR(kl.value, static_cast<double>(test::direct_kl(pair)), 1e-12 * (1 + kl.value));
      const double a = random.uniform(0.01, 0.99);
      const Bounded c = curve->chernoff(a, direction);
      EXPECT_NEAR(c.value, static_cast<double>(-test::direct_log_moment(pair, a)), 1e-12 * (1 + c.value));
    }
  });
}

// Where one law has mass that the other lacks, the Renyi bound is infinite in that direction and right in the other.
TEST(OwnProperty, GapsMakeOneDirectionInfinite) {
  test::for_random_cases(0.2, [](RandomInputs& random) {
    const OwnDiscrete own = test::own_discrete(test::random_pair_with_gaps(random));
    const auto curve = own.mechanism.curve();
    for (const Direction direction : both_directions) {
      const DiscretePair pair = directed(own.pair, direction);
      for (const double order : {1.0, 1.5, 4.0, infinity}) {
        const long double truth = test::direct_renyi(pair, order);
        const Bounded d = divergence(*curve, order, direction);
        if (std::isinf(truth) && truth > 0) {
          EXPECT_EQ(d.upper(), infinity);
        } else {
          EXPECT_NEAR(d.value, static_cast<double>(std::max(0.0L, truth)), 1e-12 * (1 + d.value));
        }
      }
    }
  });
}

TEST(OwnProperty, ResponsesAgreeWithTheBuiltInOnes) {
  test::for_random_cases(0.1, [](RandomInputs& random) {
    const auto categories = 2 + random.below(5);
    const double truth = random.uniform(0.05, 0.98), other = (1 - truth) / static_cast<double>(categories - 1);
    std::vector<double> p(categories, other), q(categories, other);
    p[0] = q[1] = truth;
    const Mechanism own = custom_pair("response", DistributionPair::discrete(p, q));
    const Mechanism known = RandomizedResponse{truth, static_cast<double>(categories)};
    const double order = random.order();
    const double mine = rdp(*own.curve(), order).value, theirs = rdp(*known.curve(), order).value;
    // The table's numbers are rounded: other is off by a unit, and the loss near 0 by as much.
    EXPECT_NEAR(mine, theirs, 1e-12 * (theirs + 1e-3));
    const auto count = static_cast<std::int64_t>(random.log_uniform(1, 300));
    const double delta = random.log_uniform(1e-12, 0.3);
    const auto a = PrivacyProfile(Plan().add(own, count)).epsilon(delta).worst;
    const auto b = PrivacyProfile(Plan().add(known, count)).epsilon(delta).worst;
    EXPECT_LE(a.lower, b.upper + 1e-12);
    EXPECT_LE(b.lower, a.upper + 1e-12);
  });
}

// All outcomes of n steps, enumerated.
TEST(OwnProperty, CompositionsHoldTheEnumeratedTruth) {
  test::for_random_cases(0.2, [](RandomInputs& random) {
    const OwnDiscrete first = test::own_discrete(test::random_pair(random, 4));
    const OwnDiscrete second = test::own_discrete(test::random_pair(random, 3));
    const int n = 1 + static_cast<int>(random.below(4)), m = static_cast<int>(random.below(3));
    Plan plan;
    plan.add(first.mechanism, n);
    DiscretePair all = test::power(first.pair, n);
    if (m > 0) {
      plan.add(second.mechanism, m);
      all = test::product(all, test::power(second.pair, m));
    }
    const double epsilon = random.chance(0.2) ? 0
                                              : random.log_uniform(1e-3, 1) *
                                                    static_cast<double>(std::max(1e-3L, test::direct_max_loss(all)));
    const ExactAnswer answer = PrivacyProfile(plan).delta(epsilon);
    for (const Direction direction : both_directions) {
      const long double truth = test::direct_hockey_stick(directed(all, direction), epsilon);
      const ExactInterval& figure = direction == Direction::remove ? answer.remove : answer.add;
      expect_inside(figure, truth, slack);
      // All sums are listed, so that only rounding is left.
      EXPECT_LE(figure.upper - figure.lower, 1e-8L * truth + 1e-11L);
    }
    const double delta = random.log_uniform(1e-9, 0.5);
    const ExactAnswer inverse = PrivacyProfile(plan).epsilon(delta);
    for (const Direction direction : both_directions) {
      const ExactInterval& figure = direction == Direction::remove ? inverse.remove : inverse.add;
      EXPECT_LE(test::direct_hockey_stick(directed(all, direction), figure.upper), delta * (1 + 1e-13L) + slack);
      if (figure.lower > 0) {
        EXPECT_GE(test::direct_hockey_stick(directed(all, direction), figure.lower), delta * (1 - 1e-13L) - slack);
      }
      EXPECT_LE(figure.upper, renyi_epsilon(plan, delta).upper * (1 + 1e-12));
    }
  });
}

// A pair as its own bound on the divergences: nothing better, nothing worse.
TEST(OwnProperty, ACurveOfItsDivergencesGivesTheSameEpsilon) {
  test::for_random_cases(0.2, [](RandomInputs& random) {
    const OwnDiscrete own = test::own_discrete(test::random_pair(random));
    const auto curve = own.mechanism.curve();
    const Mechanism by_function =
        custom_curve("by its divergences", [&](double order) { return rdp(*curve, order).upper(); });
    const auto count = static_cast<std::int64_t>(random.log_uniform(1, 1e4));
    const double delta = random.log_uniform(1e-12, 0.5);
    const double direct = renyi_epsilon(Plan().add(own.mechanism, count), delta).upper;
    const double mine = renyi_epsilon(Plan().add(by_function, count), delta).upper;
    EXPECT_GE(mine, direct * (1 - 1e-9));
    // Finite differences smooth the kink where the larger direction changes.
    EXPECT_LE(mine, direct * (1 + 2e-4) + 1e-12);
  });
}

}  // namespace
}  // namespace renyi::own_property_test
