#include "noise/exact/cells.h"

namespace renyi::noise {

using certify::Ball;
using certify::Precision;

namespace cells_file {
namespace {

// The whole part of a number in [0, 2^128), limited to it: rounded down.
Wide whole_part(const arf_t value) {
  fmpz_t whole;
  fmpz_init(whole);
  arf_get_fmpz(whole, value, ARF_RND_FLOOR);
  Wide result = 0;
  if (fmpz_sgn(whole) > 0) {
    if (fmpz_sizeinbase(whole, 2) > 128) {
      result = ~Wide{0};
    } else {
      ulong words[2] = {0, 0};
      fmpz_get_ui_array(words, 2, whole);
      result = wide(words[1], words[0]);
    }
  }
  fmpz_clear(whole);
  return result;
}

}  // namespace
}  // namespace cells_file

Fraction enclose(const Ball& value) {
  Ball scaled = value;
  arb_mul_2exp_si(scaled.raw(), scaled.raw(), 128);
  arf_t bound;
  arf_init(bound);
  arb_get_lbound_arf(bound, scaled.raw(), Precision::bits());
  const Wide lower = cells_file::whole_part(bound);
  arb_get_ubound_arf(bound, scaled.raw(), Precision::bits());
  const Wide upper = cells_file::whole_part(bound);
  arf_clear(bound);
  return {lower, upper};
}

Fraction enclose_first_word(const Enclosure& value) {
  for (long bits = 192;; bits *= 2) {
    const Precision precision(bits);
    const Fraction known = enclose(value());
    if (high_word(known.lower) == high_word(known.upper)) return known;
  }
}

// The weights a^(k^2), a = exp(-w^2/2), until the rest does not matter at this precision. Those from J >= 2 on are
// together at most twice the first of them, because w >= 1 and each is at most exp(-2) times the one before.
Cells::Weights Cells::weights() const {
  const Ball first = exp(-square(Ball(numbers_) / Ball(stddev_)) / Ball(2)), again = square(first);
  Ball small(1), weight = first, factor = first;
  arb_mul_2exp_si(small.raw(), small.raw(), -Precision::bits() - 8);
  Weights result;
  result.below = {Ball(1), Ball(1) + first};
  for (;;) {
    // a^((k+1)^2) = a^(k^2) a^(2k+1).
    factor *= again;
    weight *= factor;
    const Ball& sum = result.below.back();
    if (surely_less(weight, small)) {
      result.all = Ball::hull(sum, sum + Ball(2) * weight);
      return result;
    }
    result.below.push_back(sum + weight);
  }
}

Cells::Cells(double numbers, double stddev) : numbers_(numbers), stddev_(stddev), floors_{}, ends_{} {
  // The first tier needs ends whose first words are certain: none is a multiple of 2^-64.
  bool are_certain = false;
  for (long bits = 192; !are_certain; bits *= 2) {
    const Precision precision(bits);
    const Weights known = weights();
    are_certain = true;
    for (std::size_t i = 0; i < ends; ++i) {
      const Ball& below = i < known.below.size() ? known.below[i] : known.all;
      ends_[i] = enclose(below / known.all);
      are_certain = are_certain && high_word(ends_[i].lower) == high_word(ends_[i].upper);
    }
  }
  for (std::size_t i = 0; i < cells_at_once; ++i) floors_.floor[i] = high_word(ends_[i].lower);
}

const Cells& Cells::plain() {
  static const Cells cells(1, 1);
  return cells;
}

Ball Cells::end(std::int64_t index) const {
  const Weights known = weights();
  const auto i = static_cast<std::size_t>(index);
  return (i < known.below.size() ? known.below[i] : known.all) / known.all;
}

Cells::Found Cells::find(const Span128& v) const {
  std::int64_t above = 0, below = 0;
  const Wide most = v.lower + (v.width - 1);
  for (const Fraction& end : ends_) {
    above += static_cast<std::int64_t>(v.lower > end.upper);
    below += static_cast<std::int64_t>(most < end.lower);
  }
  const bool decided = (above + below == static_cast<std::int64_t>(ends)) & (below > 0);
  return {above, decided};
}

}  // namespace renyi::noise
