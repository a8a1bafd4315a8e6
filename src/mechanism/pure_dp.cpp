// Any epsilon-DP step: no curve lies above that of randomized response with the
// same epsilon (docs/math/closed-form-curves.md, "Pure DP", with proof).
#include <array>
#include <cmath>

#include "mechanism/references.h"
#include "mechanism/shared_curves.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

std::span<const Parameter> PureDp::parameters() {
  static constexpr std::array<Parameter, 1> table{{
      {.name = "epsilon",
       .meaning = "the step's pure epsilon",
       .lowest = 0,
       .highest = 1e50,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> PureDp::curve() const {
  const double low = std::exp(-epsilon) / (1 + std::exp(-epsilon));
  return std::make_shared<mechanism::TwoSidedCurve>(epsilon, 1 / (1 + std::exp(-epsilon)), low, 0, 0,
                                                    Knowledge::profile, mechanism::TwoLosses{epsilon});
}

// Pure epsilons add along a chain of neighbours.
std::optional<PureDp> PureDp::for_group(double size) const { return PureDp{mechanism::grown(epsilon, size)}; }

Notes PureDp::notes() {
  return {.relation = "the one its epsilon is stated for",
          .exact = "for randomized response of that epsilon",
          .bound = "for every other step of that epsilon, and the best that epsilon alone allows",
          .references = {reference::mironov2017, reference::bun_steinke2016}};
}

Mechanism table::pure_dp() { return PureDp{}; }

}  // namespace renyi
