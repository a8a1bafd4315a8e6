// The last steps from curves to a figure: ranges of axes, texts of legends, and room for rounding.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/figure/figure.h"

namespace renyi::api::figure {

// Returns the range of all values (of the positive, finite ones on a logarithmic axis); std::nullopt if there is none.
std::optional<std::pair<double, double>> range_of(const std::vector<double>& values, bool log);
// Moves the ends of a positive range outwards to 1, 2 or 5 times a power of ten.
std::pair<double, double> widened(std::pair<double, double> range);

// Determines the ranges of the axes, lets the legend say what the picture omits (a missing part of a curve must not
// look like a small number), and moves bounds outwards by more than the evaluation of a rule loses. A logarithmic axis
// without anything to show becomes linear. Throws Unsupported if no value is finite.
Figure finished(Figure figure);

// Puts the figures of several runs into one: of each the exact curve or, if there is none, the Rényi bound. The runs
// are named by `labels`.
Figure overlaid(std::vector<Figure> figures, const std::vector<std::string>& labels);

}  // namespace renyi::api::figure
