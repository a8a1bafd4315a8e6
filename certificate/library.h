// Which library made a certificate, and what that means for whoever checks it.
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

// Throws InvalidArgument where the members do not look like versions.
Library read_library(const json::Field& field);

// Why certificates made by one version of renyi are not checked by another; nothing if they are. Both are
// MAJOR.MINOR.PATCH.
std::optional<std::string> version_fault(std::string_view made_by, std::string_view here);

}  // namespace renyi::certificate
