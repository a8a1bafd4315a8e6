// (xi, rho)-zCDP: D_a <= xi + rho a (Bun, Steinke 2016, Definition 1.1;
// docs/math/relatives.md).
#include <array>

#include "mechanism/linear_divergence_curve.h"
#include "renyi/mechanism.h"

namespace renyi {

std::span<const Parameter> ZeroConcentrated::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "rho",
       .meaning = "growth of the divergence with the order",
       .lowest = 1e-100,
       .highest = 1e50,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
      {.name = "xi",
       .meaning = "divergence beyond rho times the order",
       .lowest = 1e-100,
       .highest = 1e50,
       .zero_allowed = true,
       .fallback = 0.0,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> ZeroConcentrated::curve() const {
  return std::make_shared<mechanism::LinearDivergenceCurve>(xi + rho, rho);
}

}  // namespace renyi
