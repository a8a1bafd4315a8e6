// Finds where an integrand Q(x) |r^p - 1 - p (r - 1)| is not negligible: panels that cover all of it but a negligible
// share, each narrow enough for one quadrature rule (docs/math/sampled-pairs.md, "Panels").
#pragma once

#include <complex>
#include <vector>

#include "mechanism/monotone/monotone_pair.h"

namespace renyi::monotone {

struct Panel {
  double left = 0;
  double right = 0;
};

struct Cover {
  std::vector<Panel> panels{};  // ascending
  double peak = 0;              // ln of approximately the largest value of the integrand, the atoms included
};

// `power` is the power of r under Q: z + 1 for remove and for pairs with Reading::symmetric, -z for add. Throws
// NotConverged where it would take too many panels.
Cover cover(const MonotonePair& pair, std::complex<double> power);

}  // namespace renyi::monotone
