// Probabilities of the loss by the inverse Laplace integral of exp(K), on a vertical
// line through the real saddle, by the trapezoidal rule (docs/math/privacy-loss.md, "Contour").
#pragma once

#include <optional>

#include "renyi/curve.h"

namespace renyi::loss {

// What is integrated against exp(K(z) - z t).
enum class Kernel {
  tail,        // 1/z: Pr[L > t] under P
  other_tail,  // 1/(z+1): E_P[exp(t - L); L > t], which is exp(t) Pr[L > t] under Q
};

struct Interval {
  double lower = 0;
  double upper = 1;
};

// The interval that holds the integral, or nothing where the line is too long: the
// integrand decays too slowly, as it does for losses with atoms and few steps.
std::optional<Interval> contour_integral(const Curve& curve, Direction direction, double t, Kernel kernel);

}  // namespace renyi::loss
