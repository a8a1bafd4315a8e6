#include "api/number_text.h"

#include <fmt/format.h>
#include <locale.h>  // NOLINT(modernize-deprecated-headers): newlocale is POSIX

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "renyi/explain.h"

namespace renyi::api {
namespace number_text_file {
namespace {

constexpr int shown_digits = 6;

// Returns true for exponents for which plain notation is easier to read.
bool reads_better_plain(int exponent) { return exponent >= -4 && exponent < 9; }

// A decimal of `shown_digits` digits: one before the point, the others after it.
struct Decimal {
  std::int64_t digits = 0;  // 100000 to 999999
  int exponent = 0;
};

constexpr std::int64_t power_of_ten(int n) { return n == 0 ? 1 : 10 * power_of_ten(n - 1); }

Decimal nearest_decimal(double value) {
  const std::string text = fmt::format("{:.{}e}", value, shown_digits - 1);
  const auto e = text.find('e');
  return {std::stoll(text.substr(0, 1) + text.substr(2, e - 2)), std::stoi(text.substr(e + 1))};
}

double value_of(const Decimal& decimal) {
  return number_of(fmt::format("{}e{}", decimal.digits, decimal.exponent - shown_digits + 1));
}

// Moves the last digit up or down by one unit, and keeps the number of digits.
Decimal moved(Decimal decimal, int by) {
  decimal.digits += by;
  if (decimal.digits == power_of_ten(shown_digits)) return {decimal.digits / 10, decimal.exponent + 1};
  if (decimal.digits < power_of_ten(shown_digits - 1)) {
    return {decimal.digits * 10 + 9, decimal.exponent - 1};
  }
  return decimal;
}

void drop_trailing_zeros(std::string& text) {
  if (text.find('.') == std::string::npos) return;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
}

// Places the decimal point among the digits; there is no arithmetic, so no rounding.
std::string positional(const Decimal& decimal) {
  std::string text = std::to_string(decimal.digits);
  const int whole = decimal.exponent + 1;  // digits before the point
  if (whole <= 0) {
    text.insert(0, "0." + std::string(static_cast<std::size_t>(-whole), '0'));
  } else if (whole < shown_digits) {
    text.insert(static_cast<std::size_t>(whole), ".");
  } else {
    text.append(static_cast<std::size_t>(whole - shown_digits), '0');
  }
  drop_trailing_zeros(text);
  return text;
}

std::string scientific(const Decimal& decimal) {
  std::string text = std::to_string(decimal.digits);
  text.insert(1, ".");
  drop_trailing_zeros(text);
  return fmt::format("{}e{}", text, decimal.exponent);
}

std::string text_of(const Decimal& decimal) {
  return reads_better_plain(decimal.exponent) ? positional(decimal) : scientific(decimal);
}

// Zero and infinity have no digits to round.
bool has_digits(double value) { return value > 0 && std::isfinite(value); }

std::string without_digits(double value) { return fmt::format("{}", value); }

// A bound of an interval that is this close to the decimal shown is shown as that decimal: 0.25, where rounding up
// would print 0.250001 for one unit in the last place (docs/math/decimal-input.md).
constexpr double next_to = 1e-12;

bool is_above(double value, double shown) { return value > shown * (1 + next_to); }
bool is_below(double value, double shown) { return value < shown * (1 - next_to); }

}  // namespace
}  // namespace number_text_file

double number_of(const std::string& text) {
  static const locale_t c_language = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(text.c_str(), nullptr, c_language);
}

std::string rounded_up(double value) {
  if (!number_text_file::has_digits(value)) return number_text_file::without_digits(value);
  const number_text_file::Decimal near = number_text_file::nearest_decimal(value);
  return number_text_file::text_of(
      number_text_file::is_above(value, number_text_file::value_of(near)) ? number_text_file::moved(near, 1) : near);
}

std::string rounded_down(double value) {
  if (!number_text_file::has_digits(value)) return number_text_file::without_digits(value);
  const number_text_file::Decimal near = number_text_file::nearest_decimal(value);
  return number_text_file::text_of(
      number_text_file::is_below(value, number_text_file::value_of(near)) ? number_text_file::moved(near, -1) : near);
}

std::string power_of_ten_above(double value) {
  if (!number_text_file::has_digits(value)) return number_text_file::without_digits(value);
  const number_text_file::Decimal near = number_text_file::nearest_decimal(value);
  const number_text_file::Decimal above =
      number_text_file::value_of(near) < value ? number_text_file::moved(near, 1) : near;
  constexpr std::int64_t one = number_text_file::power_of_ten(number_text_file::shown_digits - 1);
  return number_text_file::text_of({one, above.digits == one ? above.exponent : above.exponent + 1});
}

std::string rounded(double value) {
  return number_text_file::has_digits(value) ? number_text_file::text_of(number_text_file::nearest_decimal(value))
                                             : number_text_file::without_digits(value);
}

std::string decimal(double value) { return fmt::format("{}", value); }

std::string short_decimal(double value) {
  std::string text = decimal(value);
  const auto mark = text.find('e');
  if (mark != std::string::npos)
    text.replace(mark + 1, std::string::npos, std::to_string(std::stoi(text.substr(mark + 1))));
  return text;
}

std::string interval(double lower_end, double upper_end) {
  const std::string lower = rounded_down(lower_end), upper = rounded_up(upper_end);
  return lower == upper ? upper : fmt::format("{} to {}", lower, upper);
}

// (epsilon, delta)-DP is exactly the statement that Pr[S] <= e^epsilon Pr'[S] + delta for every event S.
std::optional<std::string> most_likely(double epsilon, double delta) {
  const double factor = largest_factor(epsilon);
  if (delta >= 1 || !std::isfinite(factor)) return std::nullopt;
  return fmt::format("{} p{}", rounded_up(factor), delta == 0 ? "" : fmt::format(" + {}", rounded_up(delta)));
}

}  // namespace renyi::api
