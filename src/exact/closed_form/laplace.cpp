// One Laplace step, e = sensitivity/scale: delta = 1 - exp((epsilon - e)/2) below e.
#include <cmath>

#include "exact/closed_form/profile.h"

namespace renyi::exact {

Profile laplace_profile(const Laplace& mechanism) {
  const Enclosure e = around(static_cast<long double>(mechanism.l1_sensitivity) / mechanism.scale, 1);
  return [e](double epsilon) {
    if (!(e.upper > epsilon)) return to_ends(exactly_nothing);
    const auto delta = [&](long double loss, long double rounding) {
      const long double gap = loss - epsilon;
      return gap > 0 ? -std::expm1(-gap / 2) * (1 + rounding) : 0;
    };
    return to_ends({delta(e.lower, -4 * extended_roundoff), delta(e.upper, 4 * extended_roundoff)});
  };
}

}  // namespace renyi::exact
