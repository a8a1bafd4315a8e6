#include "api/figure/finish.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "api/figure/sampling.h"
#include "renyi/error.h"

namespace renyi::api::figure {

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

namespace finish_file {
namespace {

std::vector<double> xs_of(const Figure& figure) {
  std::vector<double> values;
  for (const Series& series : figure.series) values.insert(values.end(), series.curve.x.begin(), series.curve.x.end());
  for (const Mark& mark : figure.marks) {
    if (mark.x && mark.y) values.push_back(*mark.x);
  }
  return values;
}

std::vector<double> ys_of(const Figure& figure, bool of_masses) {
  std::vector<double> values;
  for (const Series& series : figure.series) {
    if (series.on_masses != of_masses) continue;
    values.insert(values.end(), series.curve.y.begin(), series.curve.y.end());
    if (series.lower) values.insert(values.end(), series.lower->y.begin(), series.lower->y.end());
  }
  for (const Mark& mark : figure.marks) {
    if (mark.x && mark.y && !of_masses) values.push_back(*mark.y);
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

const Axis& y_of(const Series& series, const Figure& figure) {
  return series.on_masses && figure.masses ? *figure.masses : figure.y;
}

bool has_a_point(const Series& series, const Figure& figure) {
  for (std::size_t i = 0; i < series.curve.size(); ++i) {
    if (is_drawable(series.curve.x[i], figure.x) && is_drawable(series.curve.y[i], y_of(series, figure))) return true;
  }
  return false;
}

bool is_wide(const Series& series, const Axis& axis) {
  if (!series.lower) return false;
  for (std::size_t i = 0; i < series.lower->size(); ++i) {
    const double upper = value_at(series.curve, series.lower->x[i]);
    if (figure::is_wide({series.lower->y[i], upper}, axis)) return true;
  }
  return false;
}

std::string name_in_legend(const Series& series, const Figure& figure) {
  if (series.name.empty()) return "";
  const Axis& axis = series.shape == Shape::rows ? figure.x : y_of(series, figure);
  bool infinite = false, zero = false, unknown = false;
  for (const double y : series.shape == Shape::rows ? series.curve.x : series.curve.y) {
    if (series.shape == Shape::area || is_drawable(y, axis)) continue;
    unknown = unknown || std::isnan(y);
    infinite = infinite || std::isinf(y);
    zero = zero || y == 0;
  }
  std::string name = series.name;
  if (is_wide(series, axis)) name += ": between these ends";
  if (infinite) name += " (infinite where not drawn)";
  if (zero) name += " (0 where not drawn)";
  if (unknown) name += " (unknown where not drawn)";
  return name;
}

constexpr double room = 1e-12;

// Probabilities stay at most 1, which they are already.
void move(Curve& curve, bool up, double most) {
  for (double& y : curve.y) {
    if (!std::isfinite(y) || y == 0 || y == most) continue;
    const double moved = up ? y + std::abs(y) * room : y - std::abs(y) * room;
    y = y < most ? std::min(moved, most) : moved;
  }
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return parts;
}

// The words that all runs have in common; empty if there are none.
std::string common_words(const std::vector<Figure>& figures) {
  std::vector<std::string> common;
  for (const std::string& words : parts_of(figures.front().subtitle)) {
    const bool everywhere = std::all_of(figures.begin(), figures.end(), [&](const Figure& figure) {
      const auto others = parts_of(figure.subtitle);
      return std::find(others.begin(), others.end(), words) != others.end();
    });
    if (everywhere) common.push_back(words);
  }
  return fmt::format("{}", fmt::join(common, ", "));
}

bool has_role(const Figure& figure, Role role) {
  return std::any_of(figure.series.begin(), figure.series.end(), [&](const Series& s) { return s.role == role; });
}

void widen(std::optional<double>& from, std::optional<double>& to, const Axis& other) {
  from = from && other.from ? std::optional(std::min(*from, *other.from)) : std::nullopt;
  to = to && other.to ? std::optional(std::max(*to, *other.to)) : std::nullopt;
}

}  // namespace
}  // namespace finish_file

Figure finished(Figure figure) {
  using namespace finish_file;
  if (figure.heat) {
    settle(figure.x, {}, false);
    settle(figure.y, {}, false);
    return figure;
  }
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const bool probabilities = figure.y.to == 1.0;
  for (Series& series : figure.series) {
    // Nothing lies between the points of these.
    if (series.bound == Bound::estimate || series.shape != Shape::line) continue;
    move(series.curve, series.bound == Bound::upper, probabilities ? 1 : infinite);
    if (series.lower) move(*series.lower, false, infinite);
  }
  settle(figure.x, xs_of(figure), false);
  settle(figure.y, ys_of(figure, false), true);
  if (figure.masses) settle(*figure.masses, ys_of(figure, true), true);
  const bool any = std::any_of(figure.series.begin(), figure.series.end(), [&](const Series& series) {
    return series.role != Role::reference && has_a_point(series, figure);
  });
  if (!any) {
    throw Unsupported("", "there is nothing to draw: no value of this plot is finite",
                      "ask for another kind, such as profile, or for another range");
  }
  for (Series& series : figure.series) series.name = name_in_legend(series, figure);
  return figure;
}

Figure overlaid(std::vector<Figure> figures, const std::vector<std::string>& labels) {
  using namespace finish_file;
  const auto is_exact = [](const Figure& figure) { return has_role(figure, Role::exact); };
  const bool all_exact = std::all_of(figures.begin(), figures.end(), is_exact);
  const bool any_exact = std::any_of(figures.begin(), figures.end(), is_exact);
  const bool is_comparison = figures.front().kind == "closed-form";
  const bool has_bounds = has_role(figures.front(), Role::renyi) && !is_comparison;
  Figure result = figures.front();
  result.series.clear();
  result.marks.clear();
  result.subtitle = common_words(figures);
  result.runs = labels;
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    Figure& figure = figures[i];
    widen(result.x.from, result.x.to, figure.x);
    widen(result.y.from, result.y.to, figure.y);
    if (!figure.note.empty()) notes.push_back(fmt::format("{}: {}", labels[i], figure.note));
    bool named = false;
    for (Series& series : figure.series) {
      const bool best =
          is_exact(figure) ? series.role == Role::exact || series.role == Role::other : series.role == Role::renyi;
      if (!best && !(is_comparison && series.role == Role::renyi)) continue;
      series.name = named ? "" : labels[i];
      if (series.dashed) series.name = i == 0 ? "closed form 2q²α/σ² a step, where its conditions hold" : "";
      if (!series.name.empty() && any_exact && !is_exact(figure)) series.name += " (Rényi bound)";
      named = true;
      series.run = i;
      result.series.push_back(std::move(series));
    }
  }
  if (all_exact && has_bounds) result.y.label += " (exact)";
  result.note = fmt::format("{}", fmt::join(notes, "; "));
  return result;
}

}  // namespace renyi::api::figure
