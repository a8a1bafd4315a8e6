#include <algorithm>

#include "numerics/rounding.h"
#include "renyi/interval.h"

namespace renyi {

double Bounded::upper() const noexcept { return error == 0 ? value : numerics::next_up(value + error); }

double Bounded::lower() const noexcept {
  return error == 0 ? value : std::max(0.0, numerics::next_down(value - error));
}

}  // namespace renyi
