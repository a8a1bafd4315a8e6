// Numbers as they are written, of which nothing is rounded, and noise on them.
//
//     const auto income = renyi::noise::ExactNumber::parse("4611686018427388404.5");
//     std::vector<double> out(1);
//     renyi::noise::laplace({&*income, 1}, out, 50, {.grid = 0.5});
//
// A double holds 53 bits: a sum of 2^62 moves by up to 512 when it is read, and one person by that much more. Exact
// numbers that are d apart have noise whose centres are d apart (docs/math/noise.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "renyi/noise.h"

namespace renyi::noise {

class ExactNumber {
 public:
  ExactNumber() = default;  // 0
  // Exactly this number. NaN counts as 0; infinities are beyond every range.
  explicit ExactNumber(double value);
  explicit ExactNumber(std::int64_t value);
  // A decimal with or without an exponent, nan, inf, infinity, or a fraction of whole numbers such as 1/3; with or
  // without a sign, of any length. What is divided by 0 is infinite, and 0/0 is NaN. std::nullopt for other texts.
  static std::optional<ExactNumber> parse(std::string_view text);

  // The number is numerator * 10^exponent / denominator, negative or not: whole numbers in decimal digits, of which the
  // first is not 0 except in "0", nor is the numerator's last. Infinite if the denominator is 0.
  [[nodiscard]] bool is_negative() const { return is_negative_; }
  [[nodiscard]] const std::string& numerator() const { return numerator_; }
  [[nodiscard]] const std::string& denominator() const { return denominator_; }
  [[nodiscard]] const std::string& exponent() const { return exponent_; }

 private:
  bool is_negative_ = false;
  std::string numerator_ = "0";
  std::string denominator_ = "1";
  std::string exponent_ = "0";  // a whole number with or without a minus sign
};

// Returns floor(x + 1/2), halves up, in exact arithmetic; the nearest end of the 64-bit integers beyond them.
[[nodiscard]] std::int64_t nearest_whole(const ExactNumber& value);

// round(x + noise) on the grid, exactly, as for doubles (renyi/noise.h). Numbers are clamped to the range. The time in
// which they are put on the grid depends on their digits; what is drawn takes the time that it takes for doubles.
Release gaussian(std::span<const ExactNumber> values, std::span<double> out, double stddev, const OnGrid& options = {});
Release laplace(std::span<const ExactNumber> values, std::span<double> out, double scale, const OnGrid& options = {});

}  // namespace renyi::noise
