#include "noise/exact/double_double.h"

#include <cstddef>

#include "noise/exact/double_double_constants.h"

namespace renyi::noise {

namespace double_double_file {
namespace {

namespace constants = double_double_constants;

template <std::size_t n>
double polynomial(const std::array<double, n>& coefficients, double x) {
  double sum = coefficients[n - 1];
  for (std::size_t j = n - 1; j-- > 0;) sum = coefficients[j] + x * sum;
  return sum;
}

// The sum of coefficients[j] x^j, to which `last` adds x^n last.
template <std::size_t n>
DoubleDouble polynomial(const std::array<DoubleDouble, n>& coefficients, const DoubleDouble& x, double last) {
  DoubleDouble sum = last;
  for (std::size_t j = n; j-- > 0;) sum = coefficients[j] + x * sum;
  return sum;
}

// exp(x) - 1 for |x| <= 0.3466: by its Taylor polynomial at x/16, then four times exp(2w) - 1 = 2p + p^2.
DoubleDouble small_expm1(const DoubleDouble& x) {
  const DoubleDouble w = scaled(x, -4);
  DoubleDouble p =
      w * polynomial(constants::inverse_factorials, w, polynomial(constants::late_inverse_factorials, w.high));
  for (int doubling = 0; doubling < 4; ++doubling) p = scaled(p, 1) + p * p;
  return p;
}

// (atanh(s)/s - 1)/s^2 as a function of z = s^2 <= 0.02945.
DoubleDouble atanh_remainder(const DoubleDouble& z) {
  return polynomial(constants::odd_reciprocals, z, polynomial(constants::late_odd_reciprocals, z.high));
}

// log((1 + s)/(1 - s)) = 2 atanh(s) for |s| <= 0.1716.
DoubleDouble twice_atanh(const DoubleDouble& s) {
  const DoubleDouble z = s * s;
  return scaled(s, 1) * (1.0 + z * atanh_remainder(z));
}

// The k of x = 2^k m, where m lies about between the square roots of 1/2 and of 2.
std::int64_t nearest_power(double x) {
  return (std::bit_cast<std::int64_t>(x) - std::int64_t{0x3fe6a09e667f3bcd}) >> 52U;
}

// k ln 2 for a whole |k| < 2^11.
DoubleDouble times_ln2(double k) {
  return two_sum(k * constants::ln2[0], k * constants::ln2[1]) + k * constants::ln2[2];
}

// A number of [-3, 3] in units of 2^-125, cut off to a whole number. Every step but the last cut is exact.
__extension__ using SignedWide = __int128;
SignedWide fixed_point(double value) {
  SignedWide sum = 0;
  double rest = value * 0x1p-1;
  for (int part = 0; part < 3; ++part) {
    rest *= 0x1p42;
    const auto whole = static_cast<std::int64_t>(rest);
    rest -= static_cast<double>(whole);
    sum = sum * (SignedWide{1} << 42U) + whole;
  }
  return sum;
}

// A number of units of 2^-125 in units of 2^-128, moved into [0, 2^128 - 1]. Comparisons of two words would be
// branches; signs are not. Masks of 128 bits are avoided: GCC 12 moves them by MMX registers, which breaks long double
// after it.
Wide saturated(SignedWide units) {
  const auto high = static_cast<std::int64_t>(units >> 64U);
  const auto low = static_cast<std::uint64_t>(units);
  constexpr std::int64_t high_of_one = std::int64_t{1} << 61U;
  const auto is_negative = static_cast<std::uint64_t>(high >> 63U);
  const auto is_one = ~static_cast<std::uint64_t>((high - high_of_one) >> 63U);
  return wide((((static_cast<std::uint64_t>(high) << 3U) | (low >> 61U)) & ~is_negative) | is_one,
              ((low << 3U) & ~is_negative) | is_one);
}

}  // namespace
}  // namespace double_double_file

double reciprocal(const DoubleDouble& y) {
  // The difference of the bits is a line on each binade; its relative error is at most 0.0505.
  const auto bits = std::bit_cast<std::uint64_t>(y.high);
  const std::uint64_t sign = bits & (std::uint64_t{1} << 63U);
  const std::uint64_t modulus = bits ^ sign;
  auto t = std::bit_cast<double>((std::uint64_t{0x7fde624dd2f1a9fb} - modulus) | sign);
  for (int step = 0; step < 3; ++step) t += t * (1 - y.high * t);
  const DoubleDouble product = two_product(y.high, t);
  return t + t * (((1 - product.high) - product.low) - y.low * t);
}

DoubleDouble operator/(const DoubleDouble& x, const DoubleDouble& y) {
  const double t = reciprocal(y);
  const double quotient = x.high * t;
  const DoubleDouble rest = x - DoubleDouble(quotient) * y;
  return quick_two_sum(quotient, rest.high * t);
}

DoubleDouble exp(const DoubleDouble& x) {
  const auto& ln2 = double_double_file::constants::ln2;
  // Adding 1.5 2^52 rounds to a whole number k, which is then in the last bits.
  constexpr double rounder = 0x1.8p52;
  const double shifted = x.high * double_double_file::constants::inverse_ln2 + rounder;
  const double k = shifted - rounder;
  const auto power = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(shifted)) -
                     static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(rounder));
  const DoubleDouble r = (two_sum(x.high, -k * ln2[0]) + x.low) + two_sum(-k * ln2[1], -k * ln2[2]);
  const DoubleDouble result = 1.0 + double_double_file::small_expm1(r);
  // Two factors, because the power of two may be beyond 1000.
  return scaled(scaled(result, power >> 1U), power - (power >> 1U));
}

