// Whether an integral can be finite, by how its integrand behaves towards the ends of the interval.
#pragma once

#include "divergence/density/landmarks.h"

namespace renyi::divergence_detail {

// The profile's mass per doubling of the distance (from the outermost peak outwards, to a finite end inwards)
// must fall. True: it does not, so the integral is infinite. Throws NotConverged when it falls too slowly to tell.
// `rounding` says how far a profile value may be off.
bool diverges_at_the_ends(const Line& line, const Landmarks& landmarks, const Profile& profile,
                          const Profile& rounding);

}  // namespace renyi::divergence_detail
