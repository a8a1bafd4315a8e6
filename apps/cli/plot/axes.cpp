#include "apps/cli/plot/axes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "renyi/error.h"

namespace renyi::cli::plot {

std::optional<std::pair<double, double>> range_of(const std::vector<double>& values, bool log) {
  std::optional<std::pair<double, double>> range;
  for (const double value : values) {
    if (!std::isfinite(value) || (log && value <= 0)) continue;
    if (!range) range = {value, value};
    range = {std::min(range->first, value), std::max(range->second, value)};
  }
  return range;
}

std::pair<double, double> widened(std::pair<double, double> range) {
  constexpr std::array<double, 4> upwards{1, 2, 5, 10}, downwards{10, 5, 2, 1};
  // Powers of ten below the normal doubles are rounded coarsely, or to 0.
  range.first = std::max(range.first, std::numeric_limits<double>::min());
  range.second = std::max(range.second, range.first);
  const double low = std::pow(10.0, std::floor(std::log10(range.first)));
  const double high = std::pow(10.0, std::floor(std::log10(range.second)));
  double from = low, to = 10 * high;
  for (const double digit : upwards) {
    if (digit * low <= range.first) from = digit * low;
  }
  for (const double digit : downwards) {
    if (digit * high >= range.second) to = digit * high;
  }
  return from < to ? std::pair(from, to) : std::pair(from / 2, to * 2);
}

namespace axes_file {
namespace {

std::vector<double> xs_of(const Figure& figure) {
  std::vector<double> values;
  for (const Series& series : figure.series) {
    for (const Point& point : series.points) values.push_back(series.shape == Shape::spike ? point.high : point.x);
  }
  return values;
}

std::vector<double> ys_of(const Figure& figure) {
  std::vector<double> values;
  for (const Series& series : figure.series) {
    if (series.shape == Shape::rule || series.shape == Shape::spike) continue;
    for (const Point& point : series.points) {
      values.push_back(point.high);
      if (series.shape == Shape::band) values.push_back(point.low);
    }
  }
  return values;
}

// A linear axis of positive values starts at 0, unless the values are close together.
std::pair<double, double> linear_range(std::pair<double, double> range, bool widen) {
  constexpr double close = 0.5, margin = 0.05;
  if (range.first >= 0 && range.first <= close * range.second) range.first = 0;
  const double length = range.second > range.first ? range.second - range.first : std::max(1.0, std::abs(range.first));
  if (range.first == range.second)
    return {range.first - (range.first == 0 ? 0 : length / 2), range.second + length / 2};
  if (!widen) return range;
  return {range.first == 0 ? 0 : range.first - margin * length, range.second + margin * length};
}

void settle(Axis& axis, const std::vector<double>& values, bool widen) {
  if (!axis.names.empty() && !axis.from) {
    axis.from = 0.5;
    axis.to = static_cast<double>(axis.names.size()) + 0.5;
  }
  if (axis.log && axis.from && *axis.from <= 0) axis.from.reset();
  auto range = range_of(values, axis.log);
  if (!range && axis.log) {
    axis.log = false;
    axis.from = 0;
    range = {0, 1};
  }
  if (!range) range = {0, 1};
  if (!axis.log) {
    range = linear_range(*range, widen);
  } else if (widen || range->first == range->second) {
    range = widened(*range);
  }
  axis.from = axis.from.value_or(range->first);
  axis.to = axis.to.value_or(range->second);
  // The requested ends are kept even if all data lie outside.
  if (!(*axis.from < *axis.to)) axis.from = axis.log ? *axis.to / 10 : *axis.to - 1;
  // Ends that differ only by rounding leave no room for ticks.
  constexpr double least_span = 1e-9;
  const double size = least_span * std::max(std::abs(*axis.from), std::abs(*axis.to));
  if (*axis.to - *axis.from < size) {
    axis.from = *axis.from - size;
    axis.to = *axis.to + size;
  }
}

bool has_a_point(const Series& series, const Figure& figure) {
  if (series.shape == Shape::rule) return false;
  const bool is_spike = series.shape == Shape::spike;
  return std::any_of(series.points.begin(), series.points.end(), [&](const Point& point) {
    return is_spike ? is_drawable(point.high, figure.x)
                    : is_drawable(point.x, figure.x) && is_drawable(point.high, figure.y);
  });
}

// An interval narrower than this looks like a line: it is half a pixel of 500.
constexpr double visible = 1e-3;

bool is_wide_at(const Point& point, const Axis& axis) {
  if (!std::isfinite(point.high)) return false;
  if (axis.log) return !(point.low > 0) || std::log10(point.high / point.low) > visible;
  return point.high - point.low > visible * std::max(1.0, std::abs(point.high));
}

}  // namespace
}  // namespace axes_file

bool is_drawable(double value, const Axis& axis) { return std::isfinite(value) && (!axis.log || value > 0); }

Figure with_ranges(Figure figure) {
  axes_file::settle(figure.x, axes_file::xs_of(figure), false);
  axes_file::settle(figure.y, axes_file::ys_of(figure), true);
  const bool any = std::any_of(figure.series.begin(), figure.series.end(),
                               [&](const Series& series) { return axes_file::has_a_point(series, figure); });
  if (!any && !figure.heat)
    throw Unsupported("", "there is nothing to draw: no value of this plot is finite",
                      "ask for another kind, such as profile");
  return figure;
}

bool is_wide(const Series& series, const Axis& axis) {
  return std::any_of(series.points.begin(), series.points.end(),
                     [&](const Point& point) { return axes_file::is_wide_at(point, axis); });
}

std::string name_in_legend(const Series& series, const Figure& figure) {
  if (series.name.empty()) return "";
  const Axis& axis = series.shape == Shape::spike ? figure.x : figure.y;
  bool infinite = false, zero = false, unknown = false;
  for (const Point& point : series.points) {
    if (series.shape == Shape::rule || series.shape == Shape::area || is_drawable(point.high, axis)) continue;
    unknown = unknown || std::isnan(point.high);
    infinite = infinite || std::isinf(point.high);
    zero = zero || point.high == 0;
  }
  std::string name = series.name;
  if (series.shape == Shape::band && is_wide(series, figure.y)) name += ": between these ends";
  if (infinite) name += " (infinite where not drawn)";
  if (zero) name += " (0 where not drawn)";
  if (unknown) name += " (unknown where not drawn)";
  return name;
}

std::vector<Piece> pieces_of(const Series& series, double Point::*value, const Figure& figure) {
  std::vector<Piece> pieces;
  bool connected = false;
  for (const Point& point : series.points) {
    const bool shown = is_drawable(point.x, figure.x) && is_drawable(point.*value, figure.y);
    if (shown && !connected) pieces.emplace_back();
    if (shown) pieces.back().emplace_back(point.x, point.*value);
    connected = shown;
  }
  return pieces;
}

Scale::Scale(const Axis& axis, double begin, double end) : log_(axis.log), begin_(begin), end_(end) {
  from_ = along(axis.from.value());
  to_ = along(axis.to.value());
}

double Scale::along(double value) const { return log_ ? std::log(value) : value; }

double Scale::at(double value) const { return begin_ + (end_ - begin_) * (along(value) - from_) / (to_ - from_); }

}  // namespace renyi::cli::plot
