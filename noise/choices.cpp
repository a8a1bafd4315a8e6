#include "noise/choices.h"

#include <fmt/format.h>

#include <cmath>

#include "noise/block_source.h"
#include "noise/exact/secret.h"
#include "noise/parameters.h"
#include "renyi/error.h"
#include "renyi/noise.h"

namespace renyi::noise {

using certify::Ball;

namespace choices_file {
namespace {

// floor(a b 2^-128).
Wide high_product(Wide a, Wide b) {
  const Wide low = Wide{low_word(a)} * low_word(b);
  const Wide first = Wide{high_word(a)} * low_word(b) + high_word(low);
  const Wide second = Wide{low_word(a)} * high_word(b) + low_word(first);
  return Wide{high_word(a)} * high_word(b) + high_word(first) + high_word(second);
}

// 0 in the place of numbers below 2^-900, with which arithmetic takes longer if they are subnormal. Whole numbers
// compare the bits.
double without_tiny(double score) {
  constexpr std::uint64_t least = std::uint64_t{1023 - 900} << 52U, sign = std::uint64_t{1} << 63U;
  const auto bits = std::bit_cast<std::uint64_t>(score);
  return std::bit_cast<double>(bits & mask_of((bits & ~sign) >= least));
}

bool greater(const DoubleDouble& a, const DoubleDouble& b) {
  return (mask_of(a.high > b.high) | (mask_of(a.high == b.high) & mask_of(a.low > b.low))) != 0;
}

}  // namespace
}  // namespace choices_file

Gaps::Gaps(std::span<const double> scores, double range, double numerator, double denominator)
    : scores_(scores.begin(), scores.end()),
      largest_(-range),
      numerator_(numerator),
      denominator_(denominator),
      factor_(DoubleDouble(numerator) / DoubleDouble(denominator)) {
  for (double& score : scores_) {
    score = limited(score, range);
    largest_ = selected(score > largest_, score, largest_);
  }
}

DoubleDouble Gaps::gap(std::size_t i) const {
  // The difference is exact, but for tiny scores. One below 2^-400 counts as 0, because the product would leave the
  // domain of its proof; the factor is at most 2^233, so that both make less than 2^-160 of the gap.
  DoubleDouble difference = two_sum(choices_file::without_tiny(largest_), -choices_file::without_tiny(scores_[i]));
  difference = selected(difference.high < 0x1p-400, DoubleDouble(0), difference);
  const DoubleDouble gap = difference * factor_;
  return selected(gap.high > most, DoubleDouble(most), gap);
}

Ball Gaps::ball(std::size_t i) const {
  return (Ball(largest_) - Ball(scores_[i])) * Ball(numerator_) / Ball(denominator_);
}

CumulativeWeights::CumulativeWeights(const Gaps& gaps, Widening widening) : weights_(gaps.size()), total_{0, 0} {
  // The sums of n numbers up to 2^128 / 2^shift have at most 128 bits.
  const auto shift = static_cast<unsigned>(std::bit_width(gaps.size()));
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const Fraction weight = widening.applied(gaps.weight(i));
    weights_[i] = {weight.lower >> shift, (weight.upper >> shift) + 1};
    total_.lower += weights_[i].lower;
    total_.upper += weights_[i].upper;
  }
}

std::optional<std::size_t> CumulativeWeights::place(Wide lower, Wide width) const {
  // lower W 2^-128 >= from, and (lower + width) W 2^-128 = ((lower + width - 1) W + W) 2^-128 <= to.
  const Wide from = choices_file::high_product(lower, total_.lower);
  const Wide to = choices_file::high_product(lower + (width - 1), total_.upper) + 2;
  Fraction sum{0, 0};
  std::size_t before = 0, after = 0;
  for (std::size_t i = 0; i + 1 < weights_.size(); ++i) {
    sum.lower += weights_[i].lower;
    sum.upper += weights_[i].upper;
    before += static_cast<std::size_t>(sum.upper <= from);
    after += static_cast<std::size_t>(sum.lower >= to);
  }
  if (!revealed(before + after + 1 == weights_.size())) return std::nullopt;
  return before;
}

std::optional<std::size_t> place_slowly(const Gaps& gaps, std::span<const std::uint64_t> words, unsigned word_bits) {
  const Ends u = ends(words, word_bits);
  const certify::Precision precision(static_cast<long>(words.size() * word_bits) + 64);
  std::vector<Ball> sums;
  Ball sum;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    sum += exp(-gaps.ball(i));
    sums.push_back(sum);
  }
  const Ball lower = u.lower * sum, upper = u.upper * sum;
  std::size_t before = 0;
  for (std::size_t i = 0; i + 1 < gaps.size(); ++i) {
    // The ends of intervals have probability 0.
    if (surely_at_most(sums[i], lower)) {
      ++before;
    } else if (!surely_at_most(upper, sums[i])) {
      return std::nullopt;
    }
  }
  return before;
}

std::size_t place_of_rank(std::span<const std::uint8_t> heads, std::uint64_t rank) {
  // Up to every place before it there are at most `rank` heads, and up to it there are more.
  std::size_t place = 0;
  std::uint64_t before = 0;
  for (const std::uint8_t head : heads) {
    before += head;
    place += static_cast<std::size_t>(before <= rank);
  }
  return place;
}

