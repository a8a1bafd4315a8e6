// The loss of two Laplace laws, in P's own units, and its moments.
#pragma once

#include "renyi/divergence.h"

namespace renyi::divergence_detail {

// (E_P[exp(zL)] - 1)/z, its limit E_P[L] at z = 0, and the size of the terms it was added up from.
struct CentredMoment {
  long double value = 0;
  long double size = 0;
};

// Left of both locations the loss is left + k E, E >= 0 the distance in scales of P, exponentially
// distributed; right of both it is right + k E; between them it falls from left to right.
struct LaplaceShape {
  LaplaceShape(LaplaceLaw p, LaplaceLaw q);

  long double gap;    // between the locations, in scales of P
  long double ratio;  // scale of P / scale of Q
  long double k;      // ratio - 1
  long double left;   // ln(scale of Q / scale of P) + distance / scale of Q
  long double right;  // ln(scale of Q / scale of P) - gap

  CentredMoment centred_moment(long double z) const;
  // ln E_P[exp(zL)], for moments that are far from 1 (z is not 0), and the size of the exponents in it.
  struct LogMoment {
    long double value = 0;
    long double size = 0;
  };
  LogMoment log_moment(long double z) const;
};

}  // namespace renyi::divergence_detail
