// Integrals over the whole line, with what lies beyond the break points and what went wrong.
#pragma once

#include <vector>

#include "divergence/density/line.h"
#include "divergence/density/quadrature.h"

namespace renyi::divergence_detail {

// Throws NotConverged if the error is neither small beside the value nor small.
Integral integral_over_line(const Integrand& f, const std::vector<double>& breaks, const Line& line);

// How far from 1 a density integrates to, with the error of finding out. Throws InvalidArgument naming `field` when
// that is more than 1e-8, NotConverged when it cannot be told.
double checked_defect(const char* field, const Line& line, const std::vector<double>& breaks, double LogPair::*member);

}  // namespace renyi::divergence_detail
