// Discrete pairs with so many outcomes that a sum of rounded terms would show.
#include <gtest/gtest.h>

#include <cmath>

#include "exact/privacy_profile.h"
#include "mechanism/custom/discrete_curve.h"
#include "numerics/rounding.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"
#include "support/expect.h"
#include "support/own_discrete.h"

namespace renyi::many_outcomes_test {
namespace {

using numerics::unit_roundoff;
using test::both_directions;
using test::directed;
using test::DiscretePair;

// n outcomes of p = high and q = low, and n the other way round.
DistributionPair two_sided(std::size_t n, double high, double low, Normalize normalize) {
  std::vector<double> p(2 * n, low), q(2 * n, high);
  for (std::size_t i = 0; i < n; ++i) std::swap(p[i], q[i]);
  return DistributionPair::discrete(p, q, normalize);
}

// In no round numbers, so that their total rounds; the ratio is 2 exactly.
Mechanism two_to_one(std::size_t n) {
  const double low = 1.0 / 3 / static_cast<double>(n);
  return custom_pair("two to one", two_sided(n, 2 * low, low, Normalize::yes));
}

// Total variation of `steps` copies of the law (p, 1-p) and of (1-p, p).
long double total_variation(long double p, int steps) {
  long double sum = 0;
  for (int k = 0; k <= steps; ++k) {
    const long double ways = std::lgamma(steps + 1.0L) - std::lgamma(k + 1.0L) - std::lgamma(steps - k + 1.0L);
    const long double one = ways + k * std::log(p) + (steps - k) * std::log(1 - p);
    const long double other = ways + k * std::log(1 - p) + (steps - k) * std::log(p);
    sum += std::max(0.0L, std::exp(one) - std::exp(other));
  }
  return sum;
}

void expect_holds(const ExactInterval& figure, long double truth, long double width) {
  EXPECT_LE(static_cast<long double>(figure.lower), truth);
  EXPECT_GE(static_cast<long double>(figure.upper), truth);
  EXPECT_LE(figure.upper - figure.lower, width * truth);
}

TEST(ManyOutcomes, OfEqualLossAreOneAtomOfTheirWholeMass) {
  for (const std::size_t n : {std::size_t{3}, std::size_t{100}, std::size_t{200'000}}) {
    SCOPED_TRACE(n);
    const auto curve = mechanism::atomic_curve_of(two_to_one(n));
    for (const Direction direction : both_directions) {
      const auto& atoms = curve->atoms(direction);
      ASSERT_EQ(atoms.size(), 2U);
      const long double truths[] = {1.0L / 3, 2.0L / 3};
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_LE(std::abs(atoms[i].p.value - truths[i]), 6 * unit_roundoff * truths[i]);
        EXPECT_LE(std::abs(atoms[i].p.log - std::log(truths[i])), 6 * unit_roundoff);
      }
    }
  }
}

TEST(ManyOutcomes, OneStepIsItsTotalVariation) {
  for (const std::size_t n : {std::size_t{100}, std::size_t{200'000}}) {
    const ExactAnswer answer = PrivacyProfile(Plan().add(two_to_one(n))).delta(0);
    for (const ExactInterval& figure : {answer.worst, answer.remove, answer.add})
      expect_holds(figure, 1.0L / 3, 1e-12L);
  }
}

TEST(ManyOutcomes, FiftySteps) {
  const long double truth = total_variation(2.0L / 3, 50);
  EXPECT_NEAR(static_cast<double>(truth), 0.98425504173, 1e-11);
  expect_holds(PrivacyProfile(Plan().add(two_to_one(200'000), 50)).delta(0).worst, truth, 1e-11L);
}

TEST(ManyOutcomes, ExactlyOnTheBinaryGrid) {
  const auto pair = two_sided(65'536, 33.0 / 64 / 65'536, 31.0 / 64 / 65'536, Normalize::no);
  const auto curve = mechanism::atomic_curve_of(custom_pair("dyadic", pair));
  EXPECT_EQ(curve->atoms(Direction::remove)[1].p.value, 33.0 / 64);
  expect_holds(PrivacyProfile(Plan().add(custom_pair("dyadic", pair), 2)).delta(0).worst, 0.03125L, 1e-12L);
}

TEST(ManyOutcomes, DivergencesHoldTheTruth) {
  const auto curve = two_to_one(200'000).curve();
  const DiscretePair pair{{2.0L / 3, 1.0L / 3}, {1.0L / 3, 2.0L / 3}};
  EXPECT_NEAR(static_cast<double>(test::direct_renyi(pair, 1.5L)), 0.32850406697204, 1e-14);
  for (const double order : {1.0, 1.5, 2.0, 30.0, 1e4}) {
    test::expect_bounds(rdp(*curve, order), test::direct_renyi(pair, order), 2e-13L, 2e-13L);
  }
}

// Outcomes cut into parts that are none of them round numbers: 20,000 losses that agree but for rounding.
DiscretePair in_parts(const DiscretePair& whole, std::size_t parts) {
  DiscretePair pair;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (std::size_t j = 0; j < parts; ++j) {
      const double share = 1 + 0.5 * std::sin(static_cast<double>(j + i));
      pair.p.push_back(static_cast<double>(whole.p[i] * share));
      pair.q.push_back(static_cast<double>(whole.q[i] * share));
    }
  }
  return pair;
}

TEST(ManyOutcomes, OfAllSizes) {
  const DiscretePair raw = in_parts({{0.6L, 0.3L, 0.1L}, {0.2L, 0.5L, 0.3L}}, 20'000);
  const test::OwnDiscrete own = test::own_discrete(raw);
  const auto curve = mechanism::atomic_curve_of(own.mechanism);
  for (const Direction direction : both_directions) {
    const DiscretePair pair = directed(own.pair, direction);
    for (const double order : {1.0, 1.5, 8.0, 1e3}) {
      test::expect_bounds(divergence(*curve, order, direction), test::direct_renyi(pair, order), 2e-13L, 2e-13L);
    }
    for (const double epsilon : {0.0, 0.3, 1.0}) {
      test::expect_bounds(curve->hockey_stick(epsilon, direction), test::direct_hockey_stick(pair, epsilon), 1e-13L,
                          1e-13L);
    }
  }
}

// So many losses go to the grid, thousands of them to one point; they are those of three outcomes but for rounding.
TEST(ManyOutcomes, OfAllSizesOnTheGrid) {
  const DiscretePair raw = in_parts({{0.6L, 0.3L, 0.1L}, {0.2L, 0.5L, 0.3L}}, 20'000);
  const test::OwnDiscrete own = test::own_discrete(raw);
  DiscretePair three;
  for (std::size_t i = 0; i < 3; ++i) {
    long double p = 0, q = 0;
    for (std::size_t j = 20'000 * i; j < 20'000 * (i + 1); ++j) p += own.pair.p[j], q += own.pair.q[j];
    three.p.push_back(p);
    three.q.push_back(q);
  }
  const DiscretePair composed = test::power(three, 4);
  for (const double epsilon : {0.0, 1.0, 3.0}) {
    const ExactAnswer answer = PrivacyProfile(Plan().add(own.mechanism, 4)).delta(epsilon);
    EXPECT_EQ(answer.worst.engine, Engine::lattice);
    expect_holds(answer.remove, test::direct_hockey_stick(composed, epsilon), 1e-5L);
    expect_holds(answer.add, test::direct_hockey_stick(composed.swapped(), epsilon), 1e-5L);
  }
}

TEST(ManyOutcomes, LogarithmsKnowNothingOfTheScale) {
  for (const double scale : {1e-300, 1.0, 1e300}) {
    const auto pair = DistributionPair::discrete({3 * scale, 2 * scale, scale}, {scale, scale, scale}, Normalize::yes);
    const auto curve = mechanism::atomic_curve_of(custom_pair("scaled", pair));
    const auto& atoms = curve->atoms(Direction::remove);
    ASSERT_EQ(atoms.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_LE(std::abs(atoms[i].p.log - std::log((static_cast<long double>(i) + 1) / 6)), 6 * unit_roundoff) << scale;
    }
  }
}

// Masses below the normal numbers are known by their logarithms, and so is their sum.
TEST(ManyOutcomes, TooLightForTheirSum) {
  std::vector<double> p(1001, 1e-9), q(1001, 2e-9);
  p[0] = q[0] = 1e305;
  const auto curve = mechanism::atomic_curve_of(custom_pair("light", DistributionPair::discrete(p, q, Normalize::yes)));
  const auto& atoms = curve->atoms(Direction::remove);
  ASSERT_EQ(atoms.size(), 2U);
  const long double truth = std::log(1000.0L) + std::log(1e-9L) - std::log(1e305L);
  EXPECT_LE(std::abs(atoms[0].p.log - truth), 4 * unit_roundoff * std::abs(truth));
}

}  // namespace
}  // namespace renyi::many_outcomes_test
