// The target itself is the unknown: what the plan costs.
#pragma once

#include "renyi/calibrate.h"

namespace renyi::calibrate_detail {

// "epsilon" or "delta" with an empty path.
bool asks_for_target(const Unknown& unknown);

Calibration solve_target(const Plan& plan, const Unknown& unknown, const Target& target,
                         const CalibrateOptions& options);

}  // namespace renyi::calibrate_detail
