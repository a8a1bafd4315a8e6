// E_P[exp(zL)] = E_Q[r^e]: e = 1+z in the direction remove, -z in the direction add; exact if z is.
#pragma once

#include "certify/ball.h"
#include "renyi/curve.h"

namespace renyi::certify {

inline Ball exponent_of(Direction direction, const Ball& z) {
  if (direction == Direction::add) return -z;
  Ball exponent;
  arb_add_si(exponent.raw(), z.raw(), 1, ARF_PREC_EXACT);
  return exponent;
}

}  // namespace renyi::certify
