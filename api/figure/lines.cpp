#include "api/figure/lines.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace renyi::api::figure {
namespace lines_file {
namespace {

// The line that is least at u, and just to the right of it.
std::size_t least_at(const std::vector<Line>& lines, double u) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const double difference = lines[i].value(u) - lines[best].value(u);
    if (difference < 0 || (difference == 0 && lines[i].slope < lines[best].slope)) best = i;
  }
  return best;
}

double straight(const Point& a, const Point& b, double x) { return value_between(Rule::linear, a, b, x); }

double value_of(const std::vector<Point>& points, double x) {
  const auto right =
      std::lower_bound(points.begin(), points.end(), x, [](const Point& p, double at) { return p.x < at; });
  if (right == points.begin()) return points.front().y;
  if (right == points.end()) return points.back().y;
  return straight(*(right - 1), *right, x);
}

}  // namespace
}  // namespace lines_file

std::vector<Point> least_polygon(const std::vector<Line>& lines, double from, double to) {
  std::vector<Point> corners;
  if (lines.empty()) return corners;
  std::size_t now = lines_file::least_at(lines, from);
  corners.push_back({from, lines[now].value(from)});
  for (;;) {
    // The next line is the one that crosses this one first, from above; of several, the flattest for longest.
    double nearest = to;
    std::size_t next = now;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!(lines[i].slope < lines[now].slope)) continue;
      const double crossing = (lines[i].at - lines[now].at) / (lines[now].slope - lines[i].slope);
      if (crossing < nearest || (crossing == nearest && next != now && lines[i].slope < lines[next].slope)) {
        nearest = std::max(crossing, corners.back().x);
        next = i;
      }
    }
    if (next == now) break;
    const double corner = std::max(lines[now].value(nearest), lines[next].value(nearest));
    if (nearest > corners.back().x) corners.push_back({nearest, corner});
    now = next;
  }
  if (to > corners.back().x) corners.push_back({to, lines[now].value(to)});
  return corners;
}

std::vector<Point> greatest_polygon(const std::vector<Line>& lines, double from, double to) {
  std::vector<Line> negative;
  for (const Line& line : lines) negative.push_back({-line.slope, -line.at});
  std::vector<Point> corners = least_polygon(negative, from, to);
  for (Point& corner : corners) corner.y = -corner.y;
  return corners;
}

std::vector<Point> maximum(const std::vector<Point>& a, const std::vector<Point>& b) {
  using namespace lines_file;
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  std::vector<double> xs;
  for (const Point& point : a) xs.push_back(point.x);
  for (const Point& point : b) xs.push_back(point.x);
  std::sort(xs.begin(), xs.end());
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  std::vector<Point> larger;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const double here = value_of(a, xs[i]), there = value_of(b, xs[i]);
    if (i > 0) {
      const double before = value_of(a, xs[i - 1]) - value_of(b, xs[i - 1]), after = here - there;
      if (before * after < 0) {
        const double x = xs[i - 1] + (xs[i] - xs[i - 1]) * (before / (before - after));
        if (x > xs[i - 1] && x < xs[i]) larger.push_back({x, std::max(value_of(a, x), value_of(b, x))});
      }
    }
    larger.push_back({xs[i], std::max(here, there)});
  }
  return larger;
}

Curve curve_of(const std::vector<Point>& points, Rule rule) {
  Curve curve{.rule = rule};
  for (const Point& point : points) curve.add(point.x, point.y);
  return curve;
}

}  // namespace renyi::api::figure
