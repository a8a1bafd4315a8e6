// Adaptive Gauss-Kronrod quadrature on many pieces, the worst first, with an error estimate that counts what could go
// wrong: the rule's, the integrand's own noise, the rounding of the nodes.
#pragma once

#include <functional>
#include <vector>

namespace renyi::divergence_detail {

// An integrand at one point, and how far rounding may have moved it. Infinite: so is the integral.
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

// Over (breaks.front(), breaks.back()); nothing is charged for what lies outside.
Integral integrate(const Integrand& f, const std::vector<double>& breaks);

}  // namespace renyi::divergence_detail
