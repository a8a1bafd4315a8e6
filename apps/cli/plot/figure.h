// A figure as data: it states what is drawn, not how. Its texts are in UTF-8, with Greek letters and raised digits; a
// terminal gets them in plain characters (text.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace renyi::cli::plot {

struct Axis {
  std::string label{};
  bool log = false;
  std::optional<double> from{};  // without a value, the axis covers the data
  std::optional<double> to{};
  std::vector<std::string> names{};  // labels at 1, 2, ... instead of numbers
};

// A point, or the interval [low, high] at x.
struct Point {
  double x = 0;
  double low = 0;
  double high = 0;
};

enum class Shape {
  line,   // through `high`
  band,   // between `low` and `high`; drawn as a line if it is too narrow to see
  area,   // filled from `low` up to `high`
  dots,   // at `high`
  rule,   // a vertical line at the x of its only point
  spike,  // a dot at (high, x), with a thin line from the left edge: one row of a list
};

// The role of a series, which determines its colour and its dashes.
enum class Tone { exact, renyi, other, reference, highlight };

struct Series {
  std::string name{};  // text in the legend; if empty, the series is not in the legend
  Shape shape = Shape::line;
  Tone tone = Tone::exact;
  std::vector<Point> points{};
  std::vector<std::string> labels{};  // labels to the right of a spike's points
  std::optional<std::size_t> run{};   // the number of its run among several, which determines the look instead
};

// The cells of a heat map, whose columns and rows are the names of the axes.
struct Heat {
  std::string label{};           // what the values are
  std::vector<double> values{};  // row by row, the lowest row first; NaN if there is no value
};

struct Figure {
  std::string title{};
  std::string subtitle{};  // describes the run
  Axis x{};
  Axis y{};
  std::vector<Series> series{};  // the first is drawn first, below the others
  std::optional<Heat> heat{};    // if it has a value, there are no series
  std::string note{};            // text below the subtitle: what is missing, and why
};

inline Point at(double x, double y) { return {x, y, y}; }

}  // namespace renyi::cli::plot
