// Choices among scores: every word of 8 bits against exact probabilities in ball arithmetic, histograms, scores that
// are no numbers, and bad parameters.
#include "noise/choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "noise/block_source.h"
#include "renyi/mechanisms.h"
#include "renyi/noise.h"
#include "support/chi_square.h"
#include "support/field_of_error.h"
#include "support/fixed_bits.h"
#include "support/noisy_max_law.h"
#include "support/step_of_release.h"
#include "support/word_tree.h"

namespace renyi::noise {
namespace choices_test {

using certify::Ball;
using test::enumerate_words;
using test::field_of;
using test::PrefixSource;

const std::vector<double> three = {0.25, 1.5, -0.75};
// 0.3 and 0.7 are the doubles next to these numbers, and the factor of the gaps is their quotient, no double.
Gaps gaps_of_three() { return {three, 0x1p40, 0.7, 0.3}; }

// The probability of each score in the exponential mechanism, by ball arithmetic.
std::vector<Ball> exponential_law(const Gaps& gaps) {
  std::vector<Ball> law;
  Ball sum;
  for (std::size_t i = 0; i < gaps.size(); ++i) sum += law.emplace_back(exp(-gaps.ball(i)));
  for (Ball& mass : law) mass /= sum;
  return law;
}

// The law of permute-and-flip from its other definition, the largest of the scores with one-sided exponential noise:
// score i has the integral from 0 to 1 of w_i prod_{j != i} (1 - w_j z) (docs/math/noise-choices.md).
std::vector<Ball> exponential_noise_law(const Gaps& gaps) {
  std::vector<Ball> law;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    std::vector<Ball> polynomial = {exp(-gaps.ball(i))};
    for (std::size_t j = 0; j < gaps.size(); ++j) {
      if (j == i) continue;
      polynomial.emplace_back();
      for (std::size_t k = polynomial.size() - 1; k > 0; --k) polynomial[k] -= polynomial[k - 1] * exp(-gaps.ball(j));
    }
    Ball integral;
    for (std::size_t k = 0; k < polynomial.size(); ++k) integral += polynomial[k] / Ball(static_cast<int>(k) + 1);
    law.push_back(integral);
  }
  return law;
}

std::vector<double> as_doubles(const std::vector<Ball>& law) {
  std::vector<double> doubles;
  for (const Ball& mass : law) doubles.push_back(mass.about());
  return doubles;
}

void expect_law(const std::vector<double>& masses, double undecided, const std::vector<Ball>& law) {
  EXPECT_LT(undecided, 1e-4);
  double sum = undecided;
  for (std::size_t i = 0; i < law.size(); ++i) {
    EXPECT_TRUE(surely_at_most(Ball(masses[i]) - Ball(1e-14), law[i])) << i;
    EXPECT_TRUE(surely_at_most(law[i], Ball(masses[i] + undecided) + Ball(1e-14))) << i;
    sum += masses[i];
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

// Tests run each law as it is, and with enclosures so wide that the slow tier decides often: 2^-5.
const std::array<Widening, 2> widenings = {Widening{}, Widening{Wide{1} << 123U}};

TEST(Gaps, AreTheRealNumbers) {
  const certify::Precision precision(300);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-300, 60);
  for (int i = 0; i < 300; ++i) {
    const std::vector<double> scores = {std::exp2(exponent(random)), -std::exp2(exponent(random)), 1};
    const double numerator = std::exp2(exponent(random) / 2), denominator = std::exp2(exponent(random) / 4);
    const Gaps gaps(scores, 1e80, numerator, denominator);
    for (std::size_t j = 0; j < scores.size(); ++j) {
      const DoubleDouble gap = gaps.gap(j);
      const Ball known = Ball(gap.high) + Ball(gap.low), truth = gaps.ball(j), error = Ball(Gaps::error(gap));
      if (gap.high == Gaps::most && gap.low == 0) {
        EXPECT_TRUE(surely_at_most(known - error, truth));
      } else {
        EXPECT_TRUE(surely_at_most(abs(known - truth), error)) << gap.high;
      }
      const Fraction weight = gaps.weight(j);
      const std::array<std::uint64_t, 2> lower = {high_word(weight.lower), low_word(weight.lower)};
      const std::array<std::uint64_t, 2> upper = {high_word(weight.upper), low_word(weight.upper)};
      EXPECT_TRUE(surely_at_most(ends(lower, 64).lower, exp(-truth) + Ball(0x1p-250)));
      EXPECT_TRUE(surely_at_most(exp(-truth), ends(upper, 64).upper + Ball(0x1p-250)));
    }
  }
}

TEST(Gaps, ClampScoresAndCountNanAsZero) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> scores = {nan, infinity, -infinity, 3, -nan, 1e300};
  const Gaps gaps(scores, 10, 1, 1);
  const std::vector<double> expected = {10, 0, 20, 7, 10, 0};
  for (std::size_t i = 0; i < scores.size(); ++i) EXPECT_EQ(gaps.gap(i).high, expected[i]) << i;
}

TEST(ExponentialMechanism, EveryWord) {
  const Gaps gaps = gaps_of_three();
  const certify::Precision precision(100);
  for (const Widening widening : widenings) {
    auto masses =
        enumerate_words<std::size_t>([&](PrefixSource& source) { return choose_by_weight(source, gaps, widening); }, 3);
    expect_law({masses.mass[0], masses.mass[1], masses.mass[2]}, masses.undecided, exponential_law(gaps));
  }
}

TEST(ExponentialMechanism, EqualScoresAndOneScore) {
  const std::vector<double> equal(5, -3.25);
  const Gaps gaps(equal, 100, 1, 1);
  auto masses = enumerate_words<std::size_t>([&](PrefixSource& source) { return choose_by_weight(source, gaps); }, 3);
  EXPECT_LT(masses.undecided, 1e-4);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(masses.mass[i], 0.2, masses.undecided);
  const std::vector<std::uint8_t> words = {1, 2};
  PrefixSource source(words);
  EXPECT_EQ(choose_by_weight(source, Gaps({equal.data(), 1}, 100, 1, 1)), 0U);
}

TEST(PermuteAndFlip, EveryWord) {
  const Gaps gaps = gaps_of_three();
  const certify::Precision precision(100);
  for (const Widening widening : widenings) {
    // The coins are independent, and runs with the same coins are one state.
    std::array<double, 3> heads{}, tails{};
    double undecided = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      auto masses =
          enumerate_words<bool>([&](PrefixSource& source) { return flip_weight(source, gaps, i, widening); }, 3);
      heads.at(i) = masses.mass[true];
      tails.at(i) = masses.mass[false];
      undecided += masses.undecided;
    }
    EXPECT_EQ(tails[1], 0);
    std::vector<double> chosen(3);
    for (unsigned set = 1; set < 8; ++set) {
      std::array<std::uint8_t, 3> flags{};
      double mass = 1;
      std::uint64_t count = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        flags.at(i) = static_cast<std::uint8_t>((set >> i) & 1U);
        mass *= flags.at(i) != 0 ? heads.at(i) : tails.at(i);
        count += flags.at(i);
      }
      auto ranks =
          enumerate_words<std::uint64_t>([&](PrefixSource& source) { return uniform_below(source, count); }, 3);
      for (const auto& [rank, part] : ranks.mass) chosen[place_of_rank(flags, rank)] += mass * part;
      undecided += mass * ranks.undecided;
    }
    // Products of masses leave a little more undecided than the sum; the difference is of second order.
    const double left = 1 - chosen[0] - chosen[1] - chosen[2];
    EXPECT_LE(left, undecided + 1e-9);
    expect_law(chosen, left, exponential_noise_law(gaps));
  }
}

