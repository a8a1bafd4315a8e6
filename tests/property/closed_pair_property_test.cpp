// Laws of normal and Laplace pairs, which no discrete judge can check directly: order, symmetry, coarsening.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "renyi/extras/divergence.h"
#include "support/expect.h"
#include "support/random_inputs.h"

namespace renyi::test::closed_pair_property_test {
namespace {

struct Parameters {
  double p_at = 0, p_wide = 1, q_at = 0, q_wide = 1;
  bool laplace = false;

  DistributionPair pair() const {
    return laplace ? DistributionPair::laplace({p_at, p_wide}, {q_at, q_wide})
                   : DistributionPair::normal({p_at, p_wide}, {q_at, q_wide});
  }
  // Pr[X > x], or Pr[X < x] for side = -1: both, since one less the other would round small ones away.
  long double tail(long double x, bool of_p, int side = 1) const {
    const long double t = side * (x - (of_p ? p_at : q_at)) / (of_p ? p_wide : q_wide);
    if (!laplace) return std::erfc(t / std::sqrt(2.0L)) / 2;
    return t > 0 ? std::exp(-t) / 2 : 1 - std::exp(t) / 2;
  }
};

Parameters random_parameters(RandomInputs& random) {
  Parameters a;
  a.laplace = random.chance(0.5);
  a.p_wide = random.log_uniform(1e-6, 1e6);
  a.q_wide = a.p_wide;
  if (random.chance(0.7))
    a.q_wide *= random.chance(0.5) ? random.log_uniform(0.01, 100) : 1 + random.log_uniform(1e-12, 0.1);
  a.p_at = random.uniform(-10, 10) * a.p_wide;
  a.q_at = a.p_at + (random.chance(0.5) ? 1 : -1) * random.log_uniform(1e-9, 30) * a.p_wide;
  return a;
}

double random_order(RandomInputs& random) {
  if (random.chance(0.2)) return random.one_of({1e-9, 0.5, 1, 1 + 1e-9, 2, infinity});
  return random.log_uniform(1e-3, 1e3);
}

TEST(ClosedFormPairs, NeverFallInTheOrder) {
  for_random_cases(1, [](RandomInputs& random) {
    const auto pair = random_parameters(random).pair();
    const double a = random_order(random), b = random_order(random);
    expect_not_above(renyi_divergence(pair, std::min(a, b)), renyi_divergence(pair, std::max(a, b)));
  });
}

// Neither shifting nor scaling both laws changes anything; powers of 2 do it without rounding.
TEST(ClosedFormPairs, HaveNoUnit) {
  for_random_cases(0.5, [](RandomInputs& random) {
    Parameters a = random_parameters(random);
    const auto before = a.pair();
    for (double* x : {&a.p_at, &a.p_wide, &a.q_at, &a.q_wide}) *x *= 0x1p40;
    const double order = random_order(random), epsilon = random.uniform(0, 3);
    EXPECT_EQ(renyi_divergence(a.pair(), order).value, renyi_divergence(before, order).value);
    EXPECT_EQ(hockey_stick(a.pair(), epsilon).value, hockey_stick(before, epsilon).value);
  });
}

// One threshold makes two coins of the two laws; that never raises a divergence.
TEST(ClosedFormPairs, ThresholdsNeverRaiseThem) {
  for_random_cases(1, [](RandomInputs& random) {
    const Parameters a = random_parameters(random);
    const double x = (random.chance(0.5) ? a.p_at : a.q_at) + random.uniform(-4, 4) * a.p_wide;
    std::vector<double> p, q;
    for (const int side : {1, -1}) {
      p.push_back(static_cast<double>(a.tail(x, true, side)));
      q.push_back(static_cast<double>(a.tail(x, false, side)));
    }
    // An outcome whose probability underflows has no loss.
    if (std::min({p[0], p[1], q[0], q[1]}) < 1e-300) return;
    const auto coins = DistributionPair::discrete(p, q);
    const double order = random_order(random), epsilon = random.uniform(0, 3);
    // Rounding the probabilities to double moves each loss by at most 2^-52.
    const Bounded coarse = renyi_divergence(coins, order), fine = renyi_divergence(a.pair(), order);
    EXPECT_LE(coarse.lower() - 1e-15, fine.upper() * (1 + 1e-15));
    EXPECT_LE(hockey_stick(coins, epsilon).lower() - 1e-15 * std::exp(epsilon),
              hockey_stick(a.pair(), epsilon).upper());
  });
}

// For equal widths the loss is monotone, so the best event is a threshold: the bound above is attained.
TEST(ClosedFormPairs, TheBestThresholdAttainsTheHockeyStick) {
  for_random_cases(0.5, [](RandomInputs& random) {
    Parameters a = random_parameters(random);
    a.q_wide = a.p_wide;
    if (a.p_at < a.q_at) std::swap(a.p_at, a.q_at);
    const long double d = (static_cast<long double>(a.p_at) - a.q_at) / a.p_wide;
    const double epsilon = random.uniform(0, 1) * static_cast<double>(std::min(d, 5.0L)) / 2;
    // Normal: the loss is d t + d^2/2 at p_at + t width; Laplace: between the locations it is 2t + d.
    const long double t = a.laplace ? (epsilon - d) / 2 : (epsilon - d * d / 2) / d;
    const long double x = a.p_at + t * a.p_wide;
    const long double attained = a.tail(x, true) - std::exp(static_cast<long double>(epsilon)) * a.tail(x, false);
    const Bounded got = hockey_stick(a.pair(), epsilon);
    EXPECT_NEAR(got.value, static_cast<double>(attained), 1e-15 + got.error);
  });
}

TEST(ClosedFormPairs, PinskerBretagnolleHuberAndSymmetry) {
  for_random_cases(1, [](RandomInputs& random) {
    const auto pair = random_parameters(random).pair();
    const double variation = total_variation(pair).lower(), kl = kl_divergence(pair).upper();
    EXPECT_LE(2 * variation * variation, kl * (1 + 1e-15));
    EXPECT_LE(variation, std::sqrt(-std::expm1(-kl)) * (1 + 1e-15));
    expect_overlap(total_variation(pair), total_variation(pair.swapped()));
    expect_overlap(renyi_divergence(pair, 0.5), renyi_divergence(pair.swapped(), 0.5));
  });
}

}  // namespace
}  // namespace renyi::test::closed_pair_property_test
