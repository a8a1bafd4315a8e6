#include "apps/cli/plot/axes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/cli/plot/text.h"

namespace renyi::cli::plot {
namespace axes_file {
namespace {

constexpr int most_labels = 9;
constexpr double slack = 1e-9;  // ends that are powers of ten except for rounding errors get a tick

double power(int exponent) { return std::pow(10.0, exponent); }

std::string power_in_words(int exponent, bool raised) {
  constexpr int plain_from = -3, plain_to = 4;
  if (exponent >= plain_from && exponent <= plain_to) return fmt::format("{:g}", power(exponent));
  return raised ? fmt::format("10^{{{}}}", exponent) : fmt::format("1e{}", exponent);
}

struct Layout {
  double from = 1;
  double to = 10;
  int every = 1;           // decades between labels
  bool multiples = false;  // multiples by 2 and 5 have labels too
  bool raised = true;

  bool shows(double value) const { return value >= from * (1 - slack) && value <= to * (1 + slack); }
  bool labels(int exponent) const { return exponent % every == 0; }
};

std::string multiple_in_words(int digit, int exponent, bool raised) {
  const double value = digit * power(exponent);
  if (value >= 1e-3 && value < 1e5) return fmt::format("{:g}", value);
  return raised ? fmt::format("{}x10^{{{}}}", digit, exponent) : fmt::format("{}e{}", digit, exponent);
}

void add_decade(std::vector<Tick>& ticks, int exponent, const Layout& layout) {
  if (const double value = power(exponent); layout.shows(value)) {
    ticks.push_back({value, layout.labels(exponent) ? power_in_words(exponent, layout.raised) : ""});
  }
  if (layout.every > 1) return;
  for (int digit = 2; digit <= 9; ++digit) {
    const double value = digit * power(exponent);
    if (!layout.shows(value)) continue;
    const bool labelled = layout.multiples && (digit == 2 || digit == 5);
    ticks.push_back({value, labelled ? multiple_in_words(digit, exponent, layout.raised) : ""});
  }
}

}  // namespace
}  // namespace axes_file

std::vector<Tick> log_ticks(double from, double to, bool raised) {
  const double low = std::log10(from), high = std::log10(to), decades = high - low;
  const axes_file::Layout layout{from, to, std::max(1, static_cast<int>(std::ceil(decades / axes_file::most_labels))),
                                 decades < 3, raised};
  std::vector<Tick> ticks;
  for (int exponent = static_cast<int>(std::floor(low)); exponent <= static_cast<int>(std::ceil(high)); ++exponent) {
    axes_file::add_decade(ticks, exponent, layout);
  }
  return ticks;
}

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
  const double low = axes_file::power(static_cast<int>(std::floor(std::log10(range.first))));
  const double high = axes_file::power(static_cast<int>(std::floor(std::log10(range.second))));
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
  // The requested ends are kept even if all data lie outside.
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

// gnuplot may omit a tick at the very end of a logarithmic axis.
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

// On a terminal the label of the y axis is part of the title.
std::string label_lines(const Figure& figure, const Canvas& canvas) {
  const std::string x = in_quotes(figure.x.label), y = in_quotes(figure.y.label);
  if (canvas.is_terminal()) return fmt::format("set xlabel {} noenhanced\n", x);
  // This moves the label away from the legend below it.
  return fmt::format("set xlabel {} offset 0,0.7 noenhanced\nset ylabel {} noenhanced\n", x, y);
}

}  // namespace
}  // namespace axes_file

Figure with_ranges(Figure figure) {
  axes_file::settle(figure.x, axes_file::xs_of(figure), false);
  axes_file::settle(figure.y, axes_file::ys_of(figure), true);
  return figure;
}

std::string axes_lines(const Figure& figure, const Canvas& canvas) {
  return axes_file::label_lines(figure, canvas) + axes_file::scale_lines('x', figure.x, canvas) +
         axes_file::scale_lines('y', figure.y, canvas);
}

}  // namespace renyi::cli::plot
