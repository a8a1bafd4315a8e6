#include "apps/cli/plot/text.h"

#include <algorithm>
#include <cstdint>

namespace renyi::cli::plot {
namespace text_file {
namespace {

constexpr unsigned char first_continuation = 0x80;

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

bool is_continuation(unsigned char byte) { return (byte & 0xC0U) == first_continuation; }

// Returns the number of bytes of the character that starts with this byte; 0 if none starts with it.
std::size_t length_by_first_byte(unsigned char byte) {
  if (byte < first_continuation) return 1;
  if (byte >= 0xC2 && byte <= 0xDF) return 2;
  if (byte >= 0xE0 && byte <= 0xEF) return 3;
  return byte >= 0xF0 && byte <= 0xF4 ? 4 : 0;
}

std::uint32_t code_point(std::string_view character) {
  std::uint32_t code = byte_at(character, 0);
  if (character.size() > 1) code &= 0x7FU >> character.size();
  for (std::size_t i = 1; i < character.size(); ++i) code = (code << 6U) | (byte_at(character, i) & 0x3FU);
  return code;
}

// Refuses control characters of both blocks, line and paragraph separators, overlong forms, surrogates, and codes
// beyond Unicode.
bool is_drawable(std::uint32_t code, std::size_t length) {
  constexpr std::uint32_t minimum_of[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029) return false;
  if (code >= 0xD800 && code <= 0xDFFF) return false;
  if (code == 0xFFFE || code == 0xFFFF) return false;  // not allowed in XML
  return code >= minimum_of[length] && code <= 0x10FFFF;
}

// Returns the number of bytes of the drawable character at the front; 0 if there is none.
std::size_t drawable_length(std::string_view text) {
  const std::size_t length = length_by_first_byte(byte_at(text, 0));
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(byte_at(text, i))) return 0;
  }
  return is_drawable(code_point(text.substr(0, length)), length) ? length : 0;
}

// Returns where to cut text that would be cut at `end`, within or directly after a number: a number without its last
// digits looks like another one, and a bound like a smaller one. The whole phrase is removed, or the word, or the
// digits.
std::size_t before_a_number(std::string_view text, std::size_t end) {
  const std::string_view kept = text.substr(0, end);
  const std::size_t number = kept.find_last_not_of("0123456789.eE+-") + 1;  // npos + 1 is 0: no other character
  if (kept.find_first_of("0123456789", number) == std::string_view::npos) return end;
  for (const std::string_view separator : {", ", "; ", ": ", " "}) {
    if (const std::size_t at = kept.rfind(separator); at != std::string_view::npos) return at + separator.size();
  }
  return number;
}

}  // namespace
}  // namespace text_file

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = text_file::drawable_length(text);
    result += length == 0 ? "?" : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t width) {
  std::string whole = printable(text);
  std::size_t characters = 0, end = 0;
  constexpr std::string_view dots = "...";
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (text_file::is_continuation(text_file::byte_at(whole, i))) continue;
    if (characters + dots.size() == width) end = i;
    ++characters;
  }
  return characters <= width ? whole : whole.substr(0, text_file::before_a_number(whole, end)) + std::string(dots);
}

}  // namespace renyi::cli::plot
