// The cells of half-normal laws, continuous and discrete: the cell k has the weight exp(-(w k)^2/2), where w is the
// width of a cell in units of the standard deviation (docs/math/noise.md, "The half-normal law").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "certify/ball/ball.h"
#include "noise/exact/decide.h"
#include "noise/exact/uniform.h"
#include "noise/exact/wide.h"
#include "noise/kernels/kernels.h"

namespace renyi::noise {

// An interval of a uniform number: [lower, lower + width] 2^-128.
struct Span128 {
  Wide lower, width;
};

class Cells {
 public:
  // Cells of width 1, for the continuous law.
  static const Cells& plain();
  // Cells of `numbers` whole numbers, at least as many as the standard deviation.
  Cells(double numbers, double stddev);

  [[nodiscard]] const CellFloors& floors() const { return floors_; }

  // The second tier. `v` is the uniform number without its sign.
  struct Found {
    std::int64_t index;
    bool is_decided;
  };
  [[nodiscard]] Found find(const Span128& v) const;

  // The end of the cell `index` in [0, 1), at the working precision.
  [[nodiscard]] certify::Ball end(std::int64_t index) const;

  // The slow tier, for a uniform number whose first bit is the sign.
  template <WordSource Source>
  std::int64_t find_slowly(Source& source, Uniform<typename Source::Word>& word) const {
    const bool is_negative = (word.words()[0] >> (word.word_bits - 1)) != 0;
    for (std::int64_t index = 0;; ++index) {
      const Enclosure threshold = [&] { return (end(index) + certify::Ball(is_negative ? 1 : 0)) / certify::Ball(2); };
      if (is_below_slowly(source, word, threshold)) return index;
    }
  }

 private:
  // Beyond this many ends, all of them differ from 1 by less than 2^-128.
  static constexpr std::size_t ends = 15;

  // The sum of the weights up to each cell, as far as the working precision tells them from the sum of all.
  struct Weights {
    std::vector<certify::Ball> below;
    certify::Ball all;
  };
  [[nodiscard]] Weights weights() const;

  double numbers_, stddev_;
  CellFloors floors_;
  std::array<Fraction, ends> ends_;
};

// Encloses a number in [0, 1] that the ball contains.
Fraction enclose(const certify::Ball& value);
// Encloses a number in [0, 1), at so many bits that both ends have the same first word: the number is a multiple of
// 2^-64, and then exact, or none.
Fraction enclose_first_word(const Enclosure& value);

}  // namespace renyi::noise
