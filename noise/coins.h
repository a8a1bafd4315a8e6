// Coins whose probability is a double, exactly, and randomized response (docs/math/noise-choices.md).
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "noise/bits/bits.h"
#include "noise/exact/secret.h"
#include "noise/exact/uniform.h"
#include "noise/uniform_integer.h"

namespace renyi::noise {

// The digits of a double p in [0, 1) in base 2^b, one after the other: p = 0.d1 d2 ... All of it is exact: a product by
// a power of two that does not overflow, the whole part of a double, and the rest, which are some of its own digits.
template <class Word>
class Digits {
 public:
  explicit Digits(double p) : rest_(p) {}
  Word next() {
    const double scaled = rest_ * base_of<Word>;
    const Word digit = static_cast<Word>(scaled);
    rest_ = scaled - static_cast<double>(digit);
    return digit;
  }
  // Are there digits other than 0 to come?
  [[nodiscard]] bool more() const { return rest_ > 0; }

 private:
  double rest_;
};

// Returns U < rest, for the further words of a number whose first words equal the first digits.
template <WordSource Source>
bool is_below_digits(Source& source, Digits<typename Source::Word> digits) {
  using Word = typename Source::Word;
  while (digits.more()) {
    const Word digit = digits.next(), word = source.next();
    if (revealed(word != digit)) return word < digit;
  }
  return false;
}

// A coin: its first digit is compared with one word, and only where the two are equal are more needed.
template <class Word>
class Coin {
 public:
  // 0 <= p <= 1.
  explicit Coin(double p) : always_(p == 1), digits_(always_ ? 0 : p), first_(digits_.next()) {}

  template <WordSource Source>
  bool flip(Source& source) const {
    const Word word = source.next();
    if (revealed((word == first_) & goes_on())) return flip_further(source);
    return always_ | (word < first_);
  }
  // What is decided by further words, where the first one equals the first digit and there are more digits.
  template <WordSource Source>
  bool flip_further(Source& source) const {
    return is_below_digits(source, digits_);
  }
  [[nodiscard]] bool always() const { return always_; }
  [[nodiscard]] Word first() const { return first_; }
  [[nodiscard]] bool goes_on() const { return digits_.more(); }
  // The probability that the first word leaves it open.
  [[nodiscard]] double slow() const { return goes_on() ? 1 / base_of<Word> : 0; }

 private:
  bool always_;
  Digits<Word> digits_;  // those after the first
  Word first_;
};

// Coins of probability p, a word of the supply each, in blocks.
void flip_coins(Bits& bits, double p, std::span<std::uint8_t> out);

// The answer of one person: the value, or one of the other categories, all with the same probability. The value counts
// as the nearest category.
template <WordSource Source>
std::int64_t respond(Source& source, const Coin<typename Source::Word>& truth, std::int64_t categories,
                     std::int64_t value) {
  const auto least = static_cast<std::uint64_t>(value & ~(value >> 63U));
  const std::uint64_t kept =
      selected(least < static_cast<std::uint64_t>(categories), least, static_cast<std::uint64_t>(categories - 1));
  const bool honest = truth.flip(source);
  const std::uint64_t other = uniform_below(source, static_cast<std::uint64_t>(categories - 1));
  const std::uint64_t lie = other - mask_of(other >= kept);
  return static_cast<std::int64_t>(selected(honest, kept, lie));
}

void respond_all(Bits& bits, std::span<const std::int64_t> values, std::span<std::int64_t> out,
                 double truth_probability, std::int64_t categories);

// Upper bounds on the probability that a draw needs more words than its fixed number of words of 64 bits.
double slow_coin(double p);
double slow_response(double truth_probability, std::int64_t categories);

}  // namespace renyi::noise
