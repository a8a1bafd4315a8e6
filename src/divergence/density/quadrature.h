// Adaptive Gauss-Kronrod quadrature on many pieces, the worst first, with an error estimate that includes the errors
// from the rule, from the integrand's own noise and from the rounding of the nodes.
#pragma once

#include <functional>
#include <vector>

namespace renyi::divergence_detail {

// An integrand at one point, and its rounding error. If it is infinite, so is the integral.
struct Sample {
  double value = 0;
  double noise = 0;
};
using Integrand = std::function<Sample(double)>;

struct Integral {
  long double value = 0;
  long double error = 0;
  bool infinite = false;
};

// Integrates over (breaks.front(), breaks.back()); the error does not include what lies outside.
Integral integrate(const Integrand& f, const std::vector<double>& breaks);

}  // namespace renyi::divergence_detail
