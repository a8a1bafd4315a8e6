// The least of several lines, each of which is an upper bound everywhere, as a polygon (docs/math/figures.md, "Lines").
#pragma once

#include <vector>

#include "api/figure/rule.h"

namespace renyi::api::figure {

// v = at + slope u, in coordinates u and v.
struct Line {
  double slope = 0;
  double at = 0;  // the value at u = 0
  double value(double u) const { return at + slope * u; }
};

// Returns the corners of the least of the lines from `from` to `to`, and both ends. The greatest of lines is the
// negative of the least of their negatives.
std::vector<Point> least_polygon(const std::vector<Line>& lines, double from, double to);
std::vector<Point> greatest_polygon(const std::vector<Line>& lines, double from, double to);

// Returns the larger one of two curves that are straight between their points, and its corners.
std::vector<Point> maximum(const std::vector<Point>& a, const std::vector<Point>& b);

Curve curve_of(const std::vector<Point>& points, Rule rule);

}  // namespace renyi::api::figure
