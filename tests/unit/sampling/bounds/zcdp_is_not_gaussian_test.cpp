// A zCDP step may not be taken for a Gaussian before it is sampled: a pair of laws that is 5-zCDP, and of which a
// sample tells more than a sample of the Gaussian with rho = 5 (docs/math/sampling-bounds.md).
#include <gtest/gtest.h>

#include <cmath>

#include "renyi/mechanism.h"
#include "renyi/papers/sampling_bounds.h"
#include "support/discrete_pair.h"
#include "support/expect.h"

namespace renyi::zcdp_is_not_gaussian_test {
namespace {

using test::DiscretePair;

constexpr double rho = 5, rate = 1e-3;
const DiscretePair pair{{0.25L, 0.75L}, {1e-5L, 1 - 1e-5L}};
const DiscretePair sampled{{0.25L * rate + 1e-5L * (1 - rate), 0.75L * rate + (1 - 1e-5L) * (1 - rate)}, pair.q};

// D never falls in the order: D_b <= rho a covers every order in [a, b].
TEST(ZcdpIsNotGaussian, ThePairIsOfFiveZcdp) {
  for (const DiscretePair& directed : {pair, pair.swapped()}) {
    const long double most = test::direct_max_loss(directed);
    long double a = 1;
    for (; a * rho < most; a += 1e-3L) EXPECT_LE(test::direct_renyi(directed, a + 1e-3L), rho * a) << a;
    EXPECT_LT(a, 3);
  }
}

TEST(ZcdpIsNotGaussian, ASampleOfItExceedsTheSampledGaussian) {
  const auto gaussian = Mechanism(SampledGaussian{rate, 1 / std::sqrt(2 * rho)}).curve();
  const auto bound = poisson_bound(Mechanism(Zcdp{rho, 0}).curve(), rate);
  for (const double order : {1.0, 1.1, 1.25, 1.5}) {
    const auto truth = static_cast<double>(test::direct_renyi(sampled, order));
    EXPECT_GT(truth, rdp(*gaussian, order).upper() * 1.05) << order;
    EXPECT_LE(truth, divergence(*bound, order, Direction::remove).upper()) << order;
  }
  EXPECT_NEAR(static_cast<double>(test::direct_renyi(sampled, 1.1L)), 7.514e-4, 1e-7);
  EXPECT_NEAR(rdp(*gaussian, 1.1).value, 5.931e-4, 1e-7);
}

// So the bound for any zCDP step lies above the sampled Gaussian, which is one of them.
TEST(ZcdpIsNotGaussian, TheBoundLiesAboveTheSampledGaussian) {
  for (const double r : {1e-3, 0.5, 5.0}) {
    for (const double q : {1e-4, 0.01, 0.3, 0.9}) {
      const auto gaussian = Mechanism(SampledGaussian{q, 1 / std::sqrt(2 * r)}).curve();
      const auto bound = poisson_bound(Mechanism(Zcdp{r, 0}).curve(), q);
      for (const double order : {1.0, 1.5, 2.0, 3.0, 4.5, 10.0, 64.5, 1000.0, 20000.0}) {
        for (const Direction direction : test::both_directions) {
          EXPECT_GE(divergence(*bound, order, direction).upper(),
                    divergence(*gaussian, order, direction).lower() * (1 - 1e-12))
              << r << ' ' << q << ' ' << order << ' ' << test::name_of(direction);
        }
      }
    }
  }
}

}  // namespace
}  // namespace renyi::zcdp_is_not_gaussian_test
