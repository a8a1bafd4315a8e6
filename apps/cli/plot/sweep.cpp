#include "apps/cli/plot/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "apps/cli/plot/requests.h"
#include "apps/cli/plot/text.h"
#include "renyi/error.h"

namespace renyi::cli::plot {
namespace plot_sweep_file {
namespace {

using api::sweep::Axis;
using api::sweep::Grid;

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

std::string label_of(const Axis& axis) { return label_of(axis.path); }

std::vector<std::string> names_of(const Axis& axis) {
  std::vector<std::string> names;
  for (const api::Document& value : axis.values) {
    std::string text = value.text();
    std::erase(text, '"');
    const double number = number_in(text);
    names.push_back(std::isfinite(number) ? in_figure(number) : text);
  }
  return names;
}

Figure curve_of(const Axis& axis, const std::vector<double>& values, const std::string& label) {
  Figure figure{.title = fmt::format("{} against {}", label, label_of(axis)),
                .x = {.label = label_of(axis)},
                .y = {.label = label}};
  Series curve{.name = label};
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = number_in(axis.values[i].text());
    if (std::isnan(x)) throw Unsupported("", fmt::format("the axis {} has no numbers to draw", axis.path), "numbers");
    least = std::min(least, x);
    most = std::max(most, x);
    curve.points.push_back(at(x, values[i]));
  }
  constexpr double wide = 50;
  figure.x.log = least > 0 && most > wide * least;
  std::sort(curve.points.begin(), curve.points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  Series dots = curve;
  dots.name.clear();
  dots.shape = Shape::dots;
  figure.series = {std::move(curve), std::move(dots)};
  return figure;
}

// The last axis of a grid varies fastest: its values are the columns.
Figure map_of(const Grid& grid, std::vector<double> values, const std::string& label) {
  const Axis &rows = grid.axes[0], &columns = grid.axes[1];
  Figure figure{.title = fmt::format("{} against {} and {}", label, label_of(columns), label_of(rows)),
                .x = {.label = label_of(columns), .names = names_of(columns)},
                .y = {.label = label_of(rows), .names = names_of(rows)}};
  const auto missing = std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); });
  if (missing > 0) figure.note = fmt::format("{} of {} cells have no answer", missing, values.size());
  figure.heat = Heat{label, std::move(values)};
  return figure;
}

}  // namespace
}  // namespace plot_sweep_file

void check_axes(const api::sweep::Grid& grid, const std::string& flag) {
  if (grid.axes.empty() || grid.axes.size() > 2) {
    throw InvalidArgument(flag, fmt::format("a grid of {} axes", grid.axes.size()),
                          "one axis, drawn as a curve, or two, drawn as a heat map");
  }
  for (const api::sweep::Axis& axis : grid.axes) {
    if (axis.values.size() <= plot_sweep_file::most_values) continue;
    throw InvalidArgument(flag, fmt::format("{} values of {}", axis.values.size(), axis.path),
                          fmt::format("at most {} in a figure", plot_sweep_file::most_values));
  }
}

Figure sweep_figure(const api::sweep::Grid& grid, const api::sweep::Figures& figures) {
  using namespace plot_sweep_file;
  const bool is_cost = figures.name == "epsilon" || figures.name == "delta";
  const char* const standing = figures.by_renyi_only ? " (Rényi bound)" : " (rounded up)";
  const std::string label = label_of(figures.name) + (is_cost ? standing : "");
  std::vector<double> values;
  for (const api::sweep::Figure& figure : figures.values) values.push_back(figure.value.value_or(std::nan("")));
  return grid.axes.size() == 1 ? curve_of(grid.axes.front(), values, label) : map_of(grid, std::move(values), label);
}

}  // namespace renyi::cli::plot
