// One log-moment K(lambda) <= alpha (Abadi et al. 2016, section 3.2; docs/math/relatives.md, "Moments").
// K is convex with K(0) = 0, so K(z) <= z alpha/lambda up to lambda; nothing is known beyond.
#include <array>

#include "mechanism/linear_divergence_curve.h"
#include "renyi/mechanism.h"

namespace renyi {

std::span<const Parameter> Moments::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "lambda",
       .meaning = "order of the log-moment",
       .lowest = 1e-6,
       .highest = 1e50,
       .effect = Effect::lowers_cost},
      {.name = "alpha",
       .meaning = "bound on the log-moment",
       .lowest = 1e-100,
       .highest = 1e50,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> Moments::curve() const {
  // The last order is rounded down, so that it is not above lambda + 1.
  double last = lambda + 1;
  if (last - 1 > lambda) last = numerics::next_down(last);
  return std::make_shared<mechanism::LinearDivergenceCurve>(alpha / lambda, 0, last);
}

}  // namespace renyi
