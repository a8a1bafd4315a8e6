#include "apps/cli/flags/axis_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "apps/cli/flags/written_number.h"
#include "renyi/error.h"

namespace renyi::cli {

using api::Document;

namespace axis_values_file {
namespace {

constexpr std::size_t most_values = 1'000'000;  // as many as a grid may have

// An exact decimal: digits * 10^power.
struct Decimal {
  std::int64_t digits = 0;
  int power = 0;
};

// Returns std::nullopt if the text is no decimal, or has too many digits for exact steps.
std::optional<Decimal> read_decimal(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  const auto parts = decimal_parts(text.substr(is_negative ? 1 : 0));
  if (!parts) return std::nullopt;
  Decimal found{.power = static_cast<int>(parts->power)};
  const char* const end = parts->digits.data() + parts->digits.size();
  if (std::from_chars(parts->digits.data(), end, found.digits).ec != std::errc()) return std::nullopt;
  if (is_negative) found.digits = -found.digits;
  return found;
}

// Returns the same number with a smaller power, if it has few enough digits.
std::optional<Decimal> with_power(Decimal number, int power) {
  for (; number.digits != 0 && number.power > power; --number.power) {
    if (__builtin_mul_overflow(number.digits, std::int64_t{10}, &number.digits)) return std::nullopt;
  }
  return Decimal{number.digits, power};
}

std::string text_of(const Decimal& number) { return fmt::format("{}e{}", number.digits, number.power); }

class Reader {
 public:
  Reader(std::string_view flag, AxisNumbers numbers) : flag_(flag), numbers_(numbers) {}

  void add_item(std::string_view item) {
    const auto first_colon = item.find(':');
    if (first_colon == std::string_view::npos) return add(item, item);
    const auto second_colon = item.find(':', first_colon + 1);
    if (second_colon == std::string_view::npos) refuse(item, "a range first:last:step or first:last:xRATIO");
    const std::string_view step = item.substr(second_colon + 1);
    const bool by_ratio = step.starts_with('x');
    add_range(item, item.substr(0, first_colon), item.substr(first_colon + 1, second_colon - first_colon - 1),
              by_ratio ? step.substr(1) : step, by_ratio);
  }
  std::vector<Document> values() && { return std::move(values_); }

 private:
  [[noreturn]] void refuse(std::string_view text, std::string allowed) const {
    throw InvalidArgument(std::string(flag_), fmt::format("\"{}\"", text), std::move(allowed));
  }

  // `item` is what the user typed.
  void add(std::string_view number, std::string_view item) {
    if (values_.size() == most_values) refuse(item, fmt::format("at most {} values", most_values));
    try {
      values_.push_back(numbers_ == AxisNumbers::real ? Document(read_number(flag_, number))
                                                      : Document(read_integer(flag_, number)));
    } catch (const InvalidArgument& error) {
      refuse(item, error.allowed());
    }
  }

  void add_range(std::string_view item, std::string_view first, std::string_view last, std::string_view step,
                 bool by_ratio) {
    const auto from = read_decimal(first), to = read_decimal(last), by = read_decimal(step);
    if (!from || !to || !by) refuse(item, "a range of decimal numbers of at most 18 digits, such as 0.8:4:0.1");
    by_ratio ? add_ratios(item, *from, *to, *by) : add_steps(item, *from, *to, *by);
  }

  void add_steps(std::string_view item, const Decimal& first, const Decimal& last, const Decimal& step) {
    const int power = std::min({first.power, last.power, step.power});
    const auto from = with_power(first, power), to = with_power(last, power), by = with_power(step, power);
    if (!from || !to || !by) refuse(item, "a range whose numbers have at most 18 digits together");
    if (by->digits <= 0) refuse(item, "a step above 0");
    if (to->digits < from->digits) refuse(item, "a last value of at least the first one");
    for (Decimal at = *from; at.digits <= to->digits;) {
      add(text_of(at), item);
      if (__builtin_add_overflow(at.digits, by->digits, &at.digits)) break;
    }
  }

  // Values are compared as doubles: the last one is included if a power of the ratio leads there.
  void add_ratios(std::string_view item, const Decimal& first, const Decimal& last, const Decimal& ratio) {
    const double by = read_number(flag_, text_of(ratio)), end = read_number(flag_, text_of(last));
    if (!(by > 1)) refuse(item, "a ratio above 1");
    if (first.digits <= 0) refuse(item, "a first value above 0");
    if (end < read_number(flag_, text_of(first))) refuse(item, "a last value of at least the first one");
    for (Decimal at = first; read_number(flag_, text_of(at)) <= end;) {
      add(text_of(at), item);
      Decimal factor = ratio;
      for (; factor.digits % 10 == 0; ++factor.power) factor.digits /= 10;
      at.power += factor.power;
      if (__builtin_mul_overflow(at.digits, factor.digits, &at.digits)) {
        refuse(item, "a range whose values have at most 18 digits");
      }
    }
  }

  std::string_view flag_;
  AxisNumbers numbers_;
  std::vector<Document> values_{};
};

std::vector<std::string_view> items_of(std::string_view text) {
  std::vector<std::string_view> items;
  for (std::size_t from = 0; from <= text.size();) {
    const auto comma = std::min(text.find(',', from), text.size());
    items.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return items;
}

Document axis(std::vector<Document> values) {
  Document result;
  result.set("values", Document::list(std::move(values)));
  return result;
}

}  // namespace
}  // namespace axis_values_file

Document axis_of_numbers(std::string_view flag, std::string_view text, AxisNumbers numbers) {
  axis_values_file::Reader reader(flag, numbers);
  for (const std::string_view item : axis_values_file::items_of(text)) reader.add_item(item);
  std::vector<Document> values = std::move(reader).values();
  const bool is_one = text.find_first_of(",:") == std::string_view::npos;
  return is_one ? std::move(values.front()) : axis_values_file::axis(std::move(values));
}

Document axis_of_words(std::string_view text) {
  std::vector<Document> words;
  for (const std::string_view item : axis_values_file::items_of(text)) words.emplace_back(std::string(item));
  return words.size() == 1 ? std::move(words.front()) : axis_values_file::axis(std::move(words));
}

}  // namespace renyi::cli
