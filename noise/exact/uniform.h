// A uniform number in [0, 1) of which only the first words are known.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

#include "noise/bits/bits.h"
#include "noise/exact/wide.h"

namespace renyi::noise {

// What gives words, one at a time. The samplers are written for words of any width up to 64 bits: tests enumerate all
// words of 8 bits (tests/support/enumerate.h), programs use 64.
template <class Source>
concept WordSource = std::unsigned_integral<typename Source::Word> && requires(Source source) {
  { source.next() } -> std::same_as<typename Source::Word>;
};

// The words of a supply of bits.
class BitsSource {
 public:
  using Word = std::uint64_t;
  explicit BitsSource(Bits& bits) : bits_(bits) {}
  Word next() {
    Word word = 0;
    bits_.fill({&word, 1});
    return word;
  }

 private:
  Bits& bits_;
};

// The number u = 0.w1 w2 w3 ... in base 2^(bits of a word). The first two words are known from the start, which is what
// the tiers of fixed cost use; the slow tier asks for more.
template <class Word>
class Uniform {
 public:
  static constexpr unsigned word_bits = std::numeric_limits<Word>::digits;
  static_assert(2 * word_bits <= 128);

  Uniform(Word first, Word second) : words_{first, second} {}
  template <WordSource Source>
  static Uniform drawn(Source& source) {
    const Word first = source.next();
    return {first, source.next()};
  }

  // u lies in [lower(), lower() + width()] 2^-128. With two words of 64 bits the width is 1.
  [[nodiscard]] Wide lower() const {
    return (Wide{words_[0]} << (128 - word_bits)) | (Wide{words_[1]} << (128 - 2 * word_bits));
  }
  [[nodiscard]] static Wide width() { return Wide{1} << (128 - 2 * word_bits); }

  // For the slow tier: reads one more word; all words so far.
  template <WordSource Source>
  void extend(Source& source) {
    words_.push_back(source.next());
  }
  [[nodiscard]] const std::vector<Word>& words() const { return words_; }

 private:
  std::vector<Word> words_;
};

}  // namespace renyi::noise
