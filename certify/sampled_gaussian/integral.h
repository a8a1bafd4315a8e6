// Integrals of E_Q[r^e] and E_Q[r^w ln r] over pieces of the real line, by Arb's adaptive Gauss-Legendre rule, which
// proves its own error for analytic integrands (F. Johansson, "Numerical integration in arbitrary-precision ball
// arithmetic", ICMS 2018).
#pragma once

#include <vector>

#include "certify/ball/ball.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

// phi_s(x) r(x)^exponent, multiplied by ln r(x) on request.
struct Integrand {
  SampledGaussian mechanism;
  Ball exponent;
  bool times_log = false;
};

// Integrates over [a, b] for exact a < b. `scale` is approximately the size of the whole; its last bits determine the
// accuracy.
Ball integral(const Integrand& integrand, const Ball& a, const Ball& b, const Ball& scale);

// Integrates over all points within `half_width` of one of the centres, each once. All arguments are exact, and the
// centres are in order.
Ball integral_over_windows(const Integrand& integrand, const std::vector<Ball>& centres, const Ball& half_width,
                           const Ball& scale);

}  // namespace renyi::certify
