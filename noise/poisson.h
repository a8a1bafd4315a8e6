// Exact draws from Poisson laws, by rejection in attempts of constant cost (docs/math/skellam-sampler.md).
//
// Left and right of the mode m are cells of w whole numbers, w a power of two. A cell is drawn by counting zero bits, a
// number in it uniformly, and the number k in the cell j is accepted with probability f(k)/f(m) 2^(c j), where c is
// such that this is proven to be at most 1.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "certify/ball/ball.h"
#include "noise/exact/decide.h"
#include "noise/exact/double_double.h"
#include "noise/exact/secret.h"
#include "noise/exact/uniform.h"
#include "noise/exact/wide.h"

namespace renyi::noise {

class Poisson {
 public:
  static constexpr double smallest_mean = 0x1p-11, largest_mean = 0x1p39;

  // `widening` is added to the error of exponents: tests take slow tiers often by it.
  explicit Poisson(double mean, double widening = 0);

  // A number that is proposed: its value, which may be below zero and is then never accepted, and its cell.
  struct Candidate {
    std::int64_t value = 0;
    std::int64_t cell = 0;
    bool is_far = false;  // beyond the cells for which the tier of fixed cost is made
  };
  template <WordSource Source>
  Candidate candidate(Source& source) const;

  // The probability of acceptance: enclosed at fixed cost, and by a ball at the working precision.
  [[nodiscard]] Fraction acceptance(const Candidate& candidate) const;
  [[nodiscard]] certify::Ball acceptance_ball(const Candidate& candidate) const;

  template <WordSource Source>
  bool accepts(Source& source, const Candidate& candidate) const {
    auto u = Uniform<typename Source::Word>::drawn(source);
    const Enclosure threshold = [this, &candidate] { return acceptance_ball(candidate); };
    return is_below(source, u, acceptance(candidate), threshold);
  }

  template <WordSource Source>
  std::int64_t draw(Source& source) const {
    for (;;) {
      const Candidate proposed = candidate(source);
      if (revealed(accepts(source, proposed))) return proposed.value;
    }
  }

  // Upper bounds on the mean number of attempts, and on the probability that a draw with words of 64 bits takes a tier
  // whose time depends on what is drawn.
  [[nodiscard]] double attempts() const { return attempts_; }
  [[nodiscard]] double slow_probability() const { return slow_probability_; }

 private:
  // -log f(k) but for a constant, and a bound on its error.
  struct Exponent {
    DoubleDouble value;
    double error = 0;
  };
  [[nodiscard]] Exponent exponent(std::int64_t k) const;
  // log f(k)/f(m), k >= 0.
  [[nodiscard]] certify::Ball log_ratio_to_mode(std::int64_t k) const;
  // The largest proven c <= 20 such that f(m + w) and f(m - w) are at most 2^-c f(m).
  [[nodiscard]] int proven_fall(std::int64_t w) const;
  void choose_cells();
  void bound_costs();

  double mean_;
  double widening_;
  std::int64_t mode_;
  double unit_;  // the inverse of a power of two near mode_ + shift
  unsigned width_bits_ = 0;
  int fall_ = 0;                       // c
  std::uint64_t fall_reciprocal_ = 0;  // zeros/c = zeros fall_reciprocal_ 2^-16, rounded down, for zeros <= 64
  Exponent at_mode_;
  double attempts_ = 0;
  double slow_probability_ = 0;
};

template <WordSource Source>
Poisson::Candidate Poisson::candidate(Source& source) const {
  using Word = typename Source::Word;
  constexpr unsigned word_bits = std::numeric_limits<Word>::digits;
  // A cell j or a later one has probability 2^-(c j): so many zero bits come first.
  Word word = source.next();
  std::uint64_t skipped = 0;
  while (revealed(word == 0)) {
    skipped += word_bits;
    word = source.next();
  }
  // A one at the end, because of which no compiler asks again whether there is any.
  constexpr Word last = std::numeric_limits<Word>::max() - std::numeric_limits<Word>::max() / 2;
  const std::uint64_t zeros = skipped + static_cast<std::uint64_t>(std::countr_zero(static_cast<Word>(word | last)));
  const bool is_far = skipped > 64 - word_bits;
  // The place in the cell, and the side of the mode; a mode of 0 has only one.
  const unsigned side_bits = mode_ > 0 ? 1 : 0;
  std::uint64_t bits = 0;
  for (unsigned read = 0; read < width_bits_ + side_bits; read += word_bits) {
    if constexpr (word_bits < 64) bits <<= word_bits;
    bits |= source.next();
  }
  const std::uint64_t place = bits & ((std::uint64_t{1} << width_bits_) - 1);
  const std::uint64_t is_left = (bits >> width_bits_) & side_bits;
  // Far out the time is no secret any more, and the product would not be exact.
  const std::uint64_t cell = is_far ? zeros / static_cast<std::uint64_t>(fall_) : (zeros * fall_reciprocal_) >> 16U;
  // m + y on the right, m - 1 - y on the left, and the second is m plus the complement of y.
  const std::uint64_t y = (cell << width_bits_) + place;
  const auto value = static_cast<std::int64_t>(static_cast<std::uint64_t>(mode_) + (y ^ (std::uint64_t{0} - is_left)));
  return {value, static_cast<std::int64_t>(cell), is_far};
}

}  // namespace renyi::noise
