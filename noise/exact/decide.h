// Decides whether a uniform number lies below a threshold, by a proven enclosure of the threshold and as many random
// words as it takes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "certify/ball/ball.h"
#include "noise/exact/secret.h"
#include "noise/exact/uniform.h"
#include "noise/exact/wide.h"

namespace renyi::noise {

// Encloses a number at the working precision of the thread (certify::Precision): more bits, a smaller ball.
using Enclosure = std::function<certify::Ball()>;

// The ends of the interval in which the words leave a uniform number.
struct Ends {
  certify::Ball lower, upper;
};
Ends ends(std::span<const std::uint64_t> words, unsigned word_bits);
template <class Word>
Ends ends_of(const Uniform<Word>& u) {
  const std::vector<std::uint64_t> words(u.words().begin(), u.words().end());
  return ends(words, u.word_bits);
}

// yes, no, or not yet: the threshold, enclosed at a precision that suits the words, lies in the interval.
enum class Order { below, above, unknown };
Order compare(std::span<const std::uint64_t> words, unsigned word_bits, const Enclosure& threshold);

// The slow tier: reads words until ball arithmetic decides.
template <WordSource Source>
bool is_below_slowly(Source& source, Uniform<typename Source::Word>& u, const Enclosure& threshold) {
  for (;;) {
    const std::vector<std::uint64_t> words(u.words().begin(), u.words().end());
    const Order order = compare(words, u.word_bits, threshold);
    if (order != Order::unknown) return order == Order::below;
    u.extend(source);
  }
}

// Returns u < t for a t with the enclosures `fraction` and, as narrow as need be, `threshold`. The time does not depend
// on the result, unless the first two words do not decide; with words of 64 bits that has the probability
// (fraction.upper - fraction.lower + 2) 2^-128.
template <WordSource Source>
bool is_below(Source& source, Uniform<typename Source::Word>& u, const Fraction& fraction, const Enclosure& threshold) {
  const Wide lower = u.lower(), width = u.width();
  const std::uint64_t below = mask_of(fraction.lower >= width) & mask_of(lower <= fraction.lower - width);
  const std::uint64_t above = mask_of(lower > fraction.upper);
  if (revealed((below | above) != 0)) return below != 0;
  return is_below_slowly(source, u, threshold);
}

}  // namespace renyi::noise
