#include "api/sweep/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/show.h"

namespace renyi::api::sweep {
namespace {

using json::Field;
using json::Json;

constexpr std::string_view values_key = "values";
constexpr std::string_view from_key = "from";

struct Range {
  double from = 0;
  double to = 0;
  std::int64_t points = 0;
  bool log = false;
};

// The largest double that is an integer of 64 bits.
constexpr double largest_integer = 0x1.fffffffffffffp62;

bool fits_integer(double value) { return value == std::floor(value) && std::fabs(value) <= largest_integer; }

Json as_whole(double value) { return static_cast<std::int64_t>(value); }

Json read_whole(const Field& number) {
  if (number.value().is_number_integer()) return number.value();
  if (!number.value().is_number() || !fits_integer(number.number())) number.refuse("a whole number");
  return as_whole(number.number());
}

Json read_end(const Field& axis, std::string_view key, bool whole) {
  const Field end = axis.require(key, whole ? "a whole number" : "a number");
  if (whole) return read_whole(end);
  end.number();  // refuses anything else
  return end.value();
}

// Words stand in cells of tables, one line a row.
bool is_one_line(const std::string& text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20; });
}

Json read_value(const Field& value, bool whole) {
  if (value.value().is_string() && is_one_line(value.text())) return value.value();
  if (!value.value().is_number()) value.refuse("a number, or a word such as \"inf\"");
  return whole ? read_whole(value) : value.value();
}

void refuse_repeated(const Field& list, std::vector<Json> values) {
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice != values.end()) {
    throw InvalidArgument(list.path(), json::show(*twice) + " more than once", "each value once");
  }
}

std::vector<Json> read_list(const Field& axis, bool whole, std::size_t most) {
  axis.allow_only(std::array{values_key});
  const Field list = axis.require(values_key, "an array");
  if (!list.value().is_array() || list.value().empty() || list.value().size() > most) {
    list.refuse(fmt::format("an array of 1 to {} values", most));
  }
  std::vector<Json> values;
  for (const Field& value : list.items()) values.push_back(read_value(value, whole));
  refuse_repeated(list, values);
  return values;
}

bool read_scale(const Field& axis) {
  const auto scale = axis.find("scale");
  if (!scale || scale->value() == "linear") return false;
  if (scale->value() != "log") scale->refuse("one of linear, log");
  return true;
}

Range checked(const Field& axis, const Json& from, const Json& to, std::size_t most) {
  Range range{.from = from.get<double>(), .to = to.get<double>(), .log = read_scale(axis)};
  range.points = axis.require("points", "how many").integer(2, static_cast<std::int64_t>(most));
  if (range.log && !(range.from > 0)) axis.find(from_key)->refuse("a number above 0, where the scale is log");
  if (!(range.to > range.from)) axis.find("to")->refuse(fmt::format("a number above from, {}", json::show(from)));
  return range;
}

// Twelve digits: short to read, and the same whichever way the machine's exp rounds.
double rounded(double value) { return std::strtod(fmt::format("{:.11e}", value).c_str(), nullptr); }

double point(const Range& range, std::int64_t i) {
  const double right = static_cast<double>(i) / static_cast<double>(range.points - 1), left = 1 - right;
  const double value = range.log ? std::exp(left * std::log(range.from) + right * std::log(range.to))
                                 : left * range.from + right * range.to;
  return std::clamp(rounded(value), range.from, range.to);
}

std::vector<Json> read_range(const Field& axis, bool whole, std::size_t most) {
  axis.allow_only(std::array<std::string_view, 4>{from_key, "to", "points", "scale"});
  const Json from = read_end(axis, from_key, whole), to = read_end(axis, "to", whole);
  const Range range = checked(axis, from, to, most);
  std::vector<Json> values{from};
  for (std::int64_t i = 1; i + 1 < range.points; ++i) {
    const double value = point(range, i);
    values.push_back(whole ? as_whole(std::min(std::round(value), largest_integer)) : Json(value));
  }
  values.push_back(to);
  // In ascending order, so those that coincide are neighbours.
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

bool is_axis(const Json& value) {
  return value.is_object() && (value.contains(values_key) || value.contains(from_key));
}

std::vector<Json> read_axis(const Field& axis, bool whole, std::size_t most) {
  return axis.find(values_key) ? read_list(axis, whole, most) : read_range(axis, whole, most);
}

}  // namespace renyi::api::sweep
