// Report noisy max: every word of 8 bits against exact probabilities in ball arithmetic.
//
// A choice among three scores reads nine words at least, more than can be enumerated one by one. The noises are
// independent, though, and a score is chosen exactly if the interval in which its words leave it lies above all others;
// so the intervals of each score are enumerated, with their masses, and combined by their order.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "noise/choices.h"
#include "support/noisy_max_law.h"
#include "support/word_tree.h"

namespace renyi::noise {
namespace noisy_max_test {

using certify::Ball;
using Words = LaplaceWords<std::uint8_t>;

struct State {
  double lower, upper, mass;
};

// A noise whose coins end with the first word, and the mass of the words that give it.
struct Noise {
  DoubleDouble value;
  double mass;
};
std::vector<Noise> fast_noises() {
  // First words with the same sign and the same number of zeros are one state.
  std::array<std::array<unsigned, 8>, 2> multiplicity{};
  std::array<std::array<std::uint8_t, 8>, 2> example{};
  for (unsigned first = 0; first < 256; ++first) {
    const Words words{static_cast<std::uint8_t>(first), {0, 0}};
    if (!words.coins_end()) continue;
    const auto zeros = static_cast<std::size_t>(std::countl_zero(words.coins()));
    ++multiplicity.at(words.negative() ? 1 : 0).at(zeros);
    example.at(words.negative() ? 1 : 0).at(zeros) = words.first;
  }
  std::vector<Noise> noises;
  for (std::size_t sign = 0; sign < 2; ++sign) {
    for (std::size_t zeros = 0; zeros < 8; ++zeros) {
      if (multiplicity.at(sign).at(zeros) == 0) continue;
      for (unsigned fraction = 0; fraction < 65536; ++fraction) {
        const Words words{example.at(sign).at(zeros),
                          {static_cast<std::uint8_t>(fraction >> 8U), static_cast<std::uint8_t>(fraction & 255U)}};
        noises.push_back({words.value(), std::ldexp(multiplicity.at(sign).at(zeros), -24)});
      }
    }
  }
  // In the order of the states.
  std::ranges::sort(noises, {}, [](const Noise& noise) { return noise.value.high; });
  return noises;
}

// The states of such noises, as the tier of fixed cost knows them. `largest_of` takes a number for the largest if it is
// ahead by more than 2.1 errors; 1e-13 covers the double of a number and the sums here.
std::vector<State> fast_states(const Gaps& gaps, std::size_t score, double widening) {
  static const std::vector<Noise> noises = fast_noises();
  const double half = 1.05 * (noisy_error<std::uint8_t> + widening) + 1e-13;
  const DoubleDouble gap = gaps.gap(score);
  std::vector<State> states;
  for (const Noise& noise : noises) {
    const double value = (noise.value - gap).high;
    states.push_back({value - half, value + half, noise.mass});
  }
  return states;
}

// The states whose coins go on for one or two words more, as the slow tier knows them, by one word of the fraction.
void add_slow_states(std::vector<State>& states, const Gaps& gaps, std::size_t score) {
  const certify::Precision precision(80);
  const Ball gap = gaps.ball(score);
  for (const bool negative : {false, true}) {
    for (std::uint64_t zeros = 7; zeros < 23; ++zeros) {
      for (std::uint64_t fraction = 0; fraction < 256; ++fraction) {
        const Ball value = noisy_ball(gap, {negative, zeros, {fraction}}, 8);
        // 2^-1 for the sign, 2^-(zeros + 1) for the coins, 2^-8 for the fraction.
        states.push_back({value.lower().about() - 1e-13, value.upper().about() + 1e-13,
                          std::ldexp(1.0, -static_cast<int>(zeros) - 10)});
      }
    }
  }
}

// The mass of states that lie below t, for many t.
class Below {
 public:
  explicit Below(std::vector<State> states) : states_(std::move(states)), sums_(states_.size() + 1) {
    // Most of them are in order already.
    const auto middle = std::ranges::is_sorted_until(states_, {}, &State::upper);
    std::ranges::sort(middle, states_.end(), {}, &State::upper);
    std::ranges::inplace_merge(states_, middle, {}, &State::upper);
    for (std::size_t i = 0; i < states_.size(); ++i) sums_[i + 1] = sums_[i] + states_[i].mass;
  }
  [[nodiscard]] const std::vector<State>& states() const { return states_; }
  // Looks from `place` on, and leaves there how many states are below t.
  [[nodiscard]] double mass(double t, std::size_t& place) const {
    while (place < states_.size() && states_[place].upper < t) ++place;
    while (place > 0 && states_[place - 1].upper >= t) --place;
    return sums_[place];
  }

