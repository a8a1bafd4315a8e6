// Parses strict JSON text into a document.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "json/json.h"
#include "renyi/error.h"

namespace renyi::json {

inline constexpr std::size_t max_depth = 64;
inline constexpr std::size_t max_keys = 64;

// The result of parsing. If there is an error, `value` holds what was complete before it.
struct Parsed {
  Json value;
  std::optional<InvalidArgument> error;
};

// Refuses what a plain parser accepts or changes silently: repeated keys, numbers too large or too small for a double,
// nesting deeper than `max_depth`, objects of more than `max_keys` keys, bad UTF-8, text after the document. The error
// names the JSON path, or the byte where the syntax breaks.
Parsed try_parse(std::string_view text);

// Parses in the same way, and throws the error.
Json parse(std::string_view text);

// A document of which errors may repeat nothing.
struct Confidential {
  // The names that a path may contain. A member of another name is not named: it may be a value in the wrong place.
  std::span<const std::string_view> keys{};
  // Numbers under these keys, alone or in arrays, are binary values that hold their text, so that nothing is rounded.
  std::span<const std::string_view> exact_keys{};
};
// Parses in the same way. Errors name the path and neither what stands there nor a byte, which would tell the length of
// what stands before it.
Json parse_confidential(std::string_view text, const Confidential& about);

}  // namespace renyi::json
