#include "apps/cli/plot/picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "apps/cli/plot/axes.h"
#include "apps/cli/plot/heat.h"
#include "apps/cli/plot/look.h"
#include "apps/cli/plot/page.h"
#include "apps/cli/plot/text.h"

namespace renyi::cli::plot {
namespace picture_file {
namespace {

// All lengths are multiples of the font's size, so that a figure of any size looks the same.
constexpr double line_width = 0.13, axis_width = 0.08, grid_width = 0.05, mark_radius = 0.33;
constexpr double tick_length = 0.35, small_tick_length = 0.2;
constexpr const char* axis_colour = "#444444";
constexpr const char* grid_colour = "#E3E3E3";

class Painter {
 public:
  Painter(const Figure& figure, const Canvas& canvas)
      : figure_(figure), page_(page_of(figure, canvas)), x_(page_.x(figure)), y_(page_.y(figure)), svg_(canvas) {}

  Picture picture() {
    if (figure_.heat) {
      draw_heat(svg_, figure_, page_);
    } else {
      draw_grid();
      svg_.begin_clipped(clip());
      for (const Series& series : figure_.series) draw(series);
      svg_.end_clipped();
      draw_dots();
    }
    draw_axes();
    draw_legend();
    for (const Text& text : page_.texts) svg_.text(text);
    return {svg_.document(figure_.title), svg_.texts()};
  }

 private:
  double em(double length) const { return length * page_.size; }

  // Lines at the very edge of the plot keep their width.
  Box clip() const {
    const double margin = em(line_width);
    return {page_.plot.left - margin, page_.plot.top - margin, page_.plot.right + margin, page_.plot.bottom + margin};
  }

  Stroke stroke_of(const Series& series, double thinner = 1) const {
    const Look& look = look_of(series);
    const double width = em(line_width) * look.width * thinner;
    std::vector<std::string> lengths;
    std::istringstream units(look.dashes);
    for (double unit = 0; units >> unit;) lengths.push_back(fmt::format("{:.2f}", unit * width));
    return {look.colour, width, fmt::format("{}", fmt::join(lengths, " "))};
  }

  Stroke rule_stroke(const Series& series) const {
    const double width = em(line_width) * 0.8;
    return {look_of(series).colour, width, fmt::format("{:.2f} {:.2f}", 1.2 * width, 2 * width)};
  }

  void draw_grid() {
    const Stroke thin{grid_colour, em(grid_width)};
    for (const Tick& tick : page_.x_ticks) {
      const double x = x_.at(tick.at);
      if (!tick.label.empty()) svg_.line({{x, page_.plot.top}, {x, page_.plot.bottom}}, thin);
    }
    for (const Tick& tick : page_.y_ticks) {
      const double y = y_.at(tick.at);
      if (!tick.label.empty() && figure_.y.names.empty())
        svg_.line({{page_.plot.left, y}, {page_.plot.right, y}}, thin);
    }
  }

  void draw_axes() {
    const Stroke stroke{axis_colour, em(axis_width)};
    const auto& [left, top, right, bottom] = page_.plot;
    svg_.line({{left, top}, {left, bottom}, {right, bottom}}, stroke);
    for (const Tick& tick : page_.x_ticks) {
      const double x = x_.at(tick.at), length = em(tick.label.empty() ? small_tick_length : tick_length);
      svg_.line({{x, bottom}, {x, bottom + length}}, stroke);
    }
    for (const Tick& tick : page_.y_ticks) {
      const double y = y_.at(tick.at), length = em(tick.label.empty() ? small_tick_length : tick_length);
      svg_.line({{left - length, y}, {left, y}}, stroke);
    }
    for (const Text& text : tick_texts(figure_, page_)) svg_.text(text);
  }

  void draw(const Series& series) {
    switch (series.shape) {
      case Shape::line: return draw_curve(series, &Point::high);
      case Shape::band: return draw_band(series);
      case Shape::area: return draw_area(series);
      case Shape::rule: return draw_rule(series);
      case Shape::spike: return draw_spikes(series);
      case Shape::dots: return;  // above all lines
    }
  }

  void draw_curve(const Series& series, double Point::*value) {
    for (const Piece& piece : pieces_of(series, value, figure_)) {
      Places places;
      for (const auto& [x, y] : piece) places.emplace_back(x_.at(x), y_.at(y));
      // A single point between gaps would not be seen as a line.
      if (places.size() == 1) {
        svg_.circle(places[0].first, places[0].second, em(line_width), look_of(series).colour, {"none", 0});
      } else {
        svg_.line(places, stroke_of(series));
      }
    }
  }

  void draw_band(const Series& series) {
    if (is_wide(series, figure_.y)) {
      fill(series, 0.18);
      draw_curve(series, &Point::low);
    }
    draw_curve(series, &Point::high);
  }

  void draw_area(const Series& series) {
    fill(series, series.tone == Tone::exact ? 0.18 : 0.55);
    draw_curve(series, &Point::high);
  }

