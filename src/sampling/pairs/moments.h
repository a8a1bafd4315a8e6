// E[exp(zL)] - 1 of one pair, by quadrature: the centred form E_P[R(zL) + z R(-L)], R(y) = exp(y) - 1 - y, whose terms
// are >= 0 for real z >= 0 (docs/math/log-moment-curve.md, "centred moments").
#pragma once

#include <complex>

#include "sampling/pairs/monotone_pair.h"

namespace renyi::sampling {

// Everything by exp(-shift), which is 1 unless the moment is beyond the range of doubles.
struct RealMoment {
  double shift = 0;
  double value = 0;
  double error = 0;
  double slope = 0;  // by z
  double slope_error = 0;
  double curvature = 0;
};
RealMoment real_moment(const MonotonePair& pair, double z, Direction direction);

struct ComplexMoment {
  double shift = 0;
  std::complex<double> value;
  double error = 0;
};
ComplexMoment complex_moment(const MonotonePair& pair, std::complex<double> z, Direction direction);

}  // namespace renyi::sampling
