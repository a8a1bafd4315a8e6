// Choices among scores: the exponential mechanism, permute-and-flip and report noisy max, drawn exactly
// (docs/math/noise-choices.md).
//
// Each has a tier of fixed cost, which looks at every score once, in double-double arithmetic, whatever the scores and
// the words are; where it does not decide, ball arithmetic and more words do.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "certify/ball/ball.h"
#include "noise/exact/decide.h"
#include "noise/exact/double_double.h"
#include "noise/exact/secret.h"
#include "noise/exact/uniform.h"
#include "noise/exact/wide.h"
#include "noise/uniform_integer.h"

namespace renyi::noise {

// How far scores lie below the largest one, times numerator/denominator, which are exactly the doubles given. A score
// is clamped to [-range, range], and NaN counts as 0.
class Gaps {
 public:
  Gaps(std::span<const double> scores, double range, double numerator, double denominator);

  [[nodiscard]] std::size_t size() const { return scores_.size(); }
  // The gap of score i, at least 0, where `most` stands for all that are larger; and a bound on its error elsewhere.
  [[nodiscard]] DoubleDouble gap(std::size_t i) const;
  [[nodiscard]] static double error(const DoubleDouble& gap) { return 21 * dd_u2 * gap.high + 0x1p-160; }
  static constexpr double most = 200;
  // The gap at the working precision.
  [[nodiscard]] certify::Ball ball(std::size_t i) const;
  // Encloses exp(-gap), also for gaps that `most` stands for, because exp(-most) < 2^-128.
  [[nodiscard]] Fraction weight(std::size_t i) const {
    const DoubleDouble known = gap(i);
    return exp_minus_fraction(known, error(known));
  }

 private:
  std::vector<double> scores_;
  double largest_;
  double numerator_, denominator_;
  DoubleDouble factor_;
};

// Makes enclosures less narrow, for tests of the slow tiers; 0 in programs.
struct Widening {
  Wide units = 0;  // multiples of 2^-128
  [[nodiscard]] Fraction applied(const Fraction& fraction) const {
    if (units == 0) return fraction;
    return {fraction.lower - std::min(fraction.lower, units), fraction.upper + std::min(~fraction.upper, units)};
  }
};

// Cumulative sums of weights, as multiples of 2^-128 that are exact integers.
class CumulativeWeights {
 public:
  explicit CumulativeWeights(const Gaps& gaps, Widening widening = {});

  // Which score has U W between the sum of the weights before it and the sum up to it, for all U in [lower, lower +
  // width] 2^-128 alike, where W is the sum of all weights. The time does not depend on the result.
  [[nodiscard]] std::optional<std::size_t> place(Wide lower, Wide width) const;

 private:
  std::vector<Fraction> weights_;
  Fraction total_;
};

// The same by ball arithmetic.
std::optional<std::size_t> place_slowly(const Gaps& gaps, std::span<const std::uint64_t> words, unsigned word_bits);

// The exponential mechanism: score i with probability exp(-gap_i)/W.
template <WordSource Source>
std::size_t choose_by_weight(Source& source, const Gaps& gaps, Widening widening = {}) {
  using Word = typename Source::Word;
  const CumulativeWeights sums(gaps, widening);
  auto u = Uniform<Word>::drawn(source);
  if (const std::optional<std::size_t> place = sums.place(u.lower(), u.width())) return *place;
  for (;;) {
    const std::vector<std::uint64_t> words(u.words().begin(), u.words().end());
    if (const std::optional<std::size_t> place = place_slowly(gaps, words, u.word_bits)) return *place;
    u.extend(source);
  }
}

// Returns true with probability exp(-gap_i).
template <WordSource Source>
bool flip_weight(Source& source, const Gaps& gaps, std::size_t i, Widening widening = {}) {
  auto u = Uniform<typename Source::Word>::drawn(source);
  const Enclosure weight = [&gaps, i] { return certify::exp(-gaps.ball(i)); };
  return is_below(source, u, widening.applied(gaps.weight(i)), weight);
}

// The place of the head before which there are `rank` heads. The time does not depend on the places of the heads.
std::size_t place_of_rank(std::span<const std::uint8_t> heads, std::uint64_t rank);

// Permute-and-flip visits the scores in a random order and takes score i with probability exp(-gap_i). The first one
// that is taken is uniform among all that would be, if all coins were flipped. A score without a gap always is.
template <WordSource Source>
std::size_t permute_and_flip_choice(Source& source, const Gaps& gaps, Widening widening = {}) {
  std::vector<std::uint8_t> heads(gaps.size());
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    heads[i] = static_cast<std::uint8_t>(flip_weight(source, gaps, i, widening));
    count += heads[i];
  }
  return place_of_rank(heads, uniform_below(source, count));
}