  // On a logarithmic axis, a lower end of 0 is drawn at the end of the axis.
  void fill(const Series& series, double opacity) {
    Places upper, lower;
    const auto close = [&] {
      if (upper.size() > 1) {
        upper.insert(upper.end(), lower.rbegin(), lower.rend());
        svg_.polygon(upper, look_of(series).colour, opacity);
      }
      upper.clear();
      lower.clear();
    };
    for (const Point& point : series.points) {
      if (!is_drawable(point.x, figure_.x) || !is_drawable(point.high, figure_.y)) {
        close();
        continue;
      }
      const double x = x_.at(point.x), low = std::max(point.low, *figure_.y.from);
      upper.emplace_back(x, y_.at(point.high));
      lower.emplace_back(x, y_.at(std::min(low, point.high)));
    }
    close();
  }

  void draw_rule(const Series& series) {
    const double value = series.points.front().x;
    if (!is_drawable(value, figure_.x)) return;
    svg_.line({{x_.at(value), page_.plot.bottom}, {x_.at(value), page_.plot.top}}, rule_stroke(series));
  }

  void draw_spikes(const Series& series) {
    for (const Point& point : series.points) {
      if (!is_drawable(point.high, figure_.x)) continue;
      svg_.line({{page_.plot.left, y_.at(point.x)}, {x_.at(point.high), y_.at(point.x)}}, rule_stroke(series));
    }
  }

  void draw_mark(const Series& series, double x, double y) {
    const Look& look = look_of(series);
    const double radius = em(mark_radius);
    const Stroke outline{"#FFFFFF", em(0.06)};
    switch (look.mark) {
      case Mark::disc: return svg_.circle(x, y, radius, look.colour, outline);
      case Mark::ring: return svg_.circle(x, y, radius, "#FFFFFF", {look.colour, em(0.12)});
      case Mark::square:
        return svg_.rectangle({x - 0.88 * radius, y - 0.88 * radius, x + 0.88 * radius, y + 0.88 * radius},
                              look.colour);
      case Mark::triangle:
        return svg_.polygon({{x - radius, y + 0.8 * radius}, {x + radius, y + 0.8 * radius}, {x, y - radius}},
                            look.colour, 1);
    }
  }

  // Dots at the edge of the plot are drawn whole, those outside of it not at all.
  void draw_dots() {
    const Box box = clip();
    for (const Series& series : figure_.series) {
      const bool is_spike = series.shape == Shape::spike;
      if (!is_spike && series.shape != Shape::dots) continue;
      for (std::size_t i = 0; i < series.points.size(); ++i) {
        const Point& point = series.points[i];
        if (!is_drawable(is_spike ? point.high : point.x, figure_.x)) continue;
        if (!is_spike && !is_drawable(point.high, figure_.y)) continue;
        const double x = x_.at(is_spike ? point.high : point.x), y = y_.at(is_spike ? point.x : point.high);
        if (x < box.left || x > box.right || y < box.top || y > box.bottom) continue;
        draw_mark(series, x, y);
        if (i >= series.labels.size()) continue;
        svg_.text({series.labels[i], x + 0.8 * page_.row_size, y + 0.36 * page_.row_size, page_.row_size});
      }
    }
  }

  void draw_legend() {
    const Legend& legend = page_.legend;
    if (legend.empty()) return;
    if (page_.legend_inside) {
      const double x = legend.entries.front().x, y = legend.entries.front().y - legend.size;
      svg_.rectangle({x, y, x + legend.width, y + legend.height}, "#FFFFFF", 0.85);
    }
    for (const Entry& entry : legend.entries) {
      draw_sample(*entry.series, entry.x, entry.x + legend.sample(), entry.y - 0.33 * legend.size);
      for (std::size_t i = 0; i < entry.lines.size(); ++i) {
        const double y = entry.y + legend.line_height() * static_cast<double>(i);
        svg_.text({entry.lines[i], entry.x + legend.text_offset(), y, legend.size});
      }
    }
  }

  void draw_sample(const Series& series, double left, double right, double y) {
    switch (series.shape) {
      case Shape::dots:
      case Shape::spike: return draw_mark(series, (left + right) / 2, y);
      case Shape::rule: return svg_.line({{left, y}, {right, y}}, rule_stroke(series));
      case Shape::area:
        svg_.rectangle({left, y - em(0.35), right, y + em(0.35)}, look_of(series).colour,
                       series.tone == Tone::exact ? 0.18 : 0.55);
        return svg_.line({{left, y - em(0.35)}, {right, y - em(0.35)}}, stroke_of(series));
      case Shape::line:
      case Shape::band: return svg_.line({{left, y}, {right, y}}, stroke_of(series));
    }
  }

  const Figure& figure_;
  Page page_;
  Scale x_;
  Scale y_;
  Svg svg_;
};

}  // namespace
}  // namespace picture_file

Picture picture_of(const Figure& figure, const Canvas& canvas) {
  const Figure settled = with_ranges(figure);
  return picture_file::Painter(settled, canvas).picture();
}

}  // namespace renyi::cli::plot
