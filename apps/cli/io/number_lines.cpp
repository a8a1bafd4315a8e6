#include "apps/cli/io/number_lines.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>
#include <system_error>

#include "api/number_text.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace number_lines_file {
namespace {

constexpr std::size_t longest_line = 4096;

// Removes blanks, the first half of a Windows line break, and a plus sign, which std::from_chars does not know.
std::string_view number_part(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = line.find_first_not_of(blanks);
  if (first == std::string_view::npos) return "";
  line = line.substr(first, line.find_last_not_of(blanks) - first + 1);
  if (line.size() > 1 && line[0] == '+' && line[1] != '-') line.remove_prefix(1);
  return line;
}

template <class Number>
std::vector<Number> read_lines(Input& input, std::optional<Number> (*parse)(std::string_view), const char* allowed) {
  std::vector<Number> numbers;
  while (const auto line = input.next_line(longest_line)) {
    const auto number = line->too_long ? std::nullopt : parse(line->text);
    if (!number) {
      throw InvalidArgument(fmt::format("{}: line {}", input.name(), numbers.size() + 1), "something else", allowed);
    }
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace
}  // namespace number_lines_file

std::optional<double> real_in_line(std::string_view line) {
  const std::string text(number_lines_file::number_part(line));
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  // The form is right, but the number is too large or too small: infinity or 0.
  return error == std::errc::result_out_of_range ? api::number_of(text) : value;
}

std::optional<std::int64_t> whole_in_line(std::string_view line) {
  using Limits = std::numeric_limits<std::int64_t>;
  const std::string_view text = number_lines_file::number_part(line);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end == text.data() + text.size() && error == std::errc()) return value;
  // A whole number in another form, such as 1e3 or 4.0. Below 2^53 a double is the number that was written.
  const std::optional<double> real = real_in_line(line);
  if (!real) return std::nullopt;
  if (std::isnan(*real)) return 0;
  if (std::abs(*real) >= 0x1p63) return *real < 0 ? Limits::min() : Limits::max();
  if (std::abs(*real) >= 0x1p53 || *real != std::floor(*real)) return std::nullopt;
  return static_cast<std::int64_t>(*real);
}

std::vector<double> read_reals(Input& input) {
  return number_lines_file::read_lines(input, real_in_line, "one number a line, such as 1.5, -2e3, nan or inf");
}

std::vector<std::int64_t> read_whole_numbers(Input& input) {
  return number_lines_file::read_lines(input, whole_in_line,
                                       "one whole number a line, such as 17, -4, 1e3, nan or inf");
}

}  // namespace renyi::cli
