// Draws the figures of a grid: along one axis as a curve, of two axes as a heat map.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "api/figure/finish.h"
#include "api/figure/lines.h"
#include "api/figure/records.h"
#include "api/figure/words.h"
#include "renyi/error.h"

namespace renyi::api::figure {
namespace sweep_file {
namespace {

using sweep::Grid;
using GridAxis = sweep::Axis;

constexpr std::size_t most_values = 200;  // the length of an axis

double number_in(const std::string& cell) {
  if (cell == "inf") return std::numeric_limits<double>::infinity();
  double value = std::nan("");
  std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return value;
}

// Returns "noise multiplier σ" for "steps[0].noise_multiplier".
std::string label_of(std::string name) {
  name.erase(0, name.rfind('.') + 1);
  if (name == "noise_multiplier") return "noise multiplier σ";
  if (name == "sampling_rate" || name == "rate") return "sampling rate q";
  if (name == "count") return "steps";
  if (name == "epsilon") return "ε";
  if (name == "delta") return "δ";
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string label_of(const GridAxis& axis) { return label_of(axis.path); }

std::vector<std::string> names_of(const GridAxis& axis) {
  std::vector<std::string> names;
  for (const Document& value : axis.values) {
    std::string text = value.text();
    std::erase(text, '"');
    const double number = number_in(text);
    names.push_back(std::isfinite(number) ? in_figure(number) : text);
  }
  return names;
}

// Costs rise with rates and counts, and fall with noise: then a step bounds them between the values of the axis.
// Nothing is known between others.
std::optional<Rule> rule_of(std::string name, bool is_cost) {
  // The number of steps of a run by its sizes depends on its rate.
  const bool of_a_step = name.starts_with("steps[");
  name.erase(0, name.rfind('.') + 1);
  if (!is_cost) return std::nullopt;
  for (const std::string_view rising : {"count", "steps", "epochs"}) {
    if (name == rising) return Rule::next;
  }
  if (of_a_step && (name == "sampling_rate" || name == "rate")) return Rule::next;
  for (const std::string_view falling : {"noise_multiplier", "scale", "stddev", "delta", "epsilon"}) {
    if (name == falling) return Rule::previous;
  }
  return std::nullopt;
}

Figure drawn_as_curve(const GridAxis& axis, const std::vector<double>& values, const std::string& label, bool is_cost) {
  Figure figure{.kind = "sweep",
                .title = fmt::format("{} against {}", label, label_of(axis)),
                .x = {.label = label_of(axis)},
                .y = {.label = label}};
  std::vector<Point> points;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = number_in(axis.values[i].text());
    if (std::isnan(x)) throw Unsupported("", fmt::format("the axis {} has no numbers to draw", axis.path), "numbers");
    points.push_back({x, values[i]});
  }
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  constexpr double wide = 50;
  figure.x.log = points.front().x > 0 && points.back().x > wide * points.front().x;
  const auto rule = rule_of(axis.path, is_cost);
  Series dots{.name = rule ? "" : label, .shape = Shape::points, .curve = curve_of(points, rule.value_or(Rule::next))};
  if (rule) figure.series.push_back({.name = label, .curve = dots.curve});
  figure.series.push_back(std::move(dots));
  return figure;
}

// The last axis of a grid varies fastest: its values are the columns.
Figure map_of(const Grid& grid, std::vector<double> values, const std::string& label) {
  const GridAxis &rows = grid.axes[0], &columns = grid.axes[1];
  Figure figure{.kind = "heat",
                .title = fmt::format("{} against {} and {}", label, label_of(columns), label_of(rows)),
                .x = {.label = label_of(columns), .names = names_of(columns)},
                .y = {.label = label_of(rows), .names = names_of(rows)}};
  const auto missing = std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); });
  if (missing > 0) figure.note = fmt::format("{} of {} cells have no answer", missing, values.size());
  figure.heat = Heat{label, std::move(values)};
  return figure;
}

}  // namespace
}  // namespace sweep_file

void check_axes(const sweep::Grid& grid, const std::string& flag) {
  if (grid.axes.empty() || grid.axes.size() > 2) {
    throw InvalidArgument(flag, fmt::format("a grid of {} axes", grid.axes.size()),
                          "one axis, drawn as a curve, or two, drawn as a heat map");
  }
  for (const sweep::Axis& axis : grid.axes) {
    if (axis.values.size() <= sweep_file::most_values) continue;
    throw InvalidArgument(flag, fmt::format("{} values of {}", axis.values.size(), axis.path),
                          fmt::format("at most {} in a figure", sweep_file::most_values));
  }
}

Figure sweep_figure(const sweep::Grid& grid, const sweep::Figures& figures) {
  using namespace sweep_file;
  const bool is_cost = figures.name == "epsilon" || figures.name == "delta";
  const char* const standing = figures.by_renyi_only ? " (Rényi bound)" : " (rounded up)";
  const std::string label = label_of(figures.name) + (is_cost ? standing : "");
  std::vector<double> values;
  for (const sweep::Figure& figure : figures.values) values.push_back(figure.value.value_or(std::nan("")));
  return finished(grid.axes.size() == 1 ? drawn_as_curve(grid.axes.front(), values, label, is_cost)
                                        : map_of(grid, std::move(values), label));
}

}  // namespace renyi::api::figure
