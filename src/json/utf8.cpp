#include "json/utf8.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace renyi::json {

namespace utf8_file {
namespace {

constexpr char32_t largest_code_point = 0x10FFFF;

// The lead bytes of UTF-8 by the number of bytes that follow, and the smallest code point that needs so many.
struct Lead {
  unsigned mask;
  unsigned bits;
  int following;
  char32_t smallest;
};
constexpr std::array<Lead, 4> leads{
    {{0x80, 0x00, 0, 0}, {0xE0, 0xC0, 1, 0x80}, {0xF0, 0xE0, 2, 0x800}, {0xF8, 0xF0, 3, 0x10000}}};

bool is_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

// Takes the first character from the text; returns std::nullopt if it is not UTF-8.
std::optional<char32_t> take_character(std::string_view& text) {
  const unsigned first = static_cast<unsigned char>(text.front());
  const auto* lead =
      std::find_if(leads.begin(), leads.end(), [&](const Lead& l) { return (first & l.mask) == l.bits; });
  if (lead == leads.end() || text.size() <= static_cast<std::size_t>(lead->following)) return std::nullopt;
  char32_t c = first & ~lead->mask;
  for (int i = 1; i <= lead->following; ++i) {
    const unsigned next = static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
    if ((next & 0xC0U) != 0x80U) return std::nullopt;
    c = (c << 6U) | (next & 0x3FU);
  }
  if (c < lead->smallest || c > largest_code_point || is_surrogate(c)) return std::nullopt;
  text.remove_prefix(1 + static_cast<std::size_t>(lead->following));
  return c;
}

// The characters of Unicode's category Cc.
bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c <= 0x9F); }

}  // namespace
}  // namespace utf8_file

bool is_text(std::string_view text, std::string_view allowed_controls) {
  while (!text.empty()) {
    const auto c = utf8_file::take_character(text);
    if (!c) return false;
    if (!utf8_file::is_control(*c)) continue;
    if (*c > 0x7F || allowed_controls.find(static_cast<char>(*c)) == std::string_view::npos) return false;
  }
  return true;
}

}  // namespace renyi::json
