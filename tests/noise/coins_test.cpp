// Coins and randomized response: every word of 8 bits, histograms, and bad parameters.
#include "noise/coins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "renyi/mechanisms.h"
#include "renyi/noise.h"
#include "support/chi_square.h"
#include "support/field_of_error.h"
#include "support/fixed_bits.h"
#include "support/step_of_release.h"
#include "support/word_tree.h"

namespace renyi::noise {
namespace coins_test {

using test::enumerate_words;
using test::field_of;
using test::PrefixSource;

TEST(Coin, HasTheProbabilityThatTheDoubleIs) {
  for (const double p : {0.0, 1.0, 0.5, 0.3, 1 / 3.0, 0.999, 0x1p-8, 0x1.8p-8, 0x1p-16, 0x1.5p-17, 1 - 0x1p-53}) {
    const Coin<std::uint8_t> coin(p);
    auto masses = enumerate_words<bool>([&](PrefixSource& source) { return coin.flip(source); }, 3);
    EXPECT_LE(masses.undecided, 0x1p-24) << p;
    // Both sides are exact in doubles.
    EXPECT_LE(masses.mass[true], p);
    EXPECT_LE(p, masses.mass[true] + masses.undecided);
    EXPECT_EQ(masses.mass[true] + masses.mass[false] + masses.undecided, 1) << p;
  }
}

TEST(Coin, TinyProbabilitiesAreReadToTheirLastDigit) {
  // The smallest double is 2^-1074: a 1 at the end of word 135 of 8 bits, after 134 words of 0 and before a word of 64.
  const double smallest = std::numeric_limits<double>::denorm_min();
  Digits<std::uint8_t> digits(smallest);
  for (int i = 0; i < 134; ++i) ASSERT_EQ(digits.next(), 0) << i;
  EXPECT_TRUE(digits.more());
  EXPECT_EQ(digits.next(), 64);
  EXPECT_FALSE(digits.more());
  Digits<std::uint64_t> words(0.3);
  EXPECT_EQ(words.next(), 0x4CCCCCCCCCCCCC00);
  EXPECT_FALSE(words.more());
}

TEST(Coin, SlowTierOnlyWhereDigitsGoOn) {
  EXPECT_EQ(slow_coin(0.3), 0);  // its digits end within the first word
  EXPECT_EQ(slow_coin(0), 0);
  EXPECT_EQ(slow_coin(1), 0);
  EXPECT_EQ(slow_coin(0x1.1p-62), 0x1p-64);
  EXPECT_EQ(slow_coin(1e-300), 0x1p-64);
}

// Words of a list, and then the largest one.
class ListedBits : public Bits {
 public:
  explicit ListedBits(std::vector<std::uint64_t> words) : words_(std::move(words)) {}
  void fill(std::span<std::uint64_t> words) override {
    for (std::uint64_t& word : words) word = next_ < words_.size() ? words_[next_++] : ~std::uint64_t{0};
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t next_ = 0;
};

TEST(FlipCoins, TiesOfABlockAreDecidedByFurtherWords) {
  // p = 2^-13 + 2^-65: the first digit is 2^51, the second 2^63.
  const double p = 0x1p-13 + 0x1p-65;
  const std::uint64_t first = std::uint64_t{1} << 51U;
  ListedBits bits({first, first - 1, first, first + 1, (std::uint64_t{1} << 63U) - 1, std::uint64_t{1} << 63U});
  std::array<std::uint8_t, 4> coins{};
  flip_coins(bits, p, coins);
  EXPECT_THAT(coins, testing::ElementsAre(1, 1, 0, 0));
}

TEST(FlipCoins, HistogramAgrees) {
  for (const double p : {0.3, 0.01, 0.75}) {
    test::SeededBits bits(17);
    std::vector<std::uint8_t> coins(100'003);
    flip_coins(bits, p, coins);
    std::array<std::uint64_t, 2> counts{};
    for (const std::uint8_t coin : coins) ++counts.at(coin);
    EXPECT_GT(test::p_value(counts, std::array{1 - p, p}), 1e-6) << p;
  }
}

// Probability of the category `to`, if the value is `from`.
double response(double truth, std::int64_t categories, std::int64_t from, std::int64_t to) {
  return from == to ? truth : (1 - truth) / static_cast<double>(categories - 1);
}

TEST(RandomizedResponse, EveryWordOfThreeCategories) {
  const Coin<std::uint8_t> truth(0.3);
  auto masses = enumerate_words<std::int64_t>([&](PrefixSource& source) { return respond(source, truth, 3, 1); }, 4);
  EXPECT_LT(masses.undecided, 1e-4);
  for (const std::int64_t to : {0, 1, 2}) {
    EXPECT_NEAR(masses.mass[to], response(0.3, 3, 1, to), masses.undecided + 1e-15) << to;
  }
}

TEST(RandomizedResponse, ValuesOutsideCountAsTheNearestCategory) {
  const std::vector<std::int64_t> values = {std::numeric_limits<std::int64_t>::min(), -1, 0, 3, 4,
                                            std::numeric_limits<std::int64_t>::max()};
  const std::vector<std::int64_t> nearest = {0, 0, 0, 3, 3, 3};
  std::vector<std::int64_t> responses(values.size()), expected(values.size());
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    test::SeededBits bits(seed), same(seed);
    respond_all(bits, values, responses, 0.4, 4);
    respond_all(same, nearest, expected, 0.4, 4);
    EXPECT_EQ(responses, expected);
  }
}

TEST(RandomizedResponse, HistogramAgrees) {
  for (const std::int64_t value : {0, 2, 4}) {
    test::SeededBits bits(5);
    const std::vector<std::int64_t> values(100'000, value);
    std::vector<std::int64_t> responses(values.size());
    respond_all(bits, values, responses, 0.5, 5);
    std::array<std::uint64_t, 5> counts{};
    std::array<double, 5> probabilities{};
    for (const std::int64_t to : responses) ++counts.at(static_cast<std::size_t>(to));
    for (std::size_t to = 0; to < 5; ++to) {
      probabilities.at(to) = response(0.5, 5, value, static_cast<std::int64_t>(to));
    }
    EXPECT_GT(test::p_value(counts, probabilities), 1e-6) << value;
  }
}

TEST(RandomizedResponse, IsTheStepOfThatName) {
  std::vector<std::int64_t> values = {0, 1, 2};
  const Release release = randomized_response(values, values, 0.1 + 0.2, 3);
  EXPECT_EQ(release.draws, 3U);
  EXPECT_LE(release.timing_delta, 3 * 0x1p-60);
  EXPECT_EQ(release.mechanism, "randomized-response");
  EXPECT_TRUE(test::step_of(release) == Mechanism(RandomizedResponse{.truth_probability = 0.1 + 0.2, .categories = 3}));
}

TEST(Coins, BadParametersAreNamedAndNothingIsWritten) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  std::vector<std::uint8_t> coins(3, 7);
  for (const double p : {-0.1, -1e-300, 1.1, nan, infinity, -infinity}) {
    EXPECT_EQ(field_of([&] { bernoulli(coins, p); }), "probability") << p;
  }
  EXPECT_THAT(coins, testing::Each(7));
  const std::vector<std::int64_t> values(3, 1);
  std::vector<std::int64_t> out(3, 7);
  for (const double p : {0.0, 1.0, -1.0, nan, infinity}) {
    EXPECT_EQ(field_of([&] { randomized_response(values, out, p); }), "truth_probability") << p;
  }
  for (const std::int64_t k : {std::int64_t{1}, std::int64_t{-5}, std::int64_t{1'000'000'000'000'001}}) {
    EXPECT_EQ(field_of([&] { randomized_response(values, out, 0.5, k); }), "categories") << k;
  }
  EXPECT_EQ(field_of([&] { randomized_response(values, {out.data(), 2}, 0.5); }), "out");
  EXPECT_THAT(out, testing::Each(7));
}

TEST(Coins, CertainCoins) {
  std::vector<std::uint8_t> coins(5000, 7);
  EXPECT_EQ(bernoulli(coins, 1).timing_delta, 0);
  EXPECT_THAT(coins, testing::Each(1));
  bernoulli(coins, 0);
  EXPECT_THAT(coins, testing::Each(0));
}

}  // namespace coins_test
}  // namespace renyi::noise
