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

using Line = std::vector<std::string>;

// Splits a line of CSV (RFC 4180). Line ends within quotes do not occur in rows of sweeps.
Line cells_of(std::string_view line) {
  Line cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const bool doubled = quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (doubled) cells.back() += line[++i];
      if (!doubled) quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  return cells;
}

double number_in(const std::string& cell) {
  if (cell == "inf") return std::numeric_limits<double>::infinity();
  double value = std::nan("");
  std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return value;
}

// The column that is drawn, and what it is called.
struct Shown {
  std::string_view column;
  std::string_view instead{};  // where the first has no value
  std::string label{};
};

std::string label_of(std::string name);

// `first` is the first row, which names the number that was solved for.
Shown shown_in(const Line& header, const Line& first) {
  const auto has = [&](std::string_view title) {
    return std::find(header.begin(), header.end(), title) != header.end();
  };
  const auto parameter =
      static_cast<std::size_t>(std::find(header.begin(), header.end(), "parameter") - header.begin());
  if (has("value")) return {"value", {}, parameter < first.size() ? label_of(first[parameter]) : "value"};
  const bool is_delta = has("renyi_delta");
  const std::string_view renyi = is_delta ? "renyi_delta" : "renyi_epsilon";
  const std::string symbol = is_delta ? "δ" : "ε";
  if (!has("exact_upper")) return {renyi, {}, symbol + " (Rényi bound)"};
  return {"exact_upper", has(renyi) ? renyi : std::string_view(), symbol + " (rounded up)"};
}

std::vector<double> values_in(const std::string& rows, const Line& header, const Shown& shown) {
  std::istringstream lines(rows);
  std::vector<double> values;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const Line cells = cells_of(line);
    const auto value_of = [&](std::string_view title) {
      const auto column = static_cast<std::size_t>(std::find(header.begin(), header.end(), title) - header.begin());
      return column < cells.size() ? number_in(cells[column]) : std::nan("");
    };
    const double value = value_of(shown.column);
    values.push_back(std::isnan(value) && !shown.instead.empty() ? value_of(shown.instead) : value);
  }
  return values;
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

Figure curve_of(const Axis& axis, const std::vector<double>& values, const Shown& shown) {
  Figure figure{.title = fmt::format("{} against {}", shown.label, label_of(axis)),
                .x = {.label = label_of(axis)},
                .y = {.label = shown.label}};
  Series curve{.name = shown.label};
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
Figure map_of(const Grid& grid, std::vector<double> values, const Shown& shown) {
  const Axis &rows = grid.axes[0], &columns = grid.axes[1];
  Figure figure{.title = fmt::format("{} against {} and {}", shown.label, label_of(columns), label_of(rows)),
                .x = {.label = label_of(columns), .names = names_of(columns)},
                .y = {.label = label_of(rows), .names = names_of(rows)}};
  const auto missing = std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); });
  if (missing > 0) figure.note = fmt::format("{} of {} cells have no answer", missing, values.size());
  figure.heat = Heat{shown.label, std::move(values)};
  return figure;
}

Figure figure_of(const Grid& grid, std::vector<double> values, const Shown& shown) {
  return grid.axes.size() == 1 ? curve_of(grid.axes.front(), values, shown) : map_of(grid, std::move(values), shown);
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

Figure sweep_figure(const api::sweep::Grid& grid, const std::string& rows) {
  using namespace plot_sweep_file;
  std::istringstream lines(rows);
  std::string line;
  std::getline(lines, line);
  const Line header = cells_of(line);
  std::getline(lines, line);
  const Shown shown = shown_in(header, cells_of(line));
  return figure_of(grid, values_in(rows, header, shown), shown);
}

Figure sweep_figure(const api::sweep::Grid& grid, const api::sweep::Figures& figures) {
  using namespace plot_sweep_file;
  const bool is_cost = figures.name == "epsilon" || figures.name == "delta";
  const Shown shown{.column = {}, .label = label_of(figures.name) + (is_cost ? " (rounded up)" : "")};
  std::vector<double> values;
  for (const api::sweep::Figure& figure : figures.values) values.push_back(figure.value.value_or(std::nan("")));
  return figure_of(grid, std::move(values), shown);
}

}  // namespace renyi::cli::plot
