// Coins with probabilities exp(-x): every word enumerated, frequencies, parameters.
#include "noise/bernoulli_exp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "renyi/error.h"
#include "renyi/noise.h"
#include "support/fixed_bits.h"
#include "support/word_tree.h"

namespace renyi::noise {
namespace bernoulli_exp_test {

TEST(BernoulliExp, EveryWordGivesTheExactProbability) {
  for (const double exponent : {0.0, 0x1p-1074, 0x1p-20, 0.3, 1.0, 5.5, 12.0, 100.0, 1e300}) {
    for (const double widening : {0.0, 0x1p-7}) {
      const CoinOfExponent coin(exponent, widening);
      const auto all = test::enumerate_words<bool>([&](test::PrefixSource& words) { return coin.draw(words); }, 4);
      const double ones = all.mass.contains(true) ? all.mass.at(true) : 0;
      EXPECT_LT(all.undecided, 1e-7) << exponent;
      EXPECT_NEAR(ones, std::exp(-exponent), all.undecided + 1e-15) << exponent;
    }
  }
}

TEST(BernoulliExp, FrequenciesAreRightAndSlowTiersRare) {
  for (const double exponent : {0.0, 0.01, 0.7, 3.0, 900.0}) {
    test::SeededBits bits(5);
    std::vector<std::uint8_t> coins(100'000);
    bernoulli_exp(bits, coins, exponent);
    const double mean = std::accumulate(coins.begin(), coins.end(), 0.0) / 1e5, p = std::exp(-exponent);
    EXPECT_NEAR(mean, p, 4 * std::sqrt(p * (1 - p) / 1e5)) << exponent;
    EXPECT_LE(CoinOfExponent(exponent).slow_probability(), 0x1p-99);
  }
  EXPECT_GT(CoinOfExponent(1, 0x1p-7).slow_probability(), 0x1p-9);
}

TEST(BernoulliExp, ParametersAreChecked) {
  std::vector<std::uint8_t> coins(10, 7);
  const std::vector<std::uint8_t> before = coins;
  for (const double bad : {-1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_THROW(bernoulli_exp(coins, bad), InvalidArgument);
  }
  EXPECT_EQ(coins, before);
  const Release release = bernoulli_exp(coins, 0);
  EXPECT_EQ(release.draws, 10U);
  EXPECT_EQ(release.step, "");
  EXPECT_LE(release.timing_delta, 10 * 0x1p-99);
  EXPECT_EQ(coins, std::vector<std::uint8_t>(10, 1));
}

}  // namespace bernoulli_exp_test
}  // namespace renyi::noise
