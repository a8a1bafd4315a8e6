// Where the cost meets the target: the boundary, reported from the private side.
#pragma once

#include "calibrate/cost.h"

namespace renyi::calibrate_detail {

// Knowing nothing. Throws Unsupported if no setting is private.
Setting solve(const Cost& cost);

// Any private setting, as a start. Throws likewise.
Setting some_private(const Cost& cost);

}  // namespace renyi::calibrate_detail
