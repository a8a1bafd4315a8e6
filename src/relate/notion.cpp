#include <array>

#include "renyi/relate.h"

namespace renyi {

std::string_view to_string(Notion notion) noexcept {
  switch (notion) {
    case Notion::pure: return "pure";
    case Notion::zcdp: return "zcdp";
    case Notion::tcdp: return "tcdp";
    case Notion::cdp: return "cdp";
    case Notion::gdp: return "gdp";
    case Notion::moments: return "moments";
  }
  return "unknown";
}

std::span<const Notion> all_notions() noexcept {
  using enum Notion;
  static constexpr std::array notions{pure, zcdp, tcdp, cdp, gdp, moments};
  return notions;
}

}  // namespace renyi
