#include "sampling/unit/unit.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>

#include "numerics/rounding.h"
#include "renyi/own.h"
#include "renyi/unit.h"
#include "sampling/unit/group_curve.h"

namespace renyi::sampling {

namespace {

// Parameters that say how far one record moves a step: along a chain of neighbours the distances add (triangle
// inequality), and so do pure epsilons and mu (Dong, Roth, Su 2022, Theorem 2); rho of zCDP grows with the square
// (Bun, Steinke 2016, Proposition 1.9; xi = 0).
struct Scale {
  std::string_view mechanism, parameter;
  bool squared = false;
};
constexpr std::array<Scale, 5> scales{{
    {Gaussian::kind, "l2_sensitivity"},
    {Laplace::kind, "l1_sensitivity"},
    {PureDp::kind, "epsilon"},
    {GaussianDp::kind, "mu"},
    {ZeroConcentrated::kind, "rho", true},
}};

std::optional<Mechanism> with_larger(const Mechanism& mechanism, std::string_view parameter, double factor) {
  const auto parameters = mechanism.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name != parameter) continue;
    const double moved = mechanism.values()[i] * factor;
    const double larger = moved == 0 ? 0 : numerics::next_up(moved);
    if (parameters[i].allows(larger)) return mechanism.with(parameter, larger);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Mechanism> scaled(const Mechanism& mechanism, double size) {
  if (mechanism.get_if<RandomizedResponse>() != nullptr) return mechanism;  // whatever the two datasets are
  const auto* zcdp = mechanism.get_if<ZeroConcentrated>();
  if (mechanism.sampling() != nullptr || (zcdp != nullptr && zcdp->xi > 0)) return std::nullopt;
  for (const Scale& scale : scales) {
    if (mechanism.kind() != scale.mechanism) continue;
    return with_larger(mechanism, scale.parameter, scale.squared ? size * size : size);
  }
  return std::nullopt;
}

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
  if (auto tight = scaled(mechanism, static_cast<double>(size))) return *std::move(tight);
  return by_group_bound(mechanism, size);
}

}  // namespace renyi::sampling
