// The classical calibration of one Gaussian, for comparison with the exact one.
#pragma once

#include <optional>
#include <string_view>

#include "renyi/calibrate.h"

namespace renyi {

// The standard deviation by which noise on a query of sensitivity 1 has epsilon at delta, sqrt(2
// ln(1.25/delta))/epsilon (Dwork, Roth 2014, Theorem A.1), rounded up. Nothing where the theorem does not hold: it is
// for epsilon in (0, 1).
[[nodiscard]] std::optional<double> classical_gaussian(const Target& target);
inline constexpr std::string_view classical_gaussian_source = "Dwork, Roth 2014, Theorem A.1";

}  // namespace renyi
