// The axes of a figure: how far they go, where they carry numbers, and gnuplot's words for them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/plot/canvas.h"
#include "apps/cli/plot/figure.h"

namespace renyi::cli::plot {

// Where a logarithmic axis carries a number.
struct Tick {
  double at = 0;
  std::string label{};  // none: a small tick
};

// Of an axis from `from` to `to`, both positive: powers of ten, with 2 and 5 between them where there are few.
// `raised`: large and small powers are written 10^{-5}, else 1e-5.
std::vector<Tick> log_ticks(double from, double to, bool raised);

// The range that shows all of the values (positive, finite ones on a logarithmic axis), a little wider on a logarithmic
// y axis. Nothing if there is no value.
std::optional<std::pair<double, double>> range_of(const std::vector<double>& values, bool log);
// Ends moved outwards to 1, 2 or 5 times a power of ten.
std::pair<double, double> widened(std::pair<double, double> range);

// The figure with both axes settled: a logarithmic one has a range, or, if it has nothing to show, is plain instead.
Figure with_ranges(Figure figure);

// Of a figure with_ranges.
std::string axes_lines(const Figure& figure, const Canvas& canvas);

}  // namespace renyi::cli::plot
