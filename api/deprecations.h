// Names that are going away: the entries of catalogue/deprecations.def.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace renyi::api {

enum class Interface { command, request, python, cpp };

struct Deprecation {
  Interface interface {};
  std::string_view name{};
  std::string_view instead{};
  std::string_view since{};
  std::string_view goes{};
};

std::span<const Deprecation> deprecations() noexcept;

// Returns "NAME is deprecated since VERSION and goes with VERSION: write INSTEAD".
std::string warning_of(const Deprecation& entry);

}  // namespace renyi::api
