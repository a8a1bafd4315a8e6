#include "numerics/decimal_arithmetic.h"

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "numerics/rounding.h"

namespace renyi::numerics {

namespace decimal_arithmetic_file {
namespace {

using Integer = boost::multiprecision::cpp_int;

// digits * 10^exponent
struct Decimal {
  std::int64_t digits = 0;
  int exponent = 0;
};

// Parses "d.ddde-dd" into its digits, without the point, and its exponent.
Decimal parsed(std::string_view text) {
  Decimal decimal;
  const auto e = text.find('e');
  for (const char c : text.substr(0, e)) {
    if (c != '.') decimal.digits = 10 * decimal.digits + (c - '0');
  }
  const std::size_t sign = text[e + 1] == '+' ? 2 : 1;
  std::from_chars(text.data() + e + sign, text.data() + text.size(), decimal.exponent);
  if (const auto point = text.find('.'); point < e) decimal.exponent -= static_cast<int>(e - point - 1);
  return decimal;
}

// Returns the shortest decimal that reads back to the same double.
Decimal shortest(double value) {
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific).ptr;
  return parsed({text.data(), static_cast<std::size_t>(end - text.data())});
}

// Returns the double that represents the nearest decimal of 15 digits: if a sum is a decimal, binary arithmetic may end
// at the neighbour of the double that represents it.
double nearest_short_decimal(double value) {
  constexpr int digits = 15;
  std::array<char, 40> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, digits - 1).ptr;
  double nearest = 0;
  std::from_chars(text.data(), end, nearest);
  return nearest;
}

Integer power_of_ten(int exponent) { return boost::multiprecision::pow(Integer(10), static_cast<unsigned>(exponent)); }

struct Fraction {
  Integer numerator;
  Integer denominator;
};

Fraction fraction_of(const Quotient& quotient) {
  const Decimal above = shortest(quotient.numerator), below = shortest(quotient.denominator);
  Fraction fraction{above.digits, below.digits};
  const int exponent = above.exponent - below.exponent;
  (exponent < 0 ? fraction.denominator : fraction.numerator) *= power_of_ten(std::abs(exponent));
  return fraction;
}

// Longer denominators come from many steps whose scales have nothing in common; their sum is not a short decimal.
constexpr unsigned most_bits = 4096;
// A double differs from its decimal by less than one rounding, a quotient of two by less than two; and one for the sum.
constexpr double roundings = 4;

// Returns the sum as a fraction, or std::nullopt if it gets too long.
std::optional<Fraction> exact_sum(std::span<const CountedQuotient> terms) {
  Fraction sum{0, 1};
  for (const CountedQuotient& term : terms) {
    Fraction one = fraction_of(term.quotient);
    one.numerator *= term.count;
    if (one.denominator == sum.denominator) {
      sum.numerator += one.numerator;
      continue;
    }
    sum.numerator = sum.numerator * one.denominator + one.numerator * sum.denominator;
    sum.denominator *= one.denominator;
    const Integer common = gcd(sum.numerator, sum.denominator);
    sum.numerator /= common;
    sum.denominator /= common;
    if (msb(sum.denominator) > most_bits) return std::nullopt;
  }
  return sum;
}

bool equal(const Fraction& a, const Fraction& b) { return a.numerator * b.denominator == b.numerator * a.denominator; }

}  // namespace
}  // namespace decimal_arithmetic_file

namespace decimal_arithmetic_file {
namespace {

long double about(std::span<const CountedQuotient> terms) {
  long double sum = 0;
  for (const CountedQuotient& term : terms) {
    sum += static_cast<long double>(term.count) * term.quotient.numerator / term.quotient.denominator;
  }
  return sum;
}

}  // namespace
}  // namespace decimal_arithmetic_file

std::optional<double> decimal_sum(std::span<const CountedQuotient> terms) {
  const auto value = static_cast<double>(decimal_arithmetic_file::about(terms));
  if (value == 0 || !std::isnormal(value)) return value == 0 ? std::optional(0.0) : std::nullopt;
  const auto sum = decimal_arithmetic_file::exact_sum(terms);
  if (!sum) return std::nullopt;
  for (const double decimal : {decimal_arithmetic_file::nearest_short_decimal(value), value}) {
    if (decimal_arithmetic_file::equal(*sum, decimal_arithmetic_file::fraction_of({decimal, 1}))) return decimal;
  }
  return std::nullopt;
}

Bounded decimal_sum_interval(std::span<const CountedQuotient> terms) {
  if (const auto decimal = decimal_sum(terms)) return {*decimal, 0};
  const auto value = static_cast<double>(decimal_arithmetic_file::about(terms));
  if (std::isinf(value)) return {value, 0};
  // The running sum is rounded in extended precision, a few times for each term.
  const double running = 4 * static_cast<double>(terms.size()) * 0x1p-64;
  // Below the normal range a rounding error is not relative to the sum.
  const double coarse = std::isnormal(value) ? 0 : std::numeric_limits<double>::denorm_min();
  return {value, (decimal_arithmetic_file::roundings * unit_roundoff + running) * value + coarse};
}

Bounded decimal_quotient(const Quotient& quotient) {
  const CountedQuotient once{quotient};
  return decimal_sum_interval({&once, 1});
}

// If the factor is whole, as group sizes are, the product is a sum of that many equal terms.
double decimal_product_up(double value, double factor) {
  constexpr double most = 0x1p53;
  if (!(factor >= 1 && factor <= most && factor == std::floor(factor)) || !std::isfinite(value)) {
    return product_up(value, factor);
  }
  const CountedQuotient times{{value, 1}, static_cast<std::int64_t>(factor)};
  return decimal_sum({&times, 1}).value_or(product_up(value, factor));
}

bool is_decimal_product(double product, double value, double factor) {
  for (const double number : {product, value, factor}) {
    if (!(number >= 0) || std::isinf(number)) return product == value * factor;  // infinite parameters, never rounded
  }
  const decimal_arithmetic_file::Fraction a = decimal_arithmetic_file::fraction_of({product, 1}),
                                          b = decimal_arithmetic_file::fraction_of({value, 1}),
                                          c = decimal_arithmetic_file::fraction_of({factor, 1});
  return decimal_arithmetic_file::equal(a, {b.numerator * c.numerator, b.denominator * c.denominator});
}

}  // namespace renyi::numerics
