// Bytes that are no text, as hexadecimal digits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace renyi::api {

// Returns the bytes of digits of both cases; nothing if they are no digits of bytes.
inline std::optional<std::string> bytes_of(std::string_view digits) {
  constexpr std::string_view known = "0123456789abcdefABCDEF";
  constexpr std::size_t base = 16;
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    std::size_t byte = 0;
    for (const char digit : digits.substr(i, 2)) {
      const std::size_t found = known.find(digit);
      if (found == std::string_view::npos) return std::nullopt;
      byte = base * byte + (found < base ? found : found - 6);
    }
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

inline std::string digits_of(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    const auto number = static_cast<unsigned char>(byte);
    text += digits[number >> 4U];
    text += digits[number & 15U];
  }
  return text;
}

}  // namespace renyi::api
