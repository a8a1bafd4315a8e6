// Options that callers choose by name.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "renyi/error.h"

namespace renyi::python {

// The one of `options` whose to_string is `name`.
template <class Option, std::size_t n>
Option named(std::string_view field, const std::string& name, const std::array<Option, n>& options) {
  std::string allowed = "one of ";
  for (const Option option : options) {
    if (to_string(option) == name) return option;
    if (option != options.front()) allowed += ", ";
    allowed += to_string(option);
  }
  throw InvalidArgument(std::string(field), '"' + name + '"', allowed);
}

// The same, or nothing.
template <class Option, std::size_t n>
std::optional<Option> named(std::string_view field, const std::optional<std::string>& name,
                            const std::array<Option, n>& options) {
  if (!name) return std::nullopt;
  return named(field, *name, options);
}

}  // namespace renyi::python