 private:
  std::vector<State> states_;
  std::vector<double> sums_;
};

// The mass with which each score is certainly chosen.
std::vector<double> certain_masses(const Gaps& gaps, double widening) {
  std::vector<Below> below;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    std::vector<State> states = fast_states(gaps, i, widening);
    add_slow_states(states, gaps, i);
    below.emplace_back(std::move(states));
  }
  std::vector<double> masses(gaps.size());
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    std::vector<std::size_t> places(gaps.size());
    for (const State& state : below[i].states()) {
      double mass = state.mass;
      for (std::size_t j = 0; j < gaps.size(); ++j) {
        if (j != i) mass *= below[j].mass(state.lower, places[j]);
      }
      masses[i] += mass;
    }
  }
  return masses;
}

TEST(NoisyMax, EveryWordOfThreeScores) {
  const certify::Precision precision(100);
  const std::vector<double> scores = {0.25, 1.5, -0.75};
  const Gaps gaps(scores, 0x1p40, 1, 1.3);
  const std::vector<Ball> law = test::noisy_max_law(gaps);
  const std::vector<double> masses = certain_masses(gaps, 0);
  const double undecided = 1 - masses[0] - masses[1] - masses[2];
  EXPECT_LT(undecided, 1e-4);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(surely_at_most(Ball(masses[i] - 1e-11), law[i])) << i;
    EXPECT_TRUE(surely_at_most(law[i], Ball(masses[i] + undecided + 1e-11))) << i;
  }
  // What wide enclosures decide is right as well; they leave much to the slow tier.
  const std::vector<double> wide = certain_masses(gaps, 0.02);
  EXPECT_LT(wide[0] + wide[1] + wide[2], 0.99);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(surely_at_most(Ball(wide[i] - 1e-11), law[i])) << i;
}

// Words of a head, and then those of a tree.
struct HeadedSource {
  using Word = std::uint8_t;
  std::array<Word, 6> head{};
  test::PrefixSource& tail;
  std::size_t used = 0;
  Word next() { return used < head.size() ? head.at(used++) : tail.next(); }
};

TEST(NoisyMax, EveryFurtherWordOfNoisesTooCloseToTell) {
  // Both noises are log 2 - log(1 + F) with F in [f, f + width]. The first score wins if
  // 1 + f + width a < (1 + f + width b) exp(gap), where a and b are uniform: if a < slope b + start.
  const double gap = 0.3 * 0x1p-16, width = 0x1p-16, f = 0x40 * 0x1p-8 + 0x80 * width;
  const std::vector<double> scores = {0, -gap};
  const Gaps gaps(scores, 1, 1, 1);
  const double slope = std::exp(gap), start = (1 + f) * std::expm1(gap) / width, turn = (1 - start) / slope;
  const double exact = slope * turn * turn / 2 + start * turn + (1 - turn);
  for (const double widening : {0.0, 0.5}) {
    auto masses = test::enumerate_words<std::size_t>(
        [&](test::PrefixSource& tail) {
          HeadedSource source{{0x40, 0x40, 0x80, 0x7F, 0x40, 0x80}, tail};
          return noisy_max_choice(source, gaps, widening);
        },
        2);
    EXPECT_LT(masses.undecided, 0.02);
    EXPECT_LE(masses.mass[0], exact + 1e-9);
    EXPECT_GE(masses.mass[0] + masses.undecided, exact - 1e-9);
    EXPECT_NEAR(masses.mass[0] + masses.mass[1] + masses.undecided, 1, 1e-12);
  }
}

TEST(NoisyMax, CoinsGoOnInFurtherWords) {
  const std::vector<double> scores = {0, 0};
  const Gaps gaps(scores, 1, 1, 1);
  const auto winner = [&](const std::vector<std::uint8_t>& words) {
    test::PrefixSource source(words);
    const std::size_t place = noisy_max_choice(source, gaps);
    EXPECT_EQ(source.used(), words.size());
    return place;
  };
  // 7 + 8 + 3 zeros and 7 + 8 + 4 zeros, with the same fraction: the one with more zeros is larger.
  EXPECT_EQ(winner({0, 9, 9, 0, 9, 9, 0, 0x10, 0, 0x08}), 1U);
  EXPECT_EQ(winner({0, 9, 9, 0, 9, 9, 0, 0x08, 0, 0x10}), 0U);
  // Negative noise: smaller. The coins of the second score end in its first word, after 6 zeros.
  EXPECT_EQ(winner({0x80, 9, 9, 0x81, 9, 9, 0x01}), 1U);
  EXPECT_EQ(winner({0x00, 9, 9, 0x01, 9, 9, 0xFF}), 0U);
}

}  // namespace noisy_max_test
}  // namespace renyi::noise
