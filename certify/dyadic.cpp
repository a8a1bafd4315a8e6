// Writes endpoints of enclosures as text, and reads them.
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "certify/ball/ball.h"
#include "renyi/error.h"

namespace renyi {
namespace certify {
namespace dyadic_file {
namespace {

// Owns an integer of FLINT.
class Integer {
 public:
  Integer() { fmpz_init(integer_); }
  ~Integer() { fmpz_clear(integer_); }
  Integer(const Integer&) = delete;
  Integer& operator=(const Integer&) = delete;
  fmpz* raw() noexcept { return integer_; }

  std::string text() const {
    const std::unique_ptr<char, void (*)(void*)> digits(fmpz_get_str(nullptr, 10, integer_), flint_free);
    return digits.get();
  }

 private:
  fmpz_t integer_{};
};

bool is_integer(std::string_view text) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return !text.empty() && text.size() <= Dyadic::most_digits &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

Dyadic dyadic_of(arf_srcptr end) {
  if (arf_is_pos_inf(end)) return {"inf", 0};
  if (arf_is_nan(end) || arf_is_neg_inf(end)) throw NotConverged("an enclosure has no finite end");
  Integer mantissa;
  Integer exponent;
  arf_get_fmpz_2exp(mantissa.raw(), exponent.raw(), end);
  if (!fmpz_fits_si(exponent.raw())) throw NotConverged("the end of an enclosure is out of range");
  return {mantissa.text(), fmpz_get_si(exponent.raw())};
}

// Positive endpoints below this are moved outwards, to 0 or up to it, so that everything that is written can be read.
constexpr std::int64_t least_exponent = -(std::int64_t{1} << 39);
bool is_tiny(arf_srcptr end) { return arf_sgn(end) > 0 && arf_cmpabs_2exp_si(end, least_exponent) < 0; }

}  // namespace
}  // namespace dyadic_file

Enclosure enclosure_of(const Ball& ball, long bits) {
  Ball low;
  Ball high;
  const long kept = bits > 0 ? bits : ARF_PREC_EXACT;
  arb_get_lbound_arf(arb_midref(low.raw()), ball.raw(), kept);
  arb_get_ubound_arf(arb_midref(high.raw()), ball.raw(), kept);
  if (dyadic_file::is_tiny(arb_midref(low.raw()))) low = Ball(0);
  if (dyadic_file::is_tiny(arb_midref(high.raw())))
    arf_set_ui_2exp_si(arb_midref(high.raw()), 1, dyadic_file::least_exponent);
  return {dyadic_file::dyadic_of(arb_midref(low.raw())), dyadic_file::dyadic_of(arb_midref(high.raw()))};
}

Ball ball_of(const Dyadic& end) {
  if (end.mantissa == "inf") return Ball::infinity();
  if (!dyadic_file::is_integer(end.mantissa))
    throw InvalidArgument("mantissa", end.mantissa, "an integer of at most 1000 digits, or inf");
  if (end.exponent > Dyadic::largest_exponent || end.exponent < -Dyadic::largest_exponent) {
    throw InvalidArgument("exponent", std::to_string(end.exponent), "at most 2^40 in size");
  }
  dyadic_file::Integer mantissa;
  fmpz_set_str(mantissa.raw(), end.mantissa.c_str(), 10);
  dyadic_file::Integer exponent;
  fmpz_set_si(exponent.raw(), end.exponent);
  Ball result;
  arf_set_fmpz_2exp(arb_midref(result.raw()), mantissa.raw(), exponent.raw());
  return result;
}

}  // namespace certify

using certify::Ball;
using certify::ball_of;
using certify::enclosure_of;

namespace dyadic_file {
namespace {

// Formats the digits 1234 as 1.234e-7: the first digit has the value 10^power.
std::string placed_point(std::string_view digits, long power) {
  std::string result;
  if (digits.front() == '-') {
    result.push_back(digits.front());
    digits.remove_prefix(1);
  }
  while (digits.size() > 1 && digits.back() == '0') digits.remove_suffix(1);
  result += digits.front();
  if (digits.size() > 1) result.append(".").append(digits.substr(1));
  if (power != 0) result.append("e").append(std::to_string(power));
  return result;
}

// The precision of endpoints that are moved outwards.
constexpr long kept_bits = 80;

bool at_most(const Dyadic& a, const Dyadic& b) {
  return arf_cmp(arb_midref(ball_of(a).raw()), arb_midref(ball_of(b).raw())) <= 0;
}

double rounded(const Dyadic& number, arf_rnd_t rounding) {
  return arf_get_d(arb_midref(ball_of(number).raw()), rounding);
}

// Formats digits and exponent by MPFR, which rounds in the requested direction.
std::string decimal(const Dyadic& number, int digits, mpfr_rnd_t rounding) {
  const Ball ball = ball_of(number);
  const arf_srcptr value = arb_midref(ball.raw());
  if (arf_is_zero(value)) return "0";
  if (arf_is_inf(value)) return "inf";
  mpfr_t exact;
  mpfr_init2(exact, std::max<mpfr_prec_t>(arf_bits(value), MPFR_PREC_MIN));
  arf_get_mpfr(exact, value, rounding);
  mpfr_exp_t point = 0;
  const std::unique_ptr<char, void (*)(char*)> text(
      mpfr_get_str(nullptr, &point, 10, static_cast<std::size_t>(digits), exact, rounding), mpfr_free_str);
  mpfr_clear(exact);
  return placed_point(text.get(), point - 1);
}

}  // namespace
}  // namespace dyadic_file

double rounded_down(const Dyadic& number) { return dyadic_file::rounded(number, ARF_RND_FLOOR); }
double rounded_up(const Dyadic& number) { return dyadic_file::rounded(number, ARF_RND_CEIL); }
std::string decimal_below(const Dyadic& number, int digits) { return dyadic_file::decimal(number, digits, MPFR_RNDD); }
std::string decimal_above(const Dyadic& number, int digits) { return dyadic_file::decimal(number, digits, MPFR_RNDU); }

bool contains(const Enclosure& outer, const Enclosure& inner) {
  return dyadic_file::at_most(outer.lower, inner.lower) && dyadic_file::at_most(inner.upper, outer.upper);
}

Enclosure hull(const Enclosure& a, const Enclosure& b) {
  return {dyadic_file::at_most(a.lower, b.lower) ? a.lower : b.lower,
          dyadic_file::at_most(a.upper, b.upper) ? b.upper : a.upper};
}

Enclosure widened(const Enclosure& value, double of_width, double of_end) {
  const certify::Precision enough(256);
  const Ball low = ball_of(value.lower);
  const Ball high = ball_of(value.upper);
  const Ball room = high.is_finite() ? of_width * (high - low) : Ball(0);
  const Ball end = Ball(of_end);
  const Enclosure below =
      low.is_finite() ? enclosure_of(max(low - room - end * low, Ball(0)), dyadic_file::kept_bits) : value;
  const Enclosure above = high.is_finite() ? enclosure_of(high + room + end * high, dyadic_file::kept_bits) : value;
  return {below.lower, above.upper};
}

Enclosure around(const Enclosure& a, const Enclosure& b) { return widened(hull(a, b), 0.25, 0); }

double width(const Enclosure& value) {
  if (value.upper.mantissa == "inf") return HUGE_VAL;
  const certify::Precision enough(256);
  return rounded_up(enclosure_of(ball_of(value.upper) - ball_of(value.lower)).upper);
}

}  // namespace renyi
