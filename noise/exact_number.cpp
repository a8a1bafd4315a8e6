// Reads exact numbers as text. Nothing is computed here but exponents, so that no length is too great.
#include "renyi/exact_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace renyi::noise {
namespace exact_number_file {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool takes(std::string_view& text, std::string_view prefix) {
  const auto same = [](char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && a - 'A' + 'a' == b); };
  if (text.size() < prefix.size() || !std::equal(prefix.begin(), prefix.end(), text.begin(),
                                                 [&](char wanted, char given) { return same(given, wanted); })) {
    return false;
  }
  text.remove_prefix(prefix.size());
  return true;
}

// Takes a sign and returns whether it is a minus.
bool take_sign(std::string_view& text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  return is_negative;
}

bool is_whole(std::string_view text) { return std::all_of(text.begin(), text.end(), is_digit); }

std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const auto digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

std::string without_zeros(std::string digits) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return digits;
}

// A written exponent plus a count of digits. The exponent may be longer than any integer type: then its last 18 digits
// take the count, and carry.
std::string moved(bool is_negative, std::string digits, std::int64_t by) {
  constexpr std::size_t length = 18;
  constexpr std::int64_t modulus = 1'000'000'000'000'000'000;
  if (digits.size() <= length) {
    const std::int64_t value = std::stoll(digits);
    return std::to_string((is_negative ? -value : value) + by);
  }
  std::int64_t low = std::stoll(digits.substr(digits.size() - length)) + (is_negative ? -by : by);
  const std::int64_t carry = low >= modulus ? 1 : low < 0 ? -1 : 0;
  low -= carry * modulus;
  for (std::size_t i = digits.size() - length; carry != 0 && i-- > 0;) {
    const bool goes_on = digits[i] == (carry > 0 ? '9' : '0');
    digits[i] = goes_on ? (carry > 0 ? '0' : '9') : static_cast<char>(digits[i] + carry);
    if (!goes_on) break;
    if (i == 0) digits.insert(0, 1, '1');  // only after 9...9: the first digit is not 0
  }
  std::string tail = std::to_string(low);
  tail.insert(0, length - tail.size(), '0');
  return (is_negative ? "-" : "") + digits.substr(0, digits.size() - length) + tail;
}

struct Decimal {
  std::string digits;
  std::int64_t point = 0;  // so many of them stand behind the point; below 0, so many zeros follow them
  bool has_negative_exponent = false;
  std::string exponent = "0";
};

std::optional<Decimal> take_decimal(std::string_view& text) {
  Decimal decimal;
  decimal.digits = take_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::string_view behind = take_digits(text);
    decimal.digits += behind;
    decimal.point = static_cast<std::int64_t>(behind.size());
  }
  if (decimal.digits.empty()) return std::nullopt;
  if (takes(text, "e")) {
    decimal.has_negative_exponent = take_sign(text);
    const std::string_view digits = take_digits(text);
    if (digits.empty()) return std::nullopt;
    decimal.exponent = without_zeros(std::string(digits));
  }
  decimal.digits = without_zeros(std::move(decimal.digits));
  // The same number has the same digits, however it is written: 1.50 and 15e-1.
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0') {
    decimal.digits.pop_back();
    --decimal.point;
  }
  if (decimal.digits == "0") decimal = {.digits = "0"};
  return decimal;
}

}  // namespace
}  // namespace exact_number_file

std::optional<ExactNumber> ExactNumber::parse(std::string_view text) {
  namespace file = exact_number_file;
  ExactNumber number;
  number.is_negative_ = file::take_sign(text);
  if (file::takes(text, "nan")) return text.empty() ? std::optional(ExactNumber()) : std::nullopt;
  if (file::takes(text, "inf")) {
    (void)file::takes(text, "inity");
    number.numerator_ = "1";
    number.denominator_ = "0";
    return text.empty() ? std::optional(number) : std::nullopt;
  }
  const bool is_whole = file::is_whole(text.substr(0, text.find('/')));
  std::optional<file::Decimal> above = file::take_decimal(text);
  if (!above) return std::nullopt;
  number.numerator_ = std::move(above->digits);
  if (text.empty()) {
    number.exponent_ = file::moved(above->has_negative_exponent, std::move(above->exponent), -above->point);
    return number;
  }
  if (!text.starts_with('/')) return std::nullopt;
  text.remove_prefix(1);
  // Fractions are those of whole numbers, which is what programs write.
  const std::string_view below = file::take_digits(text);
  if (below.empty() || !text.empty() || !is_whole) return std::nullopt;
  number.exponent_ = std::to_string(-above->point);
  number.denominator_ = file::without_zeros(std::string(below));
  if (number.numerator_ == "0") number.denominator_ = "1";
  return number;
}

ExactNumber::ExactNumber(std::int64_t value)
    : is_negative_(value < 0), numerator_(std::to_string(value).substr(value < 0 ? 1 : 0)) {}

// Every finite double has at most 767 digits.
ExactNumber::ExactNumber(double value) {
  constexpr int all_digits = 766;
  if (std::isnan(value)) return;
  std::array<char, 800> text{};
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, all_digits);
  std::string_view written(text.data(), static_cast<std::size_t>(end - text.data()));
  if (!std::isfinite(value)) {
    *this = *parse(written);
    return;
  }
  // 1.2300e+05 has no need of its zeros.
  const std::size_t exponent = written.find('e');
  std::string digits(written.substr(0, exponent));
  digits.erase(digits.find_last_not_of('0') + 1);
  *this = *parse(digits.append(written.substr(exponent)));
}

}  // namespace renyi::noise
