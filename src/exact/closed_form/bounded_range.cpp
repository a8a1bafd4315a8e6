// One step of bounded range e: delta = (exp(e/2) - exp(epsilon/2))^2 / (exp(e) - 1) below e (docs/math/selection.md).
#include <cmath>

#include "exact/closed_form/profile.h"

namespace renyi::exact {

Profile bounded_range_profile(const mechanism::BoundedRangePair& pair) {
  const long double e = pair.epsilon();
  return [e](double epsilon) {
    if (!(e > epsilon)) return to_ends(exactly_nothing);
    const long double fall = std::expm1((epsilon - e) / 2);
    return to_ends(around(fall * fall / -std::expm1(-e), 12));
  };
}

}  // namespace renyi::exact
