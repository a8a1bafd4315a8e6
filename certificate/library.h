// The library that made a certificate, and whether this version can verify it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json/field.h"

namespace renyi::certificate {

struct Library {
  std::string renyi{};
  std::string arb{};
};

Library this_library();

// Throws InvalidArgument if the members are not version numbers.
Library read_library(const json::Field& field);

// Returns the reason why certificates made by one version of renyi are not verified by another; std::nullopt if they
// are. Both are MAJOR.MINOR.PATCH.
std::optional<std::string> version_fault(std::string_view made_by, std::string_view here);

}  // namespace renyi::certificate
