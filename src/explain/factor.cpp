#include <cmath>

#include "numerics/rounding.h"
#include "renyi/explain.h"

namespace renyi {

double largest_factor(double epsilon) {
  constexpr double formula_rounding = 8 * numerics::unit_roundoff;
  return epsilon == 0 ? 1 : numerics::next_up(std::exp(epsilon) * (1 + formula_rounding));
}

}  // namespace renyi