TEST(PermuteAndFlip, PlaceOfRank) {
  const std::vector<std::uint8_t> heads = {0, 1, 0, 0, 1, 1, 0};
  EXPECT_EQ(place_of_rank(heads, 0), 1U);
  EXPECT_EQ(place_of_rank(heads, 1), 4U);
  EXPECT_EQ(place_of_rank(heads, 2), 5U);
}

// Draws by the words of a seed, and compares the counts with a law.
void expect_histogram(const std::vector<Ball>& law, const auto& choose) {
  test::SeededBits bits(99);
  BlockSource source(bits, 1'000'000);
  std::vector<std::uint64_t> counts(law.size());
  for (int draw = 0; draw < 100'000; ++draw) ++counts.at(choose(source));
  EXPECT_GT(test::p_value(counts, as_doubles(law)), 1e-6);
}

TEST(Choices, HistogramsAgree) {
  const certify::Precision precision(100);
  const std::vector<double> scores = {0.25, 1.5, -0.75, 1.25, 1.5};
  const Gaps gaps(scores, 0x1p40, 0.7, 0.3);
  expect_histogram(exponential_law(gaps), [&](BlockSource& source) { return choose_by_weight(source, gaps); });
  expect_histogram(exponential_noise_law(gaps),
                   [&](BlockSource& source) { return permute_and_flip_choice(source, gaps); });
  expect_histogram(test::noisy_max_law(gaps), [&](BlockSource& source) { return noisy_max_choice(source, gaps); });
}

TEST(Choices, SlowTiersAgreeWithFastOnes) {
  const std::vector<double> scores = {0, 0.5, 0.25, -1};
  const Gaps gaps(scores, 100, 1, 1);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    test::CountedWords fast{std::mt19937_64(seed)}, slow{std::mt19937_64(seed)};
    EXPECT_EQ(choose_by_weight(fast, gaps), choose_by_weight(slow, gaps, {~Wide{0}}));
    EXPECT_EQ(permute_and_flip_choice(fast, gaps), permute_and_flip_choice(slow, gaps, {~Wide{0}}));
    EXPECT_EQ(noisy_max_choice(fast, gaps), noisy_max_choice(slow, gaps, 1e9));
    EXPECT_EQ(fast.count, slow.count);
    EXPECT_EQ(fast.count, 2U + 10U + 12U);
  }
}

