// The axes of a figure: their ranges, and where on the page a value lies.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "apps/cli/plot/figure.h"

namespace renyi::cli::plot {

// Returns the range of all values (of the positive, finite ones on a logarithmic axis); std::nullopt if there is none.
std::optional<std::pair<double, double>> range_of(const std::vector<double>& values, bool log);
// Moves the ends of a positive range outwards to 1, 2 or 5 times a power of ten.
std::pair<double, double> widened(std::pair<double, double> range);

// Returns the figure with the ranges of both axes determined. A logarithmic axis without anything to show becomes
// linear. Throws Unsupported if no value is finite.
Figure with_ranges(Figure figure);

// Whether the value has a place on the axis.
bool is_drawable(double value, const Axis& axis);

// Maps the values of an axis whose range is determined to positions from `begin` to `end`.
class Scale {
 public:
  Scale(const Axis& axis, double begin, double end);
  double at(double value) const;

 private:
  double along(double value) const;

  bool log_;
  double from_ = 0;
  double to_ = 1;
  double begin_;
  double end_;
};

// The legend states what the picture omits: a missing part of a curve must not look like a small number. Returns the
// name of the series with that.
std::string name_in_legend(const Series& series, const Figure& figure);

// Whether an interval of the band can be told from a line.
bool is_wide(const Series& series, const Axis& axis);

// The parts of a curve between points that cannot be drawn, as (x, value).
using Piece = std::vector<std::pair<double, double>>;
std::vector<Piece> pieces_of(const Series& series, double Point::*value, const Figure& figure);

}  // namespace renyi::cli::plot
