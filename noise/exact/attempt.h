// What the second and the slow tier of all rejection samplers share.
#pragma once

#include <array>
#include <cstdint>

#include "certify/ball/ball.h"
#include "noise/exact/cells.h"
#include "noise/exact/decide.h"
#include "noise/exact/scale.h"
#include "noise/exact/secret.h"
#include "noise/exact/uniform.h"

namespace renyi::noise {

// The numbers of an attempt as the second tier knows them: cell and sign, place in the cell, acceptance.
struct AttemptSpans {
  Span128 cell, place, acceptance;
};

// The same for the slow tier, which reads more words of each as it needs them.
template <class Word>
struct AttemptNumbers {
  Uniform<Word> cell, place, acceptance;
};

template <class Word>
Span128 span_of(const Uniform<Word>& u) {
  return {u.lower(), u.width()};
}
// An attempt of the second tier: two words of each number.
struct Attempt {
  std::array<std::uint64_t, 3> first, second;
  [[nodiscard]] AttemptSpans spans() const {
    return {{wide(first[0], second[0]), 1}, {wide(first[1], second[1]), 1}, {wide(first[2], second[2]), 1}};
  }
  [[nodiscard]] AttemptNumbers<std::uint64_t> numbers() const {
    return {{first[0], second[0]}, {first[1], second[1]}, {first[2], second[2]}};
  }
};
inline Attempt attempt_of(Bits& bits, std::uint64_t cell, std::uint64_t place, std::uint64_t acceptance) {
  Attempt attempt{{cell, place, acceptance}, {}};
  bits.fill(attempt.second);
  return attempt;
}

// The first bit of the cell's number is the sign; the others are a uniform number again.
inline bool is_negative(const Span128& cell) { return (cell.lower >> 127U) != 0; }
inline Span128 without_sign(const Span128& cell) { return {cell.lower << 1U, cell.width << 1U}; }
template <class Word>
bool is_negative(const Uniform<Word>& cell) {
  return (cell.words()[0] >> (cell.word_bits - 1)) != 0;
}

// The width of an interval as a number, rounded up.
inline double width_of(const Span128& span) {
  return 0x1p-64 * static_cast<double>(high_word(span.width)) + 0x1p-128 * static_cast<double>(low_word(span.width));
}

struct Comparison {
  bool is_below, is_decided;
};
inline Comparison compare(const Span128& u, const Fraction& threshold) {
  const std::uint64_t below = mask_of(threshold.lower >= u.width) & mask_of(u.lower <= threshold.lower - u.width);
  const std::uint64_t above = mask_of(u.lower > threshold.upper);
  return {below != 0, (below | above) != 0};
}

// Accepts with probability exp(-exponent(u)), where the exponent rises with the place u: reads words of both numbers
// until ball arithmetic decides.
template <WordSource Source, class Exponent>
bool is_accepted_slowly(Source& source, Uniform<typename Source::Word>& place,
                        Uniform<typename Source::Word>& acceptance, const Exponent& exponent) {
  for (;;) {
    const Ends u = ends_of(place), c = ends_of(acceptance);
    const certify::Precision precision(64 + static_cast<long>(place.word_bits * place.words().size()));
    if (surely_at_most(c.upper, exp(-exponent(u.upper)))) return true;
    if (surely_at_most(exp(-exponent(u.lower)), c.lower)) return false;
    place.extend(source);
    acceptance.extend(source);
  }
}

// Returns floor(f(u)) for a function f that rises with u: reads words until both ends of u have the same.
template <WordSource Source, class Function>
std::int64_t floor_slowly(Source& source, Uniform<typename Source::Word>& u, const Function& f) {
  for (;;) {
    const Ends known = ends_of(u);
    const certify::Precision precision(192 + static_cast<long>(u.word_bits * u.words().size()));
    if (const auto floor = common_floor(f(known.lower), f(known.upper))) return *floor;
    u.extend(source);
  }
}

}  // namespace renyi::noise
