#include "release/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>

namespace renyi::release {
namespace values_file {
namespace {

using Whole = std::numeric_limits<std::int64_t>;
constexpr std::string_view largest = "1.7976931348623157e308";

// Removes blanks, and a plus sign, which std::from_chars does not know.
std::string_view number_part(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return "";
  text = text.substr(first, text.find_last_not_of(blanks) - first + 1);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

bool is_number_character(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// Returns the number itself, unless no double other than 0 and infinity is near it.
std::string readable(std::string_view number) {
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc::result_out_of_range || end != number.data() + number.size()) return std::string(number);
  const double near = std::strtod(std::string(number).c_str(), nullptr);
  if (std::abs(near) < 1) return "0";
  return (near < 0 ? "-" : "") + std::string(largest);
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

// The difference is exact, so that halves are always rounded up.
std::int64_t nearest_whole(double value) {
  if (std::isnan(value)) return 0;
  const double below = std::floor(value), rounded = value - below >= 0.5 ? below + 1 : below;
  if (rounded >= 0x1p63) return values_file::Whole::max();
  return rounded < -0x1p63 ? values_file::Whole::min() : static_cast<std::int64_t>(rounded);
}

Values integer_values(std::vector<double> reals, std::vector<std::int64_t> wholes) {
  for (std::size_t i = 0; i < reals.size(); ++i) {
    const double limit = std::clamp(reals[i], -0x1p63, 0x1p63);
    if (!std::isnan(reals[i]) && static_cast<double>(wholes[i]) != limit) return reals;
  }
  return wholes;
}

std::optional<double> real_value(std::string_view text) {
  const std::string part(values_file::number_part(text));
  double value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (end != part.data() + part.size() || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc::result_out_of_range ? std::strtod(part.c_str(), nullptr) : value;
}

std::optional<std::int64_t> whole_value(std::string_view text) {
  const std::string_view part = values_file::number_part(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (end == part.data() + part.size() && error == std::errc()) return value;
  const std::optional<double> real = real_value(text);
  return real ? std::optional(nearest_whole(*real)) : std::nullopt;
}

std::optional<double> real_of(const json::Json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::optional<std::int64_t> whole_of(const json::Json& value) {
  using values_file::Whole;
  if (!value.is_number()) return std::nullopt;
  if (value.is_number_float()) return nearest_whole(value.get<double>());
  if (!value.is_number_unsigned()) return value.get<std::int64_t>();
  const auto large = value.get<std::uint64_t>();
  return large > static_cast<std::uint64_t>(Whole::max()) ? Whole::max() : static_cast<std::int64_t>(large);
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
