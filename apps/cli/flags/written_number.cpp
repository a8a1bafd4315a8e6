#include "apps/cli/flags/written_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "apps/cli/flags/number.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace written_number_file {
namespace {

[[noreturn]] void refuse(std::string_view flag, std::string_view text, std::string allowed) {
  throw InvalidArgument(std::string(flag), fmt::format("\"{}\"", text), std::move(allowed));
}

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> decimal(std::string_view text) {
  const auto value = parsed<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Reads a whole number exactly: 1000000, 1e6, 1.5e3. Signs, 1.5 and numbers of 2^63 or more are refused.
std::optional<std::int64_t> whole(std::string_view text) {
  constexpr long most_digits = 19;
  auto parts = decimal_parts(text);
  if (!parts) return std::nullopt;
  for (; parts->power < 0 && parts->digits.ends_with('0'); ++parts->power) parts->digits.pop_back();
  if (parts->power < 0 || parts->power > most_digits) return std::nullopt;
  return parsed<std::int64_t>(parts->digits + std::string(static_cast<std::size_t>(parts->power), '0'));
}

constexpr const char* number_allowed = "a number such as 1.5, 1e-5, 1/60000 or 0.5%";

// Returns what to use for a text that looks like several numbers.
std::string hint_for_several(std::string_view text) {
  const bool several = text.find_first_of(",:") != std::string_view::npos &&
                       text.find_first_not_of("0123456789.,:eE+-/%x") == std::string_view::npos;
  return several ? "; renyi plot takes lists such as 0.8,1, and renyi sweep epsilon takes lists and ranges such as "
                   "0.8:1.2:0.2"
                 : "";
}

// Both parts of a fraction are exact doubles, so their quotient is rounded once, to nearest.
double fraction(std::string_view flag, std::string_view text, std::size_t bar) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  const auto above = whole(text.substr(0, bar)), below = whole(text.substr(bar + 1));
  if (!above || !below || *above > most || *below > most) {
    refuse(flag, text, "a fraction of two whole numbers of at most 2^53, such as 1/60000");
  }
  if (*below == 0) refuse(flag, text, "a fraction whose denominator is not 0");
  return static_cast<double>(*above) / static_cast<double>(*below);
}

// Moves the point by two places before the decimal is read, so that 0.5% is the double nearest to 0.005.
std::optional<double> percentage(std::string_view text) {
  const auto parts = decimal_parts(text);
  return parts ? decimal(fmt::format("{}e{}", parts->digits, parts->power - 2)) : std::nullopt;
}

// Reads 2^-10. Every such power in the range of the doubles is one of them.
double power_of_two(std::string_view flag, std::string_view text) {
  constexpr int least = -1074, most = 1023;
  const auto power = parsed<int>(text.substr(2));
  if (!text.starts_with("2^") || !power || *power < least || *power > most) {
    refuse(flag, text, fmt::format("a power of two from 2^{} to 2^{}, such as 2^-10", least, most));
  }
  return std::ldexp(1.0, *power);
}

bool is_power(std::string_view text) { return text.find('^', 1) != std::string_view::npos; }
bool is_fraction(std::string_view text) { return text.find('/') != std::string_view::npos; }
bool is_percentage(std::string_view text) { return text.ends_with('%'); }

// Returns what was understood of one number, if that is not obvious.
std::optional<std::string> understood(const FlagText& flag, std::string_view text) {
  if (flag.whole) {
    const auto value = whole(text);
    return value && !all_digits(text) ? std::optional(std::to_string(*value)) : std::nullopt;
  }
  if (is_power(text)) return api::short_decimal(read_number(flag.name, text));  // all digits: it is exact
  if (!is_fraction(text) && !is_percentage(text)) return std::nullopt;
  return rounded(read_number(flag.name, text));
}

bool takes_numbers(const FlagText& flag) {
  return flag.name.starts_with("--") && !flag.value.empty() && flag.value != "FILE" && flag.value != "TEXT" &&
         flag.value.find('|') == std::string::npos;
}

// Lists have several numbers, and --set gives each a name: "scale=1/3,epsilon=0.1".
void add_understood(std::vector<std::string>& lines, const FlagText& flag, const std::string& text) {
  std::istringstream list(text);
  for (std::string item; std::getline(list, item, ',');) {
    const auto sign = item.find('=');
    const std::string name = sign == std::string::npos ? "" : item.substr(0, sign) + " ";
    const std::string number = sign == std::string::npos ? item : item.substr(sign + 1);
    try {
      if (const auto value = understood(flag, number)) {
        lines.push_back(fmt::format("{} {}{} = {}", flag.name, name, number, *value));
      }
    } catch (const InvalidArgument&) {
      // The command refuses it when it reads the flag, with all that it knows about it.
    }
  }
}

}  // namespace
}  // namespace written_number_file

std::optional<DecimalParts> decimal_parts(std::string_view text) {
  constexpr long largest_power = 1000;
  DecimalParts parts;
  const auto mark = std::min(text.find_first_of("eE"), text.size());
  if (mark < text.size()) {
    std::string_view exponent = text.substr(mark + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    const auto power = written_number_file::parsed<long>(exponent);
    if (!power || *power < -largest_power || *power > largest_power) return std::nullopt;
    parts.power = *power;
  }
  parts.digits = text.substr(0, mark);
  if (const auto point = parts.digits.find('.'); point != std::string::npos) {
    parts.power -= static_cast<long>(parts.digits.size() - point - 1);
    parts.digits.erase(point, 1);
  }
  return written_number_file::all_digits(parts.digits) ? std::optional(parts) : std::nullopt;
}

double read_number(std::string_view flag, std::string_view text) {
  if (written_number_file::is_power(text)) return written_number_file::power_of_two(flag, text);
  if (const auto bar = text.find('/'); bar != std::string_view::npos)
    return written_number_file::fraction(flag, text, bar);
  const auto value = written_number_file::is_percentage(text)
                         ? written_number_file::percentage(text.substr(0, text.size() - 1))
                         : written_number_file::decimal(text);
  if (!value) {
    written_number_file::refuse(flag, text,
                                written_number_file::number_allowed + written_number_file::hint_for_several(text));
  }
  return *value;
}

std::int64_t read_integer(std::string_view flag, std::string_view text, std::int64_t most) {
  const auto value = written_number_file::whole(text);
  if (!value || *value < 1 || *value > most) {
    constexpr std::int64_t million = 1'000'000;
    written_number_file::refuse(
        flag, text,
        fmt::format("a whole number from 1 to {}{}{}", most, most < million ? "" : ", such as 250 or 1e6",
                    written_number_file::hint_for_several(text)));
  }
  return *value;
}

std::vector<std::string> understood_numbers(const std::vector<FlagText>& texts, const Flags& flags) {
  std::vector<std::string> lines;
  for (const FlagText& flag : texts) {
    const auto text = flags.text(flag.name);
    if (text && written_number_file::takes_numbers(flag)) written_number_file::add_understood(lines, flag, *text);
  }
  return lines;
}

}  // namespace renyi::cli
