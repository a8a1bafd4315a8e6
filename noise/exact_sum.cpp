#include "renyi/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include "noise/exact/secret.h"
#include "noise/exact/wide.h"
#include "noise/exact_sum.h"
#include "noise/kernels/clip.h"
#include "noise/on_grid.h"
#include "noise/parameters.h"
#include "renyi/error.h"

namespace renyi::noise {

namespace exact_sum_file {
namespace {

constexpr int digit_bits = 32, lowest_bit = 1074;  // the last bit of the smallest double is 2^-1074
// A digit receives less than 2^32 from each number, and holds 63 bits.
constexpr std::uint64_t greatest_uncarried = std::uint64_t{1} << 30U;

// How many digits numbers up to this bound may touch, in whole vectors. The bound is public.
std::size_t digits_within(double bound) {
  const std::size_t exponent = std::bit_cast<std::uint64_t>(bound) >> 52U;
  return (exponent / digit_bits + 3 + lanes_at_once - 1) / lanes_at_once * lanes_at_once;
}

struct Modulus {
  SumWords words;
  std::uint64_t negative;  // a mask
};

// Without branches: what is summed is as secret as what is drawn.
Modulus modulus_of(const ExactSum& sum) {
  const ExactSum::Digits digits = sum.digits();
  const auto negative = static_cast<std::uint64_t>(digits.back() >> 63U);
  Modulus result{{}, negative};
  std::uint64_t carry = negative & 1U;
  for (std::size_t i = 0; i < sum_words; ++i) {
    const auto digit = [&](std::size_t j) {
      return static_cast<std::uint64_t>(j < digits.size() ? digits[j] : digits.back() >> 63U);
    };
    // The last digit, of which there is no other half, has 64 bits.
    std::uint64_t word = digit(2 * i) | (2 * i + 1 < digits.size() ? digit(2 * i + 1) << 32U : 0);
    word = (word ^ negative) + carry;
    carry &= static_cast<std::uint64_t>(word == 0);
    result.words[i] = word;
  }
  return result;
}

// The smaller of two moduli.
SumWords limited(const SumWords& words, const SumWords& most) {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < sum_words; ++i) {
    const Wide difference = Wide{most[i]} - words[i] - borrow;
    borrow = high_word(difference) & 1U;
  }
  const std::uint64_t is_above = -borrow;
  SumWords result{};
  for (std::size_t i = 0; i < sum_words; ++i) result[i] = (most[i] & is_above) | (words[i] & ~is_above);
  return result;
}

// 64 bits from a position that is public; what is outside of the number is 0.
std::uint64_t bits_at(const SumWords& words, int position) {
  const int word = position >= 0 ? position / 64 : -((63 - position) / 64), shift = position - 64 * word;
  const auto at = [&](int i) {
    return i >= 0 && i < static_cast<int>(sum_words) ? words[static_cast<std::size_t>(i)] : 0;
  };
  return low_word(wide(at(word + 1), at(word)) >> static_cast<unsigned>(shift));
}

// Returns an upper bound on the norm of a row of numbers as large as the bounds of the sums, L1 or L2: the sensitivity
// to one row that is added or removed.
double norm_of_row(GridLaw law, std::span<const ExactSum> sums) {
  using certify::Ball;
  const certify::Precision precision(256);
  Ball sum;
  for (const ExactSum& one : sums) sum += law == GridLaw::gaussian ? square(Ball(one.bound())) : Ball(one.bound());
  double norm = law == GridLaw::gaussian ? sqrt(sum).about() : sum.about();
  const auto is_enough = [&] {
    return surely_at_most(sum, law == GridLaw::gaussian ? square(Ball(norm)) : Ball(norm));
  };
  while (std::isfinite(norm) && !is_enough()) norm = std::nextafter(norm, HUGE_VAL);
  if (norm >= std::numeric_limits<double>::max())
    throw InvalidArgument("sensitivity", "nothing", "a positive number, because the sums have no bound");
  return norm;
}

Release released(GridLaw law, std::span<const ExactSum> sums, std::span<double> out, std::string_view parameter,
                 double scale, const OnGrid& options) {
  check_same_size(sums.size(), out.size());
  const Rounding rounding = rounding_of(options, parameter, scale, exact_multiples<double>(), 20);
  const double usual = options.sensitivity || sums.empty() ? 1 : norm_of_row(law, sums);
  const double sensitivity = options.sensitivity.value_or(usual);
  check_positive("sensitivity", sensitivity);
  return release_on_grid(law, ExactSums(sums, rounding), scale, rounding, step_of(law, scale, sensitivity), out);
}

}  // namespace
}  // namespace exact_sum_file

ExactSum::ExactSum(double bound) : bound_(bound) { check_positive("bound", bound); }

