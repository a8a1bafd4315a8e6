// Values as data: their form may be wrong, but no number is. An error about a value names its place and never repeats
// it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json/json.h"
#include "renyi/exact_number.h"

namespace renyi::release {

// Parses a value as it is written, with blanks around it. Returns std::nullopt for other texts.
[[nodiscard]] std::optional<noise::ExactNumber> value_of(std::string_view text);

// The same for a value of a JSON document: a number, whose text was kept (json::Confidential), or a fraction as text.
[[nodiscard]] std::optional<noise::ExactNumber> value_in(const json::Json& value);

// Returns a bound on what one person does, as a double that means no less than what is written: a double stands for the
// shortest decimal that it is the nearest to, and with more digits than it keeps for the next one above. NaN if the
// text is no number.
[[nodiscard]] double amount_of(std::string_view text);

// Returns JSON text in which every number can be read: those that are too large for a double are replaced by the
// largest one, and NaN, Infinity and -Infinity, which some programs write, by 0 and the largest doubles: all of them
// are beyond the range to which values are clamped. Strings stay as they are.
[[nodiscard]] std::string with_readable_numbers(std::string_view text);

}  // namespace renyi::release
