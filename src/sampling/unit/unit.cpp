#include "sampling/unit/unit.h"

#include <fmt/format.h>

#include <bit>

#include "renyi/own.h"
#include "renyi/unit.h"
#include "sampling/unit/group_curve.h"

namespace renyi::sampling {

Mechanism by_group_bound(const Mechanism& mechanism, std::int64_t size) {
  const auto doublings = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size - 1)));
  return Own(fmt::format("{} for groups of {}", mechanism.kind(), size), group_privacy(mechanism.curve(), doublings));
}

bool is_group_bound(const Mechanism& mechanism) {
  const auto* own = mechanism.get_if<Own>();
  return own != nullptr && dynamic_cast<const GroupCurve*>(own->curve().get()) != nullptr;
}

Mechanism for_group(const Mechanism& mechanism, std::int64_t size) {
  if (size == 1) return mechanism;
  if (auto tight = mechanism.for_group(static_cast<double>(size))) return *std::move(tight);
  return by_group_bound(mechanism, size);
}

}  // namespace renyi::sampling