DoubleDouble laplace_value(bool negative, unsigned zeros, Wide fraction) {
  const DoubleDouble u = scaled(double_double_of(fraction) + 1.0, -static_cast<std::int64_t>(zeros) - 1);
  const DoubleDouble logarithm = log(u);
  return selected(negative, logarithm, -logarithm);
}

std::optional<std::size_t> largest_of(std::span<const DoubleDouble> values, double error) {
  std::size_t place = 0;
  DoubleDouble largest = values[0];
  for (std::size_t i = 1; i < values.size(); ++i) {
    const bool larger = choices_file::greater(values[i], largest);
    place = selected(larger, i, place);
    largest = selected(larger, values[i], largest);
  }
  // Two numbers whose known values differ by more than two errors are in that order; 2.1 covers the rounding of the
  // difference.
  std::uint64_t certain = ~std::uint64_t{0};
  for (std::size_t i = 0; i < values.size(); ++i) {
    certain &= mask_of(i == place) | mask_of((largest - values[i]).high > 2.1 * error);
  }
  if (!revealed(certain != 0)) return std::nullopt;
  return place;
}

Ball noisy_ball(const Ball& gap, const LaplaceState& state, unsigned word_bits) {
  const Ends f = ends(state.fraction, word_bits);
  const Ball logarithm = log1p(Ball::hull(f.lower, f.upper));
  const Ball exponential = Ball(static_cast<std::int64_t>(state.zeros + 1)) * log(Ball(2)) - logarithm;
  return state.negative ? -exponential - gap : exponential - gap;
}

void keep_largest(std::vector<std::size_t>& places, std::span<const Ball> values) {
  Ball lower = values[0].lower();
  for (const Ball& value : values) lower = max(lower, value.lower());
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!surely_less(values[i], lower)) kept.push_back(places[i]);
  }
  places = kept;
}

double slow_choice_by_weight(std::size_t n) {
  const auto count = static_cast<double>(n);
  return count * ((1.01 + std::log(count)) * 0x1p-99 + count * 0x1p-119 + count * count * 0x1p-124);
}

double slow_permute_and_flip(std::size_t n) { return static_cast<double>(n) * 0x1p-99 + slow_uniform(n); }

double slow_noisy_max(std::size_t n) { return static_cast<double>(n) * (0x1p-63 + 0x1p-90); }

namespace choices_file {
namespace {

// The ranges are those of the mechanisms of these names (docs/mechanisms.md).
void check_scores(std::span<const double> scores, const Scores& options) {
  if (scores.empty()) throw InvalidArgument("scores", "none", "at least one score");
  check_within("sensitivity", options.sensitivity, 1e-20, 1e20);
  check_within("range", options.range, 1e-100, 1e80);
}

// The weights of a choice by epsilon: the factor of the gaps is epsilon/(2 sensitivity), without the 2 if monotonic.
Gaps gaps_by_epsilon(std::span<const double> scores, double epsilon, const Scores& options) {
  if (epsilon != 0 && !(epsilon >= 1e-100 && epsilon <= 1e50)) {
    throw InvalidArgument("epsilon", fmt::format("{}", epsilon), "0, or a number in [1e-100, 1e+50]");
  }
  check_scores(scores, options);
  return {scores, options.range, epsilon, (options.monotonic ? 1 : 2) * options.sensitivity};
}

}  // namespace
}  // namespace choices_file

Choice exponential(std::span<const double> scores, double epsilon, const Scores& options) {
  const Gaps gaps = choices_file::gaps_by_epsilon(scores, epsilon, options);
  BlockSource source(bits_for_release(2), 2);
  const std::size_t index = choose_by_weight(source, gaps);
  return {index, release_of("exponential", {{"epsilon", epsilon}}, 1, slow_choice_by_weight(scores.size()))};
}

Choice permute_and_flip(std::span<const double> scores, double epsilon, const Scores& options) {
  const Gaps gaps = choices_file::gaps_by_epsilon(scores, epsilon, options);
  const std::size_t words = 2 * scores.size() + 2;
  BlockSource source(bits_for_release(words), words);
  const std::size_t index = permute_and_flip_choice(source, gaps);
  return {index,
          release_of("permute-and-flip", {{"epsilon", epsilon}}, scores.size(), slow_permute_and_flip(scores.size()))};
}

Choice report_noisy_max(std::span<const double> scores, double score_scale, const Scores& options) {
  check_within("score_scale", score_scale, 1e-20, 1e20);
  choices_file::check_scores(scores, options);
  const Gaps gaps(scores, options.range, 1, score_scale);
  const std::size_t words = 3 * scores.size();
  BlockSource source(bits_for_release(words), words);
  const std::size_t index = noisy_max_choice(source, gaps);
  return {index, release_of("report-noisy-max",
                            {{"score_scale", score_scale},
                             {"sensitivity", options.sensitivity},
                             {"monotonic", options.monotonic ? 1.0 : 0.0}},
                            scores.size(), slow_noisy_max(scores.size()))};
}

}  // namespace renyi::noise
