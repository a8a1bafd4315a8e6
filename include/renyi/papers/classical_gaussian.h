// The classical calibration of the Gaussian mechanism, for comparison with the exact one (renyi/calibrate.h).
#pragma once

#include <optional>
#include <string_view>

#include "renyi/calibrate.h"

namespace renyi {

// Returns the standard deviation with which Gaussian noise on a query of sensitivity 1 meets the target by the
// classical theorem: sqrt(2 ln(1.25/delta))/epsilon (Dwork, Roth 2014, Theorem A.1), rounded up. Returns std::nullopt
// if the theorem does not apply: epsilon and delta must be in (0, 1).
//
//     const double stddev = renyi::classical_gaussian({.epsilon = 0.5, .delta = 1e-5}).value();
[[nodiscard]] std::optional<double> classical_gaussian(const Target& target);
inline constexpr std::string_view classical_gaussian_source = "Dwork, Roth 2014, Theorem A.1";

}  // namespace renyi
