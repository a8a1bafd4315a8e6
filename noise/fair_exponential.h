// The standard exponential law in units of ln 2, as cells and places: j + v, where j is the number of tails before the
// first head of fair coins, and v uniform is accepted with probability 2^-v (docs/math/noise.md).
#pragma once

#include <cstddef>
#include <cstdint>

#include "noise/exact/attempt.h"
#include "noise/half_normal.h"
#include "noise/kernels/kernels.h"

namespace renyi::noise {

struct FairExponential {
  static constexpr double acceptance_rate = 0.7213;  // 1/(2 ln 2), rounded down
  static constexpr double mean_cell_plus_one = 2;

  static void attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::uint64_t* signed_cell,
                       const Marks& marks) {
    exponential_attempts(words, count, knowledge, signed_cell, marks);
  }

  // The number of zeros in front, for a uniform number without its sign.
  struct Zeros {
    std::uint64_t count;
    bool is_decided;
  };
  static Zeros zeros(const Span128& v);
  template <WordSource Source>
  static std::uint64_t zeros_slowly(Source& source, Uniform<typename Source::Word>& cell) {
    // The first bit is the sign.
    for (std::size_t bit = 1;; ++bit) {
      const std::size_t word = bit / cell.word_bits;
      if (word == cell.words().size()) cell.extend(source);
      if ((cell.words()[word] >> (cell.word_bits - 1 - bit % cell.word_bits) & 1U) != 0) return bit - 1;
    }
  }

  // 2^-v for all v of an interval.
  static Fraction acceptance(const Span128& v);
  static certify::Ball exponent(const certify::Ball& v) { return v * log(certify::Ball(2)); }
  static Candidate second(const AttemptSpans& spans);
  template <WordSource Source>
  static Candidate slowly(Source& source, AttemptNumbers<typename Source::Word>& numbers) {
    const std::uint64_t j = zeros_slowly(source, numbers.cell);
    const bool accepted = is_accepted_slowly(source, numbers.place, numbers.acceptance, exponent);
    return {2 * j + (is_negative(numbers.cell) ? 1 : 0), accepted, true};
  }

  static constexpr double first_miss = 0x1p-44;
  static constexpr double second_miss = 0x1p-62;
};

}  // namespace renyi::noise
