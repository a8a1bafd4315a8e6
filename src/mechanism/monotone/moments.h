// The distribution of the loss of one pair, by quadrature: E[exp(zL)] - 1, in the centred form E_P[R(zL) + z R(-L)],
// R(y) = exp(y) - 1 - y, whose terms are >= 0 for real z >= 0 (docs/math/log-moment-curve.md, "centred moments"), and
// the integrals from which its cumulants and its divergences of orders below 1 are computed.
#pragma once

#include <complex>

#include "mechanism/monotone/monotone_pair.h"

namespace renyi::monotone {

// The losses of a symmetric pair that count: all, or only those above 0 (with P's masses) or below 0 (with Q's).
enum class Side { all, rising, falling };

// All members are multiplied by exp(-shift), which is 1 unless the moment is beyond the range of doubles.
struct RealMoment {
  double shift = 0;
  double value = 0;
  double error = 0;
  double slope = 0;  // derivative with respect to z
  double slope_error = 0;
  double curvature = 0;
};
RealMoment real_moment(const MonotonePair& pair, double z, Direction direction, Side side = Side::all);

struct ComplexMoment {
  double shift = 0;
  std::complex<double> value;
  double error = 0;
};
ComplexMoment complex_moment(const MonotonePair& pair, std::complex<double> z, Direction direction,
                             Side side = Side::all);

// Returns 1 - E_Q[(P/Q)^a] for a in [1/2, 1).
Bounded lost_at(const MonotonePair& pair, double a, Direction direction);

// E[(L - mean)^2] and E[(L - mean)^3], with their errors.
struct CentralMoments {
  double second = 0;
  double second_error = 0;
  double third = 0;
  double third_error = 0;
};
CentralMoments central_moments(const MonotonePair& pair, double mean, Direction direction);

}  // namespace renyi::monotone
