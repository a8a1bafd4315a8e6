// Values as data: their form may be wrong, but no number is. An error about a value names its place and never repeats
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"
#include "renyi/release.h"

namespace renyi::release {

// Parse a decimal, nan, inf or -inf, with blanks around it. Return std::nullopt for other texts. Numbers that are too
// large are infinite, or the largest whole number; those that are too small are 0; decimals are rounded to the nearest
// whole number, halves up, so that values that differ by a whole number still do.
[[nodiscard]] std::optional<double> real_value(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> whole_value(std::string_view text);

// The same for a number of a JSON document; std::nullopt for what is no number.
[[nodiscard]] std::optional<double> real_of(const json::Json& value);
[[nodiscard]] std::optional<std::int64_t> whole_of(const json::Json& value);

// Returns the nearest whole number, halves up; NaN counts as 0.
[[nodiscard]] std::int64_t nearest_whole(double value);

// Returns the values of an integer as whole numbers if they all are, and else as they are: the noise may be added
// before they are rounded.
[[nodiscard]] Values integer_values(std::vector<double> reals, std::vector<std::int64_t> wholes);

// Returns JSON text in which every number can be read: those that no double can hold are replaced by the nearest one
// that does, and NaN, Infinity and -Infinity, which some programs write, by 0 and the largest doubles. Strings stay as
// they are.
[[nodiscard]] std::string with_readable_numbers(std::string_view text);

}  // namespace renyi::release
