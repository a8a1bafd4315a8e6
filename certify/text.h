// Formats numbers in messages as the shortest decimal that reads back to the same number.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace renyi::certify {

inline std::string text_of(double number) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return {buffer.data(), end};
}

}  // namespace renyi::certify
