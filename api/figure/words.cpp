#include "api/figure/words.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "api/number_text.h"

namespace renyi::api::figure {

namespace words_file {
namespace {

constexpr std::array<std::string_view, 10> raised_digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
constexpr std::string_view raised_minus = "⁻";

// Writes "0.000125" as "1.25e-4", so that all small numbers of a figure look alike. No digit changes.
std::string with_exponent_if_small(std::string_view decimal) {
  const std::size_t first = decimal.find_first_of("123456789");
  if (!decimal.starts_with("0.000") || first == std::string_view::npos) return std::string(decimal);
  const std::string_view digits = decimal.substr(first);
  const std::string rest = digits.size() > 1 ? fmt::format(".{}", digits.substr(1)) : "";
  return fmt::format("{}{}e-{}", digits[0], rest, first - 1);
}

}  // namespace
}  // namespace words_file

std::string power_of_ten(int exponent) {
  std::string text = "10";
  for (const char c : std::to_string(exponent)) {
    text += c == '-' ? words_file::raised_minus : words_file::raised_digits.at(static_cast<std::size_t>(c - '0'));
  }
  return text;
}

std::string with_raised_exponent(std::string_view number) {
  const std::string decimal = words_file::with_exponent_if_small(number);
  const std::size_t mark = decimal.find('e');
  if (mark == std::string_view::npos) return decimal == "inf" ? "∞" : decimal;
  const std::string power = power_of_ten(std::stoi(decimal.substr(mark + 1)));
  const std::string factor = decimal.substr(0, mark);
  return factor == "1" ? power : fmt::format("{}×{}", factor, power);
}

std::string in_figure(double number) { return with_raised_exponent(rounded(number)); }

std::string in_figure_rounded_up(double number) { return with_raised_exponent(rounded_up(number)); }

}  // namespace renyi::api::figure
