// Decimals of a table as balls: exact, and how much one unit of their last digit is.
#pragma once

#include <string>

#include "certify/ball/ball.h"

namespace renyi::test {

inline constexpr long decimal_bits = 512;

inline certify::Ball ball_of_text(const std::string& text) {
  certify::Ball value;
  arb_set_str(value.raw(), text.c_str(), decimal_bits);
  return value;
}

// 0.01 for "12.34", 1e-9 for "1.234e-6".
inline certify::Ball last_digit_of(const std::string& text) {
  const std::size_t e = text.find_first_of("eE");
  const std::string digits = text.substr(0, e);
  const std::size_t point = digits.find('.');
  long power = e == std::string::npos ? 0 : std::stol(text.substr(e + 1));
  if (point != std::string::npos) power -= static_cast<long>(digits.size() - point - 1);
  return ball_of_text("1e" + std::to_string(power));
}

}  // namespace renyi::test
