#include "apps/cli/plot/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/plot/look.h"
#include "apps/cli/plot/text.h"

namespace renyi::cli::plot {
namespace {

// An interval this narrow looks like a line: half a pixel of 500.
constexpr double visible = 1e-3;

bool is_drawable(double value, const Axis& axis) { return std::isfinite(value) && (!axis.log || value > 0); }

bool is_wide(const Point& point, const Axis& axis) {
  if (!std::isfinite(point.high)) return false;
  if (axis.log) return !(point.low > 0) || std::log10(point.high / point.low) > visible;
  return point.high - point.low > visible * std::max(1.0, std::abs(point.high));
}

bool is_wide(const Series& series, const Axis& axis) {
  return std::any_of(series.points.begin(), series.points.end(), [&](const Point& p) { return is_wide(p, axis); });
}

// What the picture leaves out is said in the legend: a missing stretch must not look like a small number.
std::string name_of(const Series& series, const Axis& y) {
  if (series.name.empty()) return "";
  bool infinite = false, zero = false, unknown = false;
  for (const Point& point : series.points) {
    if (series.shape == Shape::rule || is_drawable(point.high, y)) continue;
    unknown = unknown || std::isnan(point.high);
    infinite = infinite || std::isinf(point.high);
    zero = zero || point.high == 0;
  }
  std::string name = series.name;
  if (series.shape == Shape::band && is_wide(series, y)) name += ": between these ends";
  if (infinite) name += " (infinite where not drawn)";
  if (zero) name += " (0 where not drawn)";
  if (unknown) name += " (unknown where not drawn)";
  return name;
}

std::string title_of(const std::string& name) {
  return name.empty() ? "notitle" : "title " + in_quotes(name) + " noenhanced";
}

// One column of y; an empty line, where the value cannot be drawn, interrupts the line.
template <class Value>
std::string column(const Series& series, const Axis& x, const Axis& y, const Value& value) {
  std::string text;
  for (const Point& point : series.points) {
    const bool shown = is_drawable(point.x, x) && is_drawable(value(point), y);
    if (shown) {
      text += fmt::format("{} {}\n", point.x, value(point));
    } else if (!text.empty() && !text.ends_with("\n\n")) {
      text += '\n';
    }
  }
  return text;
}

class Writer {
 public:
  Writer(const Figure& figure, const Canvas& canvas) : figure_(figure), canvas_(canvas) {}

  void add(const Series& series) {
    switch (series.shape) {
      case Shape::line: return add_curve(series, "lines " + line_look(series.tone, canvas_));
      case Shape::dots: return add_curve(series, "points " + dot_look(series.tone, canvas_));
      case Shape::band: return add_band(series);
      case Shape::rule: return add_rule(series);
      case Shape::spike: return add_spikes(series);
    }
  }

  Drawn result() && { return std::move(drawn_); }

 private:
  // The name of a new data block, or none: gnuplot refuses to draw an empty one.
  std::string block(const std::string& rows) {
    if (rows.find_first_not_of('\n') == std::string::npos) return "";
    std::string name = fmt::format("$data{}", ++blocks_);
    drawn_.data += fmt::format("{} << END\n{}END\n", name, rows);
    return name;
  }

  // Its legend stays, so that what is not there is named.
  void element(const std::string& name, const std::string& rest, const std::string& title) {
    const std::string source = name.empty() ? "NaN" : name;
    if (name.empty() && title == "notitle") return;
    drawn_.elements.push_back(fmt::format("{} {} {}", source, rest, title));
  }

  void add_curve(const Series& series, const std::string& with) {
    const std::string rows = column(series, figure_.x, figure_.y, [](const Point& p) { return p.high; });
    element(block(rows), "with " + with, title_of(name_of(series, figure_.y)));
  }

  void add_band(const Series& series) {
    if (is_wide(series, figure_.y)) {
      if (!canvas_.is_terminal()) add_fill(series);
      const std::string lower = column(series, figure_.x, figure_.y, [](const Point& p) { return p.low; });
      element(block(lower), "with lines " + line_look(series.tone, canvas_), "notitle");
    }
    add_curve(series, "lines " + line_look(series.tone, canvas_));
  }

  // On a logarithmic axis down to its end, where the lower end is 0.
  void add_fill(const Series& series) {
    std::string rows;
    for (const Point& point : series.points) {
      if (!is_drawable(point.x, figure_.x) || !is_drawable(point.high, figure_.y)) continue;
      const double least = figure_.y.log ? std::max(point.low, *figure_.y.from) : point.low;
      rows += fmt::format("{} {} {}\n", point.x, std::min(least, point.high), point.high);
    }
    element(block(rows), "using 1:2:3 with filledcurves " + fill_look(series.tone), "notitle");
  }

  void add_rule(const Series& series) {
    const double x = series.points.front().x;
    if (!is_drawable(x, figure_.x)) return;
    drawn_.arrows += fmt::format("set arrow from first {}, graph 0 to first {}, graph 1 nohead back {}\n", x, x,
                                 rule_look(series.tone, canvas_));
    drawn_.elements.push_back(
        fmt::format("keyentry with lines {} {}", rule_look(series.tone, canvas_), title_of(series.name)));
  }

  void add_spikes(const Series& series) {
    std::string rows;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const Point& point = series.points[i];
      if (!is_drawable(point.high, figure_.x)) continue;
      rows += fmt::format("{} {} \"{}\"\n", point.high, point.x, i < series.labels.size() ? series.labels[i] : "");
    }
    const std::string name = block(rows);
    if (name.empty()) return;
    const std::string left = fmt::format("{}", figure_.x.from.value_or(0));
    drawn_.elements.push_back(fmt::format("{} using ({}):2:($1-({})):(0) with vectors nohead {} notitle", name, left,
                                          left, rule_look(series.tone, canvas_)));
    element(name, "using 1:2 with points " + dot_look(series.tone, canvas_), title_of(name_of(series, figure_.x)));
    drawn_.elements.push_back(name + " using 1:2:3 with labels left offset char 1.2,0 noenhanced notitle");
  }

  const Figure& figure_;
  const Canvas& canvas_;
  Drawn drawn_{};
  int blocks_ = 0;
};

}  // namespace

Drawn drawn(const Figure& figure, const Canvas& canvas) {
  Writer writer(figure, canvas);
  for (const Series& series : figure.series) writer.add(series);
  return std::move(writer).result();
}

}  // namespace renyi::cli::plot