void ExactSum::add(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(limited(value, bound_));
  const auto exponent = (bits >> 52U) & 0x7ffU;
  const std::uint64_t is_normal = mask_of(exponent != 0) & 1U;
  const std::uint64_t fraction = (bits & 0xfffffffffffffU) | (is_normal << 52U);
  // The value is fraction 2^(place - 1074).
  const std::uint64_t place = exponent - is_normal;
  const Wide shifted = Wide{fraction} << (place % exact_sum_file::digit_bits);
  const std::int64_t negative = -static_cast<std::int64_t>(bits >> 63U);
  DigitsOfNumber number{place / exact_sum_file::digit_bits, {}};
  for (unsigned i = 0; i < 3; ++i) {
    const auto digit = static_cast<std::int64_t>(low_word(shifted >> (32 * i)) & 0xffffffffU);
    number.parts[i] = (digit ^ negative) - negative;
  }
  add_digits(digits_.data(), number, exact_sum_file::digits_within(bound_));
  if (++uncarried_ == exact_sum_file::greatest_uncarried) carry();
}

void ExactSum::add(std::span<const double> values) {
  for (const double value : values) add(value);
}

// The value stays the same; all digits but the last one come to [0, 2^32).
void ExactSum::carry() {
  for (std::size_t i = 0; i + 1 < digit_count; ++i) {
    const std::int64_t over = digits_[i] >> 32U;
    digits_[i] -= over * (std::int64_t{1} << 32U);
    digits_[i + 1] += over;
  }
  uncarried_ = 0;
}

ExactSum::Digits ExactSum::digits() const {
  ExactSum carried = *this;
  carried.carry();
  Digits digits;
  std::copy_n(carried.digits_.begin(), digit_count, digits.begin());
  return digits;
}

void ExactSum::merge(const ExactSum& other) {
  // Every record would count twice, which the sensitivity does not cover.
  if (&other == this) throw InvalidArgument("other", "the sum itself", "a sum of other records");
  carry();
  const Digits more = other.digits();
  for (std::size_t i = 0; i < digit_count; ++i) digits_[i] += more[i];
  carry();
  bound_ = std::max(bound_, other.bound_);
}

double ExactSum::rounded() const {
  const exact_sum_file::Modulus modulus = exact_sum_file::modulus_of(*this);
  int top = static_cast<int>(sum_words) - 1;
  while (top > 0 && modulus.words[static_cast<std::size_t>(top)] == 0) --top;
  const int length = 64 * top + static_cast<int>(std::bit_width(modulus.words[static_cast<std::size_t>(top)]));
  // The leading bits, of which a double has 53 or, below 2^-1022, as many as there are; the last bit also stands for
  // all further ones, so that they are rounded once.
  const int last = std::max(length - 64, 0);
  std::uint64_t leading = exact_sum_file::bits_at(modulus.words, last);
  bool is_more = false;
  for (int i = 0; i < last; i += 64)
    is_more |= (exact_sum_file::bits_at(modulus.words, i) << static_cast<unsigned>(std::max(64 - (last - i), 0))) != 0;
  leading |= static_cast<std::uint64_t>(is_more);
  const double size = std::ldexp(static_cast<double>(leading), last - exact_sum_file::lowest_bit);
  return modulus.negative != 0 ? -size : size;
}

ExactSums::ExactSums(std::span<const ExactSum> sums, const Rounding& rounding)
    : sums_(sums), grid_exponent_(std::ilogb(rounding.grid)), limit_{} {
  ExactSum most;
  most.add(rounding.range);
  limit_ = exact_sum_file::modulus_of(most).words;
}

void ExactSums::fixed(std::size_t first, std::size_t count, const FixedValues& values) const {
  // The bit of the grid, and below it 128 bits of the fraction.
  const int unit = exact_sum_file::lowest_bit + grid_exponent_;
  for (std::size_t i = 0; i < count; ++i) {
    if (first + i >= sums_.size()) {
      values.whole[i] = values.fraction[i] = values.rest[i] = values.negative[i] = 0;
      continue;
    }
    const exact_sum_file::Modulus modulus = exact_sum_file::modulus_of(sums_[first + i]);
    const SumWords words = exact_sum_file::limited(modulus.words, limit_);
    values.whole[i] = exact_sum_file::bits_at(words, unit);
    values.fraction[i] = exact_sum_file::bits_at(words, unit - 64);
    values.rest[i] = exact_sum_file::bits_at(words, unit - 128);
    values.negative[i] = modulus.negative;
  }
}

certify::Ball ExactSums::exact(std::size_t index) const {
  const exact_sum_file::Modulus modulus = exact_sum_file::modulus_of(sums_[index]);
  const SumWords words = exact_sum_file::limited(modulus.words, limit_);
  certify::Ball value;
  const certify::Precision all_bits(64 * static_cast<long>(sum_words));
  for (std::size_t i = sum_words; i-- > 0;) {
    arb_mul_2exp_si(value.raw(), value.raw(), 64);
    arb_add_ui(value.raw(), value.raw(), words[i], certify::Precision::bits());
  }
  arb_mul_2exp_si(value.raw(), value.raw(), -(exact_sum_file::lowest_bit + grid_exponent_));
  return modulus.negative != 0 ? -value : value;
}

Release gaussian(std::span<const ExactSum> sums, std::span<double> out, double stddev, const OnGrid& options) {
  return exact_sum_file::released(GridLaw::gaussian, sums, out, "stddev", stddev, options);
}
Release laplace(std::span<const ExactSum> sums, std::span<double> out, double scale, const OnGrid& options) {
  return exact_sum_file::released(GridLaw::laplace, sums, out, "scale", scale, options);
}

}  // namespace renyi::noise
