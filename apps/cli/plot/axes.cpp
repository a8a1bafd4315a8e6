#include "apps/cli/plot/axes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/plot/text.h"
#include "apps/cli/plot/ticks.h"

namespace renyi::cli::plot {
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

void settle(Axis& axis, const std::vector<double>& values, bool widen) {
  if (!axis.log) return;
  auto range = range_of(values, true);
  if (!range) {
    axis.log = false;
    axis.from = 0;
    axis.to = axis.to.value_or(1);
    return;
  }
  if (widen || range->first == range->second) range = widened(*range);
  axis.from = axis.from.value_or(range->first);
  axis.to = axis.to.value_or(range->second);
  // Ends that were asked for, with all of the data outside.
  if (!(*axis.from < *axis.to)) axis.from = *axis.to / 10;
}

std::string ticks_line(char name, const Axis& axis, const Canvas& canvas) {
  std::vector<std::string> ticks;
  for (std::size_t i = 0; i < axis.names.size(); ++i)
    ticks.push_back(fmt::format("{} {}", in_quotes(axis.names[i]), i + 1));
  if (axis.names.empty() && axis.log) {
    for (const Tick& tick : log_ticks(*axis.from, *axis.to, !canvas.is_terminal())) {
      ticks.push_back(fmt::format("{} {}{}", in_quotes(tick.label), tick.at, tick.label.empty() ? " 1" : ""));
    }
  }
  if (ticks.empty()) return "";
  return fmt::format("set {}tics ({}){}\n", name, fmt::join(ticks, ", "), axis.names.empty() ? "" : " noenhanced");
}

// gnuplot may lose a tick that stands at the very end of a logarithmic axis.
std::string end_of_range(const std::optional<double>& end, double nudge) {
  return end ? fmt::format("{:.7g}", *end * nudge) : "*";
}

std::string scale_lines(char name, const Axis& axis, const Canvas& canvas) {
  const double outwards = axis.log ? 1 + 1e-6 : 1;
  return (axis.log ? fmt::format("set logscale {}\n", name) : "") +
         fmt::format("set {}range [{}:{}]\n", name, end_of_range(axis.from, 1 / outwards),
                     end_of_range(axis.to, outwards)) +
         ticks_line(name, axis, canvas);
}

// On a terminal that of the y axis stands in the title.
std::string label_lines(const Figure& figure, const Canvas& canvas) {
  const std::string x = in_quotes(figure.x.label), y = in_quotes(figure.y.label);
  if (canvas.is_terminal()) return fmt::format("set xlabel {} noenhanced\n", x);
  // Away from the legend below it.
  return fmt::format("set xlabel {} offset 0,0.7 noenhanced\nset ylabel {} noenhanced\n", x, y);
}

}  // namespace

Figure with_ranges(Figure figure) {
  settle(figure.x, xs_of(figure), false);
  settle(figure.y, ys_of(figure), true);
  return figure;
}

std::string axes_lines(const Figure& figure, const Canvas& canvas) {
  return label_lines(figure, canvas) + scale_lines('x', figure.x, canvas) + scale_lines('y', figure.y, canvas);
}

}  // namespace renyi::cli::plot
