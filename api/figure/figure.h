// A figure as data: its axes, its curves, and the rule by which each curve continues between its points
// (docs/format/figure.md). Its texts are in UTF-8, with Greek letters and raised digits.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/figure/rule.h"

namespace renyi::api::figure {

struct Axis {
  std::string label{};
  bool log = false;
  std::optional<double> from{};  // both ends are set in a finished figure; else the axis covers the data
  std::optional<double> to{};
  std::vector<std::string> names{};  // labels at 1, 2, ... instead of numbers
};

// Whether the value has a place on the axis.
inline bool is_drawable(double value, const Axis& axis) { return std::isfinite(value) && (!axis.log || value > 0); }

enum class Shape {
  line,    // the curve
  area,    // filled from the curve down to 0
  points,  // dots at the points
  rows,    // a dot at each point, with a thin line from the left edge and a label to the right: a list
  masses,  // a vertical line from the lower edge up to each point
};

// The role of a series, which determines its colour and its dashes.
enum class Role { exact, renyi, other, reference, highlight };

// What a curve is; an estimate bounds nothing.
enum class Bound { upper, lower, estimate };

struct Series {
  std::string name{};  // text in the legend; if empty, the series is not in the legend
  Role role = Role::exact;
  Shape shape = Shape::line;
  Bound bound = Bound::upper;
  Curve curve{};
  std::optional<Curve> lower{};       // the lower ends; the series is a band
  std::optional<std::size_t> run{};   // the number of its run or of its line among equals, which determines the colour
  bool dashed = false;                // it differs by its dashes from another series of the same run
  bool on_masses = false;             // its values belong to the axis of masses
  std::vector<std::string> labels{};  // the labels of rows
};

// A point, or a vertical or a horizontal line if it has one coordinate.
struct Mark {
  std::optional<double> x{};
  std::optional<double> y{};
  std::string text{};
  Role role = Role::reference;
  std::optional<std::size_t> run{};
};

// The cells of a heat map, whose columns and rows are the names of the axes.
struct Heat {
  std::string label{};           // what the values are
  std::vector<double> values{};  // row by row, the lowest row first; NaN if there is no value
};

struct Figure {
  std::string kind{};
  std::string title{};
  std::string subtitle{};  // describes the run
  std::string note{};      // what is missing, and why
  Axis x{};
  Axis y{};
  std::optional<Axis> masses{};
  std::vector<std::string> runs{};  // the labels of several runs
  std::vector<Series> series{};     // the first is drawn first, below the others
  std::vector<Mark> marks{};
  std::optional<Heat> heat{};  // if it has a value, there are no series
};

}  // namespace renyi::api::figure
