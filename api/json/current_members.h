// Deprecated members of a request become those that replace them before the request is read.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/deprecations.h"
#include "json/json.h"

namespace renyi::api {

struct CurrentMembers {
  json::Json request = json::Json::object();  // empty if nothing is deprecated in the request
  std::vector<std::string> warnings{};        // one for each deprecated member

  // Adds {"kind":"deprecated","message"} to the "warnings" of the answer for each.
  void warn_in(json::Json& answer) const;
};

// Throws InvalidArgument for a member that stands beside the one that replaces it.
CurrentMembers current_members(const json::Json& request, std::string_view op, std::span<const Deprecation> table);

}  // namespace renyi::api
