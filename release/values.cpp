#include "release/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>

namespace renyi::release {
namespace values_file {
namespace {

using noise::ExactNumber;
constexpr std::string_view largest = "1.7976931348623157e308";

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_same(const ExactNumber& a, const ExactNumber& b) {
  return a.is_negative() == b.is_negative() && a.numerator() == b.numerator() && a.exponent() == b.exponent();
}

bool is_number_character(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// Whether a number that no double holds is too large, and not too small: its digits reach beyond the point. strtod
// would say so as well, but reads the decimal point of the locale.
bool is_large(const ExactNumber& number) {
  const std::string& text = number.exponent();
  std::int64_t exponent = 0;
  const auto error = std::from_chars(text.data(), text.data() + text.size(), exponent).ec;
  if (error == std::errc::result_out_of_range) return !text.starts_with('-');
  return exponent + static_cast<std::int64_t>(number.numerator().size()) > 0;
}

// Returns the number itself, unless it is too large for a double.
std::string readable(std::string_view number) {
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc::result_out_of_range || end != number.data() + number.size()) return std::string(number);
  const auto exact = ExactNumber::parse(number);
  if (!exact || !is_large(*exact)) return std::string(number);
  return (exact->is_negative() ? "-" : "") + std::string(largest);
}

// Appends the string that begins at `from`, quotes included, and returns where it ends.
std::size_t copy_string(std::string_view text, std::size_t from, std::string& out) {
  std::size_t end = from + 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  end = std::min(end + 1, text.size());
  out += text.substr(from, end - from);
  return end;
}

}  // namespace
}  // namespace values_file

std::optional<noise::ExactNumber> value_of(std::string_view text) {
  return noise::ExactNumber::parse(values_file::without_blanks(text));
}

std::optional<noise::ExactNumber> value_in(const json::Json& value) {
  if (value.is_binary()) {
    const auto& text = value.get_binary();
    return noise::ExactNumber::parse(std::string(text.begin(), text.end()));
  }
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  return text.find('/') == std::string::npos ? std::nullopt : noise::ExactNumber::parse(text);
}

double amount_of(std::string_view text) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double near = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), near);
  if (end != text.data() + text.size() || error != std::errc() || !std::isfinite(near)) return std::nan("");
  const auto written = noise::ExactNumber::parse(text), meant = noise::ExactNumber::parse(fmt::format("{}", near));
  return written && meant && values_file::is_same(*written, *meant) ? near : std::nextafter(near, infinity);
}

std::string with_readable_numbers(std::string_view text) {
  namespace file = values_file;
  constexpr std::string_view nan = "NaN", infinite = "Infinity";
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (text[i] == '"') {
      i = file::copy_string(text, i, out);
    } else if (rest.starts_with(nan)) {
      out += '0';
      i += nan.size();
    } else if (rest.starts_with(infinite)) {  // a sign before it is copied already
      out += file::largest;
      i += infinite.size();
    } else if ((text[i] >= '0' && text[i] <= '9') || (text[i] == '-' && !rest.substr(1).starts_with(infinite))) {
      std::size_t end = i;
      while (end < text.size() && file::is_number_character(text[end])) ++end;
      out += file::readable(text.substr(i, end - i));
      i = end;
    } else {
      out += text[i++];
    }
  }
  return out;
}

}  // namespace renyi::release
