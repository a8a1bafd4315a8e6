#include "noise/exact_numbers.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

#include "noise/parameters.h"

namespace renyi::noise {
namespace exact_numbers_file {
namespace {

// Owns a whole number of any size.
class Whole {
 public:
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): fmpz_init_set_si does
  explicit Whole(std::int64_t value = 0) { fmpz_init_set_si(value_, value); }
  explicit Whole(const std::string& digits) : Whole() { fmpz_set_str(value_, digits.c_str(), 10); }
  Whole(const Whole&) = delete;
  Whole& operator=(const Whole&) = delete;
  ~Whole() { fmpz_clear(value_); }
  fmpz* raw() { return value_; }

 private:
  fmpz_t value_;
};

bool is_zero(const ExactNumber& value) { return value.numerator() == "0"; }

// How large a number is: below 10^(place + 1), and at least 10^(place - 1). Cut off at 10^6, which is far beyond every
// range and every grid.
constexpr std::int64_t unlimited = 1'000'000;
std::int64_t place_of(const ExactNumber& value) {
  if (value.denominator() == "0") return unlimited;
  Whole place(value.exponent());
  fmpz_add_ui(place.raw(), place.raw(), value.numerator().size());
  fmpz_sub_ui(place.raw(), place.raw(), value.denominator().size());
  if (fmpz_cmp_si(place.raw(), unlimited) > 0) return unlimited;
  return fmpz_cmp_si(place.raw(), -unlimited) < 0 ? -unlimited : fmpz_get_si(place.raw());
}

// Sets floor(|x| 2^bits + 1/2) if it is rounded, else floor(|x| 2^bits). The place of x says that its exponent is about
// as long as its text.
void scaled(const ExactNumber& value, std::int64_t bits, bool is_turned, Whole& result, bool is_rounded) {
  Whole above(value.numerator()), below(value.denominator()), power(10), exponent(value.exponent());
  const std::int64_t tens = fmpz_get_si(exponent.raw());
  fmpz_pow_ui(power.raw(), power.raw(), static_cast<ulong>(std::abs(tens)));
  Whole& longer = tens < 0 ? below : above;
  fmpz_mul(longer.raw(), longer.raw(), power.raw());
  Whole& shifted = bits < 0 ? below : above;
  fmpz_mul_2exp(shifted.raw(), shifted.raw(), static_cast<ulong>(std::abs(bits)));
  if (is_turned) fmpz_neg(above.raw(), above.raw());
  if (is_rounded) {  // floor((2 a + b) / (2 b))
    fmpz_mul_2exp(above.raw(), above.raw(), 1);
    fmpz_add(above.raw(), above.raw(), below.raw());
    fmpz_mul_2exp(below.raw(), below.raw(), 1);
  }
  fmpz_fdiv_q(result.raw(), above.raw(), below.raw());
}

Release released(GridLaw law, std::span<const ExactNumber> values, std::span<double> out, std::string_view parameter,
                 double scale, const OnGrid& options) {
  check_same_size(values.size(), out.size());
  const Rounding rounding = rounding_of(options, parameter, scale, exact_multiples<double>(), 20);
  const double sensitivity = options.sensitivity.value_or(1);
  check_positive("sensitivity", sensitivity);
  return release_on_grid(law, ExactNumbers(values, rounding), scale, rounding, step_of(law, scale, sensitivity), out);
}

}  // namespace
}  // namespace exact_numbers_file

std::int64_t nearest_whole(const ExactNumber& value) {
  namespace file = exact_numbers_file;
  using Limits = std::numeric_limits<std::int64_t>;
  constexpr std::int64_t beyond = 30;  // 10^29 is more than 2^63
  if (file::is_zero(value)) return 0;
  const std::int64_t place = file::place_of(value);
  if (place > beyond) return value.is_negative() ? Limits::min() : Limits::max();
  if (place < -2) return 0;  // less than 1/10
  file::Whole whole;
  file::scaled(value, 0, value.is_negative(), whole, true);
  if (fmpz_cmp_si(whole.raw(), Limits::max()) > 0) return Limits::max();
  return fmpz_cmp_si(whole.raw(), Limits::min()) < 0 ? Limits::min() : fmpz_get_si(whole.raw());
}

ExactNumbers::ExactNumbers(std::span<const ExactNumber> values, const Rounding& rounding)
    : values_(values), grid_exponent_(std::ilogb(rounding.grid)), greatest_(rounding.greatest) {
  namespace file = exact_numbers_file;
  constexpr std::int64_t beyond = 400,
                         within = -400;  // grids are from 2^-800 to 2^800, and ranges at most 2^51 of them
  constexpr int fraction_bits = 128;
  const Lane end{static_cast<std::uint64_t>(greatest_), 0, 0, 0, true};
  file::Whole limit(greatest_), multiple;
  fmpz_mul_2exp(limit.raw(), limit.raw(), fraction_bits);
  lanes_.reserve(values.size());
  for (const ExactNumber& value : values) {
    const std::int64_t place = file::is_zero(value) ? -file::unlimited : file::place_of(value);
    Lane lane{};
    if (place > beyond) {
      lane = end;
    } else if (place >= within) {
      file::scaled(value, fraction_bits - grid_exponent_, false, multiple, false);
      std::array<ulong, 3> words{};
      const bool is_above = fmpz_cmp(multiple.raw(), limit.raw()) >= 0;
      if (!is_above) fmpz_get_ui_array(words.data(), words.size(), multiple.raw());
      lane = is_above ? end : Lane{words[2], words[1], words[0], 0, false};
    }
    lane.negative = value.is_negative() ? ~std::uint64_t{0} : 0;
    lanes_.push_back(lane);
  }
}

void ExactNumbers::fixed(std::size_t first, std::size_t count, const FixedValues& values) const {
  for (std::size_t i = 0; i < count; ++i) {
    const Lane lane = first + i < lanes_.size() ? lanes_[first + i] : Lane{};
    values.whole[i] = lane.whole;
    values.fraction[i] = lane.fraction;
    values.rest[i] = lane.rest;
    values.negative[i] = lane.negative;
  }
}

certify::Ball ExactNumbers::exact(std::size_t index) const {
  namespace file = exact_numbers_file;
  const ExactNumber& value = values_[index];
  const bool is_negative = value.is_negative();
  if (lanes_[index].is_clamped) return certify::Ball(is_negative ? -greatest_ : greatest_);
  if (file::is_zero(value)) return certify::Ball(0);
  file::Whole above(value.numerator()), below(value.denominator()), exponent(value.exponent());
  const long bits = certify::Precision::bits();
  certify::Ball power(10), result;
  arb_pow_fmpz(power.raw(), power.raw(), exponent.raw(), bits);
  arb_mul_fmpz(result.raw(), power.raw(), above.raw(), bits);
  arb_div_fmpz(result.raw(), result.raw(), below.raw(), bits);
  arb_mul_2exp_si(result.raw(), result.raw(), -grid_exponent_);
  return is_negative ? -result : result;
}

Release gaussian(std::span<const ExactNumber> values, std::span<double> out, double stddev, const OnGrid& options) {
  return exact_numbers_file::released(GridLaw::gaussian, values, out, "stddev", stddev, options);
}
Release laplace(std::span<const ExactNumber> values, std::span<double> out, double scale, const OnGrid& options) {
  return exact_numbers_file::released(GridLaw::laplace, values, out, "scale", scale, options);
}

}  // namespace renyi::noise
