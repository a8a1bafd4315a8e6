// Whole numbers that are uniform, and comparisons of uniform numbers with quotients of whole numbers: integer
// arithmetic decides all of it, exactly and without rejection (docs/math/noise-choices.md).
#pragma once

#include <cstdint>
#include <limits>

#include "noise/exact/secret.h"
#include "noise/exact/uniform.h"
#include "noise/exact/wide.h"

namespace renyi::noise {

// 2^b for words of b bits.
template <class Word>
inline constexpr double base_of = 2.0 * static_cast<double>(Word{1} << (std::numeric_limits<Word>::digits - 1));

// A uniform number V in [0, 1) is compared with numerator/denominator, a word at a time. After each word v, of b bits,
// what is left of the question is V < rest/denominator for the uniform number V that the further words are.
class QuotientComparison {
 public:
  struct Answer {
    bool decided, below;
  };

  // 0 <= numerator <= denominator.
  QuotientComparison(std::uint64_t numerator, std::uint64_t denominator)
      : rest_(numerator), denominator_(denominator) {}

  // (v + V) 2^-b < rest/denominator exactly if V denominator < rest 2^b - v denominator =: difference. V denominator
  // has the values of [0, denominator). All numbers are below 2^128 in modulus.
  template <class Word>
  Answer read(Word v) {
    const Wide left = Wide{rest_} << static_cast<unsigned>(std::numeric_limits<Word>::digits);
    const Wide right = Wide{v} * denominator_;
    const Wide difference = left - right;
    const std::uint64_t above = mask_of(left <= right);
    const std::uint64_t below = ~above & mask_of(difference >= denominator_);
    rest_ = static_cast<std::uint64_t>(difference);
    return {revealed((above | below) != 0), below != 0};
  }

 private:
  std::uint64_t rest_, denominator_;
};

// The further words of a comparison that the first ones did not decide.
template <WordSource Source>
bool is_below_further(Source& source, QuotientComparison& comparison) {
  for (;;) {
    const QuotientComparison::Answer answer = comparison.read(source.next());
    if (answer.decided) return answer.below;
  }
}

// Returns true with probability numerator/denominator. The time does not depend on the result, unless a second word is
// needed, which has probability at most 2^-64 for words of 64 bits: one word in all of them leaves it open.
template <WordSource Source>
bool is_below_quotient(Source& source, std::uint64_t numerator, std::uint64_t denominator) {
  QuotientComparison comparison(numerator, denominator);
  return is_below_further(source, comparison);
}
inline constexpr double slow_quotient = 0x1p-64;

// Returns floor(U n) for a uniform number U, 1 <= n. The first two words decide, unless one of the n - 1 numbers k/n
// lies within the interval in which they leave U. No interval may contain two of them: n <= 2^(2 b) for words of b
// bits.
template <WordSource Source>
std::uint64_t uniform_below(Source& source, std::uint64_t n) {
  constexpr unsigned bits = std::numeric_limits<typename Source::Word>::digits;
  constexpr Wide mask = (Wide{1} << bits) - 1;
  constexpr Wide all = ~Wide{0} >> (128 - 2 * bits);
  const Wide first = source.next(), second = source.next();
  // U n = (floor 2^(2b) + fraction + V n) 2^(-2b), where V is the uniform number that further words are.
  const Wide low = second * n;
  const Wide high = first * n + (low >> bits);
  const auto floor = static_cast<std::uint64_t>(high >> bits);
  const Wide fraction = ((high & mask) << bits) | (low & mask);
  // U n < floor + 1 exactly if V n < to_next, and V n < n.
  const Wide to_next_less_one = all - fraction;
  if (revealed(to_next_less_one >= n - 1)) return floor;
  QuotientComparison comparison(static_cast<std::uint64_t>(to_next_less_one) + 1, n);
  return floor + (is_below_further(source, comparison) ? 0 : 1);
}

// An upper bound on the probability that `uniform_below` reads more than two words of 64 bits.
// The last digit of the factor covers the rounding of n.
constexpr double slow_uniform(std::uint64_t n) { return static_cast<double>(n) * 0x1.0000001p-128; }

}  // namespace renyi::noise
