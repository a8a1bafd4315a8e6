// How wide text is, by a table of the widths of characters, and where lines are broken.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/plot/text.h"

namespace renyi::cli::plot {
namespace text_width_file {
namespace {

// Advance widths in hundredths of the font's size, rounded up: of the characters from the blank to '~'.
constexpr char32_t first_in_table = U' ';
constexpr std::array<std::uint8_t, 95> ascii_widths{
    32, 41, 46, 84, 64, 96, 78, 28, 40,  40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69,  62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84};

// Other characters by their block: superscripts, small Greek and accented Latin letters; symbols; and the characters of
// Chinese, Japanese and Korean, which are as wide as high.
int width_of(char32_t code) {
  if (code >= first_in_table && code < first_in_table + ascii_widths.size()) return ascii_widths[code - first_in_table];
  if (code == U'²' || code == U'³' || code == U'¹') return 41;
  if (code >= 0x2070 && code <= 0x209F) return code == U'⁻' ? 53 : 41;
  if (code >= 0x3B1 && code <= 0x3C9) return 84;
  if (code < 0x100) return 84;
  return code < 0x2000 ? 80 : 100;
}

// Returns the first character of UTF-8 text, which is removed. The text is printable.
char32_t take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  text.remove_prefix(1);
  if (first < 0x80) return first;
  char32_t code = first >= 0xF0 ? first & 0x07U : first >= 0xE0 ? first & 0x0FU : first & 0x1FU;
  while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0U) == 0x80U) {
    code = (code << 6U) | (static_cast<unsigned char>(text.front()) & 0x3FU);
    text.remove_prefix(1);
  }
  return code;
}

// Cuts text at the largest number of characters whose width is allowed.
std::string cut(const std::string& text, double size, double width) {
  std::size_t length = length_of(text);
  while (length > 3 && text_width(shortened(text, length), size) > width) --length;
  return shortened(text, length);
}

bool joins(std::string_view word) { return word == "=" || word == "≤" || word == "×"; }

// Splits at blanks, but not within "ε = 1.5".
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  bool joined = false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!words.empty() && (joined || joins(word))) {
      words.back() += ' ' + word;
    } else {
      words.push_back(word);
    }
    joined = joins(word);
    begin = end + 1;
  }
  return words;
}

}  // namespace
}  // namespace text_width_file

std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

double text_width(std::string_view text, double size) {
  const std::string whole = printable(text);
  int hundredths = 0;
  for (std::string_view rest = whole; !rest.empty();) {
    hundredths += text_width_file::width_of(text_width_file::take_character(rest));
  }
  return size * hundredths / 100;
}

std::vector<std::string> lines_of(std::string_view text, double size, double width, std::size_t most) {
  std::vector<std::string> lines;
  for (const std::string& word : text_width_file::words_of(printable(text))) {
    const std::string longer = lines.empty() ? word : lines.back() + ' ' + word;
    const bool is_last = lines.size() == most;
    if (!lines.empty() && (is_last || text_width(longer, size) <= width)) {
      lines.back() = longer;
    } else {
      lines.push_back(word);
    }
  }
  for (std::string& line : lines) line = text_width_file::cut(line, size, width);
  return lines;
}

}  // namespace renyi::cli::plot
