// (rho, omega)-tCDP: D_a <= rho a for a < omega, and at omega by continuity (definition of Bun,
// Dwork, Rothblum, Steinke 2018; docs/math/relatives.md, "tCDP").
#include <array>

#include "mechanism/linear_divergence_curve.h"
#include "renyi/mechanism.h"

namespace renyi {

std::span<const Parameter> TruncatedConcentrated::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "rho",
       .meaning = "growth of the divergence with the order",
       .lowest = 1e-100,
       .highest = 1e50,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
      {.name = "omega",
       .meaning = "last order at which that holds",
       .lowest = 1,
       .highest = 1e100,
       .lowest_allowed = false,
       .effect = Effect::lowers_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> TruncatedConcentrated::curve() const {
  return std::make_shared<mechanism::LinearDivergenceCurve>(rho, rho, omega);
}

}  // namespace renyi