TEST(Choices, ScoresFarBelowAreNeverChosenAndCostNothingMore) {
  // Gaps up to 1e200, in every place.
  std::vector<double> scores(6, -1e80);
  for (std::size_t best = 0; best < scores.size(); ++best) {
    scores.assign(6, -1e80);
    scores[best] = 1e80;
    const Gaps gaps(scores, 1e80, 1e50, 1e-20);
    test::CountedWords source{std::mt19937_64(best)};
    EXPECT_EQ(choose_by_weight(source, gaps), best);
    EXPECT_EQ(permute_and_flip_choice(source, gaps), best);
    EXPECT_EQ(noisy_max_choice(source, gaps), best);
    EXPECT_EQ(source.count, 2U + 14U + 18U);
    EXPECT_EQ(noisy_max_choice(source, gaps, 1e9), best);
    EXPECT_EQ(choose_by_weight(source, gaps, {~Wide{0}}), best);
  }
}

TEST(Choices, AreTheStepsOfTheirNames) {
  const Scores options{.sensitivity = 0.1, .monotonic = true};
  EXPECT_TRUE(test::step_of(exponential(three, 1.1, options).release) == Mechanism(Exponential{.epsilon = 1.1}));
  EXPECT_TRUE(test::step_of(permute_and_flip(three, 0, options).release) == Mechanism(PermuteAndFlip{.epsilon = 0}));
  EXPECT_TRUE(test::step_of(report_noisy_max(three, 2.5, options).release) ==
              Mechanism(ReportNoisyMax{.score_scale = 2.5, .sensitivity = 0.1, .monotonic = 1}));
  EXPECT_TRUE(test::step_of(report_noisy_max(three, 2.5).release) == Mechanism(ReportNoisyMax{.score_scale = 2.5}));
  EXPECT_EQ(exponential(three, 1).release.mechanism, "exponential");
  EXPECT_EQ(exponential(three, 1).release.draws, 1U);
  EXPECT_EQ(permute_and_flip(three, 1).release.mechanism, "permute-and-flip");
  EXPECT_EQ(report_noisy_max(three, 1).release.mechanism, "report-noisy-max");
  EXPECT_EQ(report_noisy_max(three, 1).release.draws, 3U);
}

TEST(Choices, MonotonicScoresHaveTwiceTheFactor) {
  // The law decides: with gap 2 at epsilon 1, the weight is exp(-1), or exp(-2) if monotonic.
  const std::vector<double> scores = {0, 2};
  for (const bool monotonic : {false, true}) {
    int best = 0;
    for (int i = 0; i < 20'000; ++i) best += static_cast<int>(exponential(scores, 1, {.monotonic = monotonic}).index);
    EXPECT_NEAR(best / 20'000.0, 1 / (1 + std::exp(monotonic ? -2 : -1)), 0.02);
  }
}

TEST(Choices, SlowTiersAreRare) {
  for (const std::size_t n : {1U, 2U, 1000U, 1'000'000U}) {
    EXPECT_LE(slow_choice_by_weight(n), 0x1p-60);
    EXPECT_LE(slow_permute_and_flip(n), static_cast<double>(n) * 0x1p-98);
    EXPECT_LE(slow_noisy_max(n), static_cast<double>(n) * 0x1p-62);
  }
}

TEST(Choices, BadParametersAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> none;
  EXPECT_EQ(field_of([&] { exponential(none, 1); }), "scores");
  EXPECT_EQ(field_of([&] { permute_and_flip(none, 1); }), "scores");
  EXPECT_EQ(field_of([&] { report_noisy_max(none, 1); }), "scores");
  for (const double bad : {-1.0, nan, infinity, 1e-101, 1e51}) {
    EXPECT_EQ(field_of([&] { exponential(three, bad); }), "epsilon") << bad;
    EXPECT_EQ(field_of([&] { permute_and_flip(three, bad); }), "epsilon") << bad;
  }
  for (const double bad : {0.0, -1.0, nan, infinity, 1e-21, 1e21}) {
    EXPECT_EQ(field_of([&] { report_noisy_max(three, bad); }), "score_scale") << bad;
    EXPECT_EQ(field_of([&] { exponential(three, 1, {.sensitivity = bad}); }), "sensitivity") << bad;
    EXPECT_EQ(field_of([&] { report_noisy_max(three, 1, {.sensitivity = bad}); }), "sensitivity") << bad;
  }
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_EQ(field_of([&] { permute_and_flip(three, 1, {.range = bad}); }), "range") << bad;
  }
}

}  // namespace choices_test
}  // namespace renyi::noise
