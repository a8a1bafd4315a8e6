// A figure as data: what is drawn, not how.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace renyi::cli::plot {

struct Axis {
  std::string label{};
  bool log = false;
  std::optional<double> from{};  // nothing: as far as the data go
  std::optional<double> to{};
  std::vector<std::string> names{};  // what stands at 1, 2, ... instead of numbers
};

// A point, or the interval [low, high] at x.
struct Point {
  double x = 0;
  double low = 0;
  double high = 0;
};

enum class Shape {
  line,   // through `high`
  band,   // between `low` and `high`; drawn as a line where nobody could see a difference
  dots,   // at `high`
  rule,   // a vertical line at the x of its only point
  spike,  // a dot at (high, x), with a thin line from the left edge: one row of a list
};

// What a series is, which decides its colour and its dashes.
enum class Tone { exact, renyi, other, reference, highlight };

struct Series {
  std::string name{};  // the legend's words; none: not in the legend
  Shape shape = Shape::line;
  Tone tone = Tone::exact;
  std::vector<Point> points{};
  std::vector<std::string> labels{};  // of a spike's points: written to their right
};

struct Figure {
  std::string title{};
  std::string subtitle{};  // what was run
  Axis x{};
  Axis y{};
  std::vector<Series> series{};  // the first is drawn first, below the others
  std::string note{};            // below it; what is missing, and why
};

inline Point at(double x, double y) { return {x, y, y}; }

}  // namespace renyi::cli::plot
