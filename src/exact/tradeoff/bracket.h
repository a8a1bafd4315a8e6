// What known points of h prove about its maximum f(a), and where another would help most
// (docs/math/trade-off.md, "Bracketing").
#pragma once

#include <cstddef>

#include "exact/tradeoff/known_errors.h"
#include "renyi/tradeoff.h"

namespace renyi::exact {

struct Bracket {
  LeastError range;
  double gap = -1;           // how far the maximum may lie above what is known
  std::size_t interval = 0;  // in the interval after this point
  double where = 0;          // at this x
};

Bracket bracket_of(const KnownErrors& known, double a);

}  // namespace renyi::exact
