// The standard half-normal law as cells and places: |z| = k + u, where the cell k has the weight exp(-k^2/2), and u
// uniform is accepted with probability exp(-u (k + u/2)) (docs/math/noise.md).
#pragma once

#include <cstddef>
#include <cstdint>

#include "noise/exact/attempt.h"
#include "noise/exact/cells.h"
#include "noise/kernels/kernels.h"

namespace renyi::noise {

// A candidate (-1)^sign (k + u) for a continuous law; signed_cell is 2k + sign.
struct Candidate {
  std::uint64_t signed_cell;
  bool is_accepted, is_decided;
};

struct HalfNormal {
  static constexpr double acceptance_rate = 0.7148;  // rounded down
  static constexpr double mean_cell_plus_one = 1.6;  // over attempts, rounded up

  static void attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::uint64_t* signed_cell,
                       const Marks& marks) {
    normal_attempts(words, count, Cells::plain().floors(), knowledge, signed_cell, marks);
  }

  // exp(-u (k + u/2)) for all u of an interval.
  static Fraction acceptance(std::int64_t k, const Span128& u);
  static certify::Ball exponent(std::int64_t k, const certify::Ball& u) {
    return u * (certify::Ball(k) + u / certify::Ball(2));
  }
  static Candidate second(const AttemptSpans& spans);
  template <WordSource Source>
  static Candidate slowly(Source& source, AttemptNumbers<typename Source::Word>& numbers) {
    const std::int64_t k = Cells::plain().find_slowly(source, numbers.cell);
    const bool accepted = is_accepted_slowly(source, numbers.place, numbers.acceptance,
                                             [&](const certify::Ball& u) { return exponent(k, u); });
    return {2 * static_cast<std::uint64_t>(k) + (is_negative(numbers.cell) ? 1 : 0), accepted, true};
  }

  // Upper bounds on the probability that an attempt is not decided by the first and by the second tier. The second
  // knows the place to 2^-64 only, because the rounding to the grid needs its further words.
  static constexpr double first_miss = 0x1p-44;
  static constexpr double second_miss = 0x1p-62;
};

}  // namespace renyi::noise
