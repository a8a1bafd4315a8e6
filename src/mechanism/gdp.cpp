// mu-GDP: every such step is a post-processing of N(0, 1) against N(mu, 1) (Dong, Roth, Su
// 2022, by Blackwell's theorem; docs/math/relatives.md, "GDP"), so its curve lies below theirs.
#include <array>

#include "mechanism/gaussian.h"
#include "mechanism/references.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

std::span<const Parameter> GaussianDp::parameters() {
  static constexpr std::array<Parameter, 1> table{{
      {.name = "mu",
       .meaning = "mu of Gaussian differential privacy",
       .lowest = 1e-100,
       .highest = 1e25,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> GaussianDp::curve() const {
  if (mu == 0) return std::make_shared<mechanism::ZeroCurve>();
  return std::make_shared<mechanism::GaussianCurve>(mechanism::NormalShift{mu, 1}, Knowledge::profile);
}

// mu adds along a chain of neighbours (Dong, Roth, Su 2022, Theorem 2).
std::optional<GaussianDp> GaussianDp::for_group(double size) const { return GaussianDp{mechanism::grown(mu, size)}; }

Notes GaussianDp::notes() {
  return {.relation = "the one its guarantee is stated for",
          .exact = "for Gaussian noise of that mu",
          .bound = "for every other step of that mu, and the best that mu alone allows",
          .references = {reference::dong_roth_su2022}};
}

Mechanism table::gdp() { return GaussianDp{}; }

}  // namespace renyi
