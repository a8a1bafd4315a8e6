// The axes of a figure: their ranges, their ticks, and the gnuplot commands for them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/plot/canvas.h"
#include "apps/cli/plot/figure.h"

namespace renyi::cli::plot {

// A tick of a logarithmic axis.
struct Tick {
  double at = 0;
  std::string label{};  // empty for a small tick
};

// Returns the ticks of an axis from `from` to `to`, both positive: powers of ten, with 2 and 5 between them if there
// are few. If `raised` is true, large and small powers are written as 10^{-5}, else as 1e-5.
std::vector<Tick> log_ticks(double from, double to, bool raised);

// Returns the range that shows all values (the positive, finite ones on a logarithmic axis), a little wider on a
// logarithmic y axis; std::nullopt if there is no value.
std::optional<std::pair<double, double>> range_of(const std::vector<double>& values, bool log);
// Moves the ends of a range outwards to 1, 2 or 5 times a power of ten.
std::pair<double, double> widened(std::pair<double, double> range);

// Returns the figure with the ranges of both axes determined. A logarithmic axis without anything to show becomes
// linear.
Figure with_ranges(Figure figure);

// Returns the gnuplot commands for the axes of a figure that is a result of with_ranges.
std::string axes_lines(const Figure& figure, const Canvas& canvas);

}  // namespace renyi::cli::plot
