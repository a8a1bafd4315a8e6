// What lies between the outer node of a piece and its end, where no rule looks.
#pragma once

#include <array>

#include "divergence/density/kronrod.h"
#include "divergence/density/quadrature.h"

namespace renyi::divergence_detail {

// The integral over that stretch of the distance between f and the polynomial that the rule integrates, estimated from
// samples that approach the end by powers of 4, f growing or falling towards it: a jump or a pole there is charged.
// `outwards` is -1 at the low end and 1 at the high end; `values` are f at the nodes. Infinite: so is the integral.
double hidden_at_end(const Integrand& f, double low, double high, int outwards,
                     const std::array<double, node_count>& values);

}  // namespace renyi::divergence_detail
