#include "apps/cli/plot/picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>

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
      for (const Mark& mark : figure_.marks) draw_line(mark);
      svg_.end_clipped();
      draw_points();
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

  static std::string dashes(std::string_view units, double width) {
    std::vector<std::string> lengths;
    std::istringstream list{std::string(units)};
    for (double unit = 0; list >> unit;) lengths.push_back(fmt::format("{:.2f}", unit * width));
    return fmt::format("{}", fmt::join(lengths, " "));
  }

  Stroke stroke_of(const Series& series) const {
    const Look& look = look_of(series);
    const double width = em(line_width) * look.width;
    // The dashed one of two series of one run has dashes of its own.
    const bool paired = series.run && (series.dashed || figure_.kind == "closed-form");
    return {look.colour, width, dashes(paired ? (series.dashed ? "4.5 2" : "") : look.dashes, width)};
  }

  template <class Drawn>
  Stroke thin_stroke(const Drawn& drawn) const {
    const double width = em(line_width) * 0.8;
    return {look_of(drawn).colour, width, dashes("1.2 2", width)};
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
    if (figure_.masses) svg_.line({{right, top}, {right, bottom}}, stroke);
    for (const Tick& tick : page_.mass_ticks) {
      const double y = page_.y_of(*figure_.masses).at(tick.at);
      const double length = em(tick.label.empty() ? small_tick_length : tick_length);
      svg_.line({{right, y}, {right + length, y}}, stroke);
    }
    for (const Text& text : tick_texts(figure_, page_)) svg_.text(text);
  }

  Places places_of(const Piece& piece) const {
    Places places;
    for (const auto& [x, y] : piece) places.emplace_back(x_.at(x), y_.at(y));
    return places;
  }

  void draw(const Series& series) {
    const bool band = is_band(series, figure_);
    if (series.shape == Shape::area) fill(series, 0.18 + (series.role == Role::exact ? 0 : 0.37));
    if (band) fill(series, 0.18);
    if (series.shape == Shape::line || series.shape == Shape::area) draw_curve(series, series.curve);
    if (band) draw_curve(series, *series.lower);
    for (std::size_t i = 0; i < series.curve.size(); ++i) {
      if (series.shape == Shape::rows) draw_row(series, i);
      if (series.shape == Shape::masses) draw_mass(series, i);
    }
  }

  void draw_curve(const Series& series, const Curve& curve) {
    for (const Piece& piece : pieces_of(curve, figure_.x, figure_.y)) {
      const Places places = places_of(piece);
      // A single point between gaps would not be seen as a line.
      if (places.size() == 1) {
        svg_.circle(places[0].first, places[0].second, em(line_width), look_of(series).colour, {"none", 0});
      } else {
        svg_.line(places, stroke_of(series));
      }
    }
  }

  // Fills down to the lower ends, or to the end of the axis.
  void fill(const Series& series, double opacity) {
    const auto lower = series.lower ? pieces_of(*series.lower, figure_.x, figure_.y) : std::vector<Piece>{};
    for (const Piece& piece : pieces_of(series.curve, figure_.x, figure_.y)) {
      Places places = places_of(piece);
      const double left = places.front().first, right = places.back().first;
      Places bottom{{left, page_.plot.bottom}, {right, page_.plot.bottom}};
      if (lower.size() == 1) bottom = places_of(lower.front());
      if (lower.size() == 1 && bottom.front().first > left) bottom.insert(bottom.begin(), {left, page_.plot.bottom});
      places.insert(places.end(), bottom.rbegin(), bottom.rend());
      svg_.polygon(places, look_of(series).colour, opacity);
    }
  }

  // A vertical or a horizontal line.
  void draw_line(const Mark& mark) {
    if (mark.x.has_value() == mark.y.has_value()) return;
    const auto& [left, top, right, bottom] = page_.plot;
    if (mark.x && is_drawable(*mark.x, figure_.x)) {
      svg_.line({{x_.at(*mark.x), bottom}, {x_.at(*mark.x), top}}, thin_stroke(mark));
    } else if (mark.y && is_drawable(*mark.y, figure_.y)) {
      svg_.line({{left, y_.at(*mark.y)}, {right, y_.at(*mark.y)}}, thin_stroke(mark));
    }
  }

  void draw_row(const Series& series, std::size_t i) {
    const auto [x, y] = series.curve.point(i);
    if (!is_drawable(x, figure_.x)) return;
    svg_.line({{page_.plot.left, y_.at(y)}, {x_.at(x), y_.at(y)}}, thin_stroke(series));
  }

  void draw_mass(const Series& series, std::size_t i) {
    const auto [x, y] = series.curve.point(i);
    const Axis& axis = y_axis(series, figure_);
    if (!is_drawable(x, figure_.x) || !is_drawable(y, axis)) return;
    Stroke stroke = stroke_of(series);
    stroke.dashes.clear();
    svg_.line({{x_.at(x), page_.plot.bottom}, {x_.at(x), page_.y_of(axis).at(y)}}, stroke);
  }

  template <class Drawn>
  void draw_symbol(const Drawn& drawn, double x, double y) {
    const Look& look = look_of(drawn);
    const double radius = em(mark_radius);
    const Stroke outline{"#FFFFFF", em(0.06)};
    switch (look.symbol) {
      case Symbol::disc: return svg_.circle(x, y, radius, look.colour, outline);
      case Symbol::ring: return svg_.circle(x, y, radius, "#FFFFFF", {look.colour, em(0.12)});
      case Symbol::square:
        return svg_.rectangle({x - 0.88 * radius, y - 0.88 * radius, x + 0.88 * radius, y + 0.88 * radius},
                              look.colour);
      case Symbol::triangle:
        return svg_.polygon({{x - radius, y + 0.8 * radius}, {x + radius, y + 0.8 * radius}, {x, y - radius}},
                            look.colour, 1);
    }
  }

  // Symbols at the edge of the plot are drawn whole, those outside of it not at all. Returns whether it is drawn.
  template <class Drawn>
  bool draw_at(const Drawn& drawn, double value, double height, const Axis& axis) {
    if (!is_drawable(value, figure_.x) || !is_drawable(height, axis)) return false;
    const Box box = clip();
    const double x = x_.at(value), y = page_.y_of(axis).at(height);
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) return false;
    draw_symbol(drawn, x, y);
    return true;
  }

  void draw_points() {
    for (const Series& series : figure_.series) {
      if (series.shape == Shape::line || series.shape == Shape::area) continue;
      for (std::size_t i = 0; i < series.curve.size(); ++i) {
        const auto [x, y] = series.curve.point(i);
        if (!draw_at(series, x, y, y_axis(series, figure_)) || i >= series.labels.size()) continue;
        svg_.text(
            {series.labels[i], x_.at(x) + 0.8 * page_.row_size, y_.at(y) + 0.36 * page_.row_size, page_.row_size});
      }
    }
    for (const Mark& mark : figure_.marks) {
      if (mark.x && mark.y) draw_at(mark, *mark.x, *mark.y, figure_.y);
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
      const double left = entry.x, right = entry.x + legend.sample(), y = entry.y - 0.33 * legend.size;
      if (entry.series != nullptr) draw_sample(*entry.series, left, right, y);
      if (entry.mark != nullptr) draw_sample(*entry.mark, left, right, y);
      for (std::size_t i = 0; i < entry.lines.size(); ++i) {
        const double line = entry.y + legend.line_height() * static_cast<double>(i);
        svg_.text({entry.lines[i], entry.x + legend.text_offset(), line, legend.size});
      }
    }
  }

  void draw_sample(const Mark& mark, double left, double right, double y) {
    if (mark.x && mark.y) return draw_symbol(mark, (left + right) / 2, y);
    svg_.line({{left, y}, {right, y}}, thin_stroke(mark));
  }

  void draw_sample(const Series& series, double left, double right, double y) {
    switch (series.shape) {
      case Shape::masses:
      case Shape::points:
      case Shape::rows: return draw_symbol(series, (left + right) / 2, y);
      case Shape::area:
        svg_.rectangle({left, y - em(0.35), right, y + em(0.35)}, look_of(series).colour,
                       series.role == Role::exact ? 0.18 : 0.55);
        return svg_.line({{left, y - em(0.35)}, {right, y - em(0.35)}}, stroke_of(series));
      case Shape::line: return svg_.line({{left, y}, {right, y}}, stroke_of(series));
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
  return picture_file::Painter(figure, canvas).picture();
}

}  // namespace renyi::cli::plot
