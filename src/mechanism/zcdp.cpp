// (xi, rho)-zCDP: D_a <= xi + rho a (Bun, Steinke 2016, Definition 1.1;
// docs/math/relatives.md).
#include <array>

#include "mechanism/references.h"
#include "mechanism/shared_curves.h"
#include "mechanism/table.h"
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
  return std::make_shared<mechanism::LinearDivergenceCurve>(xi + rho, rho, mechanism::DivergenceLine{xi, rho});
}

// rho grows with the square (Bun, Steinke 2016, Proposition 1.9), which is stated for xi = 0.
std::optional<ZeroConcentrated> ZeroConcentrated::for_group(double size) const {
  if (xi > 0) return std::nullopt;
  return ZeroConcentrated{mechanism::grown(rho, size * size), 0};
}

Notes ZeroConcentrated::notes() {
  return {.relation = "the one its guarantee is stated for",
          .exact = "nothing",
          .bound = "Renyi divergences as the guarantee states them; no exact figures, since it is no law of the loss",
          .references = {reference::bun_steinke2016}};
}

Mechanism table::zcdp() { return ZeroConcentrated{}; }

}  // namespace renyi
