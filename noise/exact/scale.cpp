#include "noise/exact/scale.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace renyi::noise {

using certify::Ball;
using certify::Precision;

namespace scale_file {
namespace {

unsigned trailing_zeros(Wide value) {
  const int zeros = low_word(value) != 0 ? std::countr_zero(low_word(value)) : 64 + std::countr_zero(high_word(value));
  return static_cast<unsigned>(zeros);
}

}  // namespace
}  // namespace scale_file

Scale Scale::of(double value, double grid) { return {value, grid, false}; }
Scale Scale::of_binary(double value, double grid) { return {value, grid, true}; }

Ball Scale::exact() const {
  Ball scale = Ball(value_) / Ball(grid_);
  if (is_binary_) scale *= log(Ball(2));
  return scale;
}

Scale::Scale(double value, double grid, bool is_binary)
    : value_(value), grid_(grid), about_(0), is_binary_(is_binary), fixed_{}, rest_(0) {
  {
    const Precision precision(192);
    about_ = exact().about();
  }
  // The multiplier has 57 bits, and fewer where the scale is below 2^-6.
  const int exponent = std::ilogb(about_);
  fixed_.fraction_bits = std::min(56 - exponent, 62);
  fixed_.is_rounded = is_binary;
  const Fraction multiplier = enclose_first_word([this] {
    Ball scaled = exact();
    arb_mul_2exp_si(scaled.raw(), scaled.raw(), fixed_.fraction_bits - 64);  // a fraction with 64 + 64 bits
    return scaled;
  });
  fixed_.multiplier = high_word(multiplier.lower);
  rest_ = low_word(multiplier.lower);
}

Scale::Multiple Scale::times(std::uint64_t k, const Span128& u) const {
  const std::uint64_t m = fixed_.multiplier;
  const auto down = static_cast<unsigned>(fixed_.fraction_bits);
  // m (k 2^128 + u) in three words, plus rest (k 2^128 + u) 2^-64, rounded down.
  const Wide low = Wide{m} * low_word(u.lower), high = Wide{m} * high_word(u.lower);
  const Wide part = high_word(Wide{rest_} * low_word(u.lower)) + Wide{rest_} * high_word(u.lower);
  const Wide cells = Wide{rest_} * k;
  const Wide first = Wide{low_word(low)} + low_word(part);
  const Wide second = Wide{high_word(low)} + low_word(high) + high_word(part) + low_word(cells) + high_word(first);
  const Wide third = high_word(high) + Wide{m} * k + high_word(cells) + high_word(second);
  const Wide upper = wide(low_word(third), low_word(second));
  const Wide fraction = (upper << (64 - down)) | (low_word(first) >> down);

  // What the interval leaves open, in units of 2^-128. Its width is a power of two, and public.
  const Wide one_more = Wide{m} + 1;
  const unsigned bits = scale_file::trailing_zeros(u.width);
  Wide width = one_more >> (down - std::min(bits, down));
  if (bits > down) width = bits - down > 70 ? ~Wide{0} >> 1U : one_more << (bits - down);
  // The rest of a rounded multiplier is too small by less than 2^-64.
  if (fixed_.is_rounded) width += Wide{k + 1} << (64 - down);
  return {low_word(third) >> down, fraction, width + 4};
}

// The fraction of scale (k + u) is within w of a whole number with probability at most w (1 + 1/scale): u passes at
// most scale + 1 whole numbers, each in a time of w/scale.
double Scale::first_miss(double cells) const {
  const double open = std::ldexp(1.0, -62) + std::ldexp(about_, -63) +
                      (fixed_.is_rounded ? std::ldexp(cells, -fixed_.fraction_bits) : 0.0);
  return 1.01 * open * (1 + 1 / about_);
}
double Scale::second_miss(double cells) const {
  const double open = std::ldexp(1.0, -125) + std::ldexp(about_, -126) +
                      (fixed_.is_rounded ? std::ldexp(cells, -64 - fixed_.fraction_bits) : 0.0);
  return 1.01 * open * (1 + 1 / about_);
}

std::optional<std::int64_t> common_floor(const Ball& lower, const Ball& upper) {
  Ball below, above;
  arb_floor(below.raw(), lower.raw(), Precision::bits());
  arb_floor(above.raw(), upper.raw(), Precision::bits());
  fmpz_t first, second;
  fmpz_init(first);
  fmpz_init(second);
  std::optional<std::int64_t> result;
  if (arb_get_unique_fmpz(first, below.raw()) != 0 && arb_get_unique_fmpz(second, above.raw()) != 0 &&
      fmpz_equal(first, second) != 0)
    result = fmpz_get_si(first);
  fmpz_clear(first);
  fmpz_clear(second);
  return result;
}

}  // namespace renyi::noise
