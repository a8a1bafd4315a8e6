#include "api/deprecations.h"

#include <fmt/format.h>

#include <array>

namespace renyi::api {

namespace deprecations_file {
namespace {

// The last one is none, so that there may be no other.
constexpr std::array table{
#define RENYI_DEPRECATION(interface, ...) Deprecation{Interface::interface, __VA_ARGS__},
#include "catalogue/deprecations.def"
#undef RENYI_DEPRECATION
    Deprecation{},
};

}  // namespace
}  // namespace deprecations_file

std::span<const Deprecation> deprecations() noexcept {
  return std::span<const Deprecation>(deprecations_file::table).first(deprecations_file::table.size() - 1);
}

std::string warning_of(const Deprecation& entry) {
  return fmt::format("{} is deprecated since {} and goes with {}: write {}", entry.name, entry.since, entry.goes,
                     entry.instead);
}

}  // namespace renyi::api
