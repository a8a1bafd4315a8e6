// delta(epsilon) of N(mu, 1) against N(0, 1): what Gaussians and one sampled Gaussian
// come down to (docs/math/exact-closed-forms.md, "Gaussians").
#pragma once

#include "exact/closed_form/enclosure.h"

namespace renyi::exact {

// mu > 0, epsilon >= 0; upper ends may be infinite.
Enclosure normal_pair_delta(const Enclosure& mu, const Enclosure& epsilon);

}  // namespace renyi::exact