DoubleDouble expm1(const DoubleDouble& x) { return double_double_file::small_expm1(x); }

DoubleDouble log(const DoubleDouble& x) {
  const std::int64_t power = double_double_file::nearest_power(x.high);
  const DoubleDouble m = scaled(scaled(x, -(power >> 1U)), (power >> 1U) - power);
  const DoubleDouble log_m = double_double_file::twice_atanh((m - 1.0) / (m + 1.0));
  return double_double_file::times_ln2(static_cast<double>(power)) + log_m;
}

DoubleDouble log_ratio(double a, double b) {
  const std::int64_t power = double_double_file::nearest_power(a * reciprocal(b));
  // The sum and the difference of two doubles are exact.
  const double c = scaled(b, power).high;
  const DoubleDouble log_m = double_double_file::twice_atanh(two_sum(a, -c) / two_sum(a, c));
  return double_double_file::times_ln2(static_cast<double>(power)) + log_m;
}

DoubleDouble log1p(const DoubleDouble& x) { return double_double_file::twice_atanh(x / (x + 2.0)); }

DoubleDouble log1p_minus(const DoubleDouble& x) {
  // With s = x/(2 + x), x = 2s + x s, so that log(1 + x) - x = 2 atanh(s) - 2s - x s, and nothing cancels.
  const DoubleDouble s = x / (x + 2.0);
  const DoubleDouble z = s * s;
  return scaled(s, 1) * (z * double_double_file::atanh_remainder(z)) - x * s;
}

DoubleDouble double_double_of(Wide value) {
  // Parts of 53, 53 and 22 bits. Signed conversions need no branch, those of unsigned words do.
  constexpr std::uint64_t mask = (std::uint64_t{1} << 53U) - 1;
  const auto first = static_cast<std::int64_t>(value >> 75U);
  const auto second = static_cast<std::int64_t>(static_cast<std::uint64_t>(value >> 22U) & mask);
  const auto third = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << 22U) - 1));
  const DoubleDouble rest = two_sum(static_cast<double>(second) * 0x1p-106, static_cast<double>(third) * 0x1p-128);
  const DoubleDouble sum = two_sum(static_cast<double>(first) * 0x1p-53, rest.high);
  return quick_two_sum(sum.high, sum.low + rest.low);
}

Fraction enclose(const DoubleDouble& value, double error) {
  using double_double_file::fixed_point;
  const auto middle = fixed_point(value.high) + fixed_point(value.low);
  // Each of the three was cut off by less than a unit. An error above 1 says no more than one of 1.
  const auto radius = fixed_point(selected(error <= 1, error, 1.0)) + 3;
  return {double_double_file::saturated(middle - radius), double_double_file::saturated(middle + radius)};
}

Fraction exp_minus_fraction(const DoubleDouble& gamma, double gamma_error) {
  // exp(-100) < 2^-144 is nothing but the first unit of the enclosure.
  const DoubleDouble value = exp(-selected(gamma.high < 100, gamma, DoubleDouble(100)));
  // |exp(-t) - exp(-gamma)| <= exp(-gamma) (exp(g) - 1) <= exp(-gamma) (g + g^2) for errors g <= 1. The last factor
  // covers the roundings of this line, and the low part of the value.
  const double relative = gamma_error + gamma_error * gamma_error + dd_exp_error;
  return enclose(value, selected(gamma_error <= 1, value.high * relative * (1 + 0x1p-40), 1.0));
}

}  // namespace renyi::noise