// Returns log(U) or -log(U) for U = (1 + fraction 2^-128) 2^-(zeros + 1), zeros <= 64, with an error below 2^-94.
DoubleDouble laplace_value(bool negative, unsigned zeros, Wide fraction);

// A variable X with density exp(-|x|)/2: a sign, and -log U for U = (1 + F) 2^-(zeros + 1). F is uniform, and a fair
// coin shows that many zeros before its first one, so that U is uniform. The first word has the sign and the first
// coins.
template <class Word>
struct LaplaceWords {
  static constexpr unsigned word_bits = std::numeric_limits<Word>::digits;
  Word first;
  std::array<Word, 2> fraction;

  template <WordSource Source>
  static LaplaceWords drawn(Source& source) {
    const Word word = source.next(), high = source.next();
    return {word, {high, source.next()}};
  }
  [[nodiscard]] bool negative() const { return (first >> (word_bits - 1)) != 0; }
  [[nodiscard]] Word coins() const { return static_cast<Word>(first << 1U); }
  [[nodiscard]] bool coins_end() const { return coins() != 0; }
  // The variable for the middle of the interval in which the words leave F, where the coins end with the first word.
  [[nodiscard]] DoubleDouble value() const {
    constexpr Wide half = (Wide{1} << (128 - 2 * word_bits)) / 2;
    const Wide middle = (Wide{fraction[0]} << (128 - word_bits)) + (Wide{fraction[1]} << (128 - 2 * word_bits)) + half;
    return laplace_value(negative(), static_cast<unsigned>(std::countl_zero(static_cast<Word>(coins() | 1U))), middle);
  }
};

// Bounds the error of value() - gap, for gaps up to `most`: that of the arithmetic, and half of the interval in which
// the words leave F, because log(1 + F) moves less than F.
template <class Word>
inline constexpr double noisy_error = 0x1p-92 + 0.5 / (base_of<Word> * base_of<Word>);

// The largest of some numbers that are known up to an error, if that is certain. The time does not depend on them.
std::optional<std::size_t> largest_of(std::span<const DoubleDouble> values, double error);

// A Laplace variable for the slow tier: all of its coins and any number of words of F.
struct LaplaceState {
  bool negative;
  std::uint64_t zeros;
  std::vector<std::uint64_t> fraction;
};
// X - gap, from the words that are known, at a precision that suits them.
certify::Ball noisy_ball(const certify::Ball& gap, const LaplaceState& state, unsigned word_bits);
// Removes the places of those that are certainly not the largest.
void keep_largest(std::vector<std::size_t>& places, std::span<const certify::Ball> values);

template <WordSource Source>
std::size_t largest_slowly(Source& source, const Gaps& gaps,
                           std::span<const LaplaceWords<typename Source::Word>> noise) {
  using Word = typename Source::Word;
  constexpr unsigned bits = std::numeric_limits<Word>::digits;
  std::vector<LaplaceState> states;
  std::vector<std::size_t> places;
  for (const LaplaceWords<Word>& words : noise) {
    auto zeros = static_cast<std::uint64_t>(std::countl_zero(words.coins()));
    if (!words.coins_end()) {
      zeros = bits - 1;
      Word more = source.next();
      for (; more == 0; more = source.next()) zeros += bits;
      zeros += static_cast<std::uint64_t>(std::countl_zero(more));
    }
    places.push_back(states.size());
    states.push_back({words.negative(), zeros, {words.fraction.begin(), words.fraction.end()}});
  }
  for (;;) {
    std::vector<certify::Ball> values;
    for (const std::size_t place : places) {
      const certify::Precision precision(static_cast<long>(states[place].fraction.size() * bits) + 64);
      values.push_back(noisy_ball(gaps.ball(place), states[place], bits));
    }
    keep_largest(places, values);
    if (places.size() == 1) return places[0];
    for (const std::size_t place : places) states[place].fraction.push_back(source.next());
  }
}

// Report noisy max: the largest of X_i - gap_i.
template <WordSource Source>
std::size_t noisy_max_choice(Source& source, const Gaps& gaps, double widening = 0) {
  using Word = typename Source::Word;
  std::vector<LaplaceWords<Word>> noise;
  std::vector<DoubleDouble> values(gaps.size());
  noise.reserve(gaps.size());
  bool ended = true;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    noise.push_back(LaplaceWords<Word>::drawn(source));
    ended &= noise[i].coins_end();
    values[i] = noise[i].value() - gaps.gap(i);
  }
  if (revealed(ended)) {
    if (const auto place = largest_of(values, noisy_error<Word> + widening)) return *place;
  }
  return largest_slowly<Source>(source, gaps, noise);
}

// Upper bounds on the probability that a choice among n scores leaves the tier of fixed cost, with words of 64 bits.
double slow_choice_by_weight(std::size_t n);
double slow_permute_and_flip(std::size_t n);
double slow_noisy_max(std::size_t n);

}  // namespace renyi::noise
