#include "apps/cli/plot/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/plot/heat.h"
#include "apps/cli/plot/text.h"
#include "renyi/error.h"

namespace renyi::cli::plot {
namespace page_file {
namespace {

constexpr double line_height = 1.3, tick_length = 0.35, tick_gap = 0.3, edge = 0.7;
constexpr double least_height = 0.3;  // the least height of the plot, relative to the page
constexpr const char* quiet = "#555555";

class Planner {
 public:
  Planner(const Figure& figure, const Canvas& canvas) : figure_(figure), canvas_(canvas) {
    page_.size = canvas.font_size;
  }

  // The legend is inside the plot if it covers nothing there, else below it.
  Page page() {
    const double top = place_titles();
    const double label_top = place_x_label();
    const double plot_bottom = label_top - page_.size * (tick_length + tick_gap + 1.1);
    arrange(top, plot_bottom);
    if (!place_legend_inside()) {
      page_.legend = flowing_legend(figure_, page_.size, canvas_.width - 2 * pad());
      const double height = page_.legend.height + (page_.legend.empty() ? 0 : 0.4 * page_.size);
      for (Text& text : page_.texts) {
        if (text.y >= label_top) text.y -= height;
      }
      std::erase_if(page_.texts, [](const Text& text) { return text.turned; });
      arrange(top, plot_bottom - height);
      const double x = page_.plot.left + page_.legend.width <= canvas_.width - pad() ? page_.plot.left : pad();
      page_.legend.move(x, canvas_.height - pad() - page_.legend.height);
    }
    return page_;
  }

 private:
  double pad() const { return edge * page_.size; }

  // Writes lines centred on the page, the first below `y`; returns where the next may be.
  double place_lines(const std::string& text, double y, double size, std::size_t most, const char* colour) {
    if (text.empty()) return y;
    for (const std::string& line : lines_of(text, size, canvas_.width - 2 * pad(), most)) {
      page_.texts.push_back({line, canvas_.width / 2, y + size, size, Anchor::middle, colour});
      y += line_height * size;
    }
    return y;
  }

  double place_titles() {
    constexpr double larger = 1.15, smaller = 0.9;
    double y = place_lines(figure_.title, pad(), larger * page_.size, 2, "#111111");
    y = place_lines(figure_.subtitle, y, smaller * page_.size, 2, quiet);
    y = place_lines(figure_.note, y, smaller * page_.size, 3, quiet);
    return y + 0.6 * page_.size;
  }

  // Writes the label of the x axis at the bottom of the page; returns its upper end.
  double place_x_label() {
    double top = canvas_.height - pad();
    if (figure_.x.label.empty()) return top;
    const auto lines = lines_of(figure_.x.label, page_.size, canvas_.width - 2 * pad(), 2);
    top -= line_height * page_.size * static_cast<double>(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const double y = top + page_.size * (1 + line_height * static_cast<double>(i));
      page_.texts.push_back({lines[i], canvas_.width / 2, y, page_.size, Anchor::middle});
    }
    return top;
  }

  // Determines the plot between these heights, and the ticks of both axes.
  void arrange(double top, double bottom) {
    if (bottom - top < std::max(5 * page_.size, least_height * canvas_.height)) refuse();
    page_.plot = {0, top, canvas_.width, bottom};
    choose_row_size();
    page_.y_ticks = ticks_of(figure_.y, [&](const Ticks& ticks) { return fits_upwards(ticks, figure_.y); });
    double widest = 0;
    for (const Tick& tick : page_.y_ticks) widest = std::max(widest, text_width(tick.label, y_size()));
    const double label_width = place_y_label(top, bottom);
    page_.bar_width = figure_.heat ? bar_width(figure_, page_.size) : mass_axis_width(top, bottom);
    page_.plot.left = pad() + label_width + widest + page_.size * (tick_length + tick_gap);
    page_.plot.right = canvas_.width - pad() - page_.size * 0.8 - page_.bar_width;
    page_.plot.right -= overhang();
    if (page_.plot.width() < 6 * page_.size) refuse();
    choose_x_ticks();
    for (Text& text : page_.texts) {
      const double middle = (page_.plot.left + page_.plot.right) / 2, half = text_width(text.text, text.size) / 2;
      if (text.y > bottom && !text.turned)
        text.x = std::clamp(middle, pad() + half, std::max(pad() + half, canvas_.width - pad() - half));
    }
  }

  // Rows of names are never left out: if there are many, they are smaller.
  void choose_row_size() {
    const auto rows = static_cast<double>(figure_.y.names.size());
    const double least = 0.55 * page_.size;
    page_.row_size = page_.size;
    if (rows > 0 && !figure_.heat) page_.row_size = std::min(page_.size, page_.plot.height() / (rows + 0.2) / 1.15);
    if (page_.row_size < least) refuse();
  }
  double y_size() const { return page_.row_size; }

  // Writes the label of the y axis beside the plot, in several lines if it is longer than the axis; returns its width.
  double place_y_label(double top, double bottom) {
    if (figure_.y.label.empty()) return 0;
    const auto lines = lines_of(figure_.y.label, page_.size, bottom - top, 3);
    double x = pad();
    for (const std::string& line : lines) {
      x += page_.size;
      page_.texts.push_back({line, x, (top + bottom) / 2, page_.size, Anchor::middle, "#222222", true});
      x += (line_height - 1) * page_.size;
    }
    return x - pad() + 0.4 * page_.size;
  }

  // Chooses the ticks of the axis of masses and writes its label; returns the space for both.
  double mass_axis_width(double top, double bottom) {
    if (!figure_.masses) return 0;
    page_.mass_ticks =
        ticks_of(*figure_.masses, [&](const Ticks& ticks) { return fits_upwards(ticks, *figure_.masses); });
    double widest = 0;
    for (const Tick& tick : page_.mass_ticks) widest = std::max(widest, text_width(tick.label, page_.size));
    const auto lines = lines_of(figure_.masses->label, page_.size, bottom - top, 1);
    page_.texts.push_back({lines.front(), canvas_.width - pad() - 0.3 * page_.size, (top + bottom) / 2, page_.size,
                           Anchor::middle, "#222222", true});
    return widest + page_.size * (tick_length + tick_gap + 1.6);
  }

  // Returns by how much the labels of rows would exceed the plot, since they are to the right of its points.
  double overhang() {
    double exceeds = 0;
    for (int i = 0; i < 4; ++i) {
      page_.plot.right -= exceeds;
      const Scale scale = page_.x(figure_);
      double most = 0;
      for (const Series& series : figure_.series) {
        for (std::size_t n = 0; n < series.labels.size(); ++n) {
          const double end =
              scale.at(series.curve.x[n]) + page_.row_size + text_width(series.labels[n], page_.row_size);
          most = std::max(most, end - (canvas_.width - pad()));
        }
      }
      exceeds = most;
    }
    return exceeds;
  }

  // Names of rows are smaller if there are many, and all are shown.
  bool fits_upwards(const Ticks& ticks, const Axis& axis) const {
    if (!axis.names.empty() && !figure_.heat) return true;
    const Scale scale = page_.y_of(axis);
    std::optional<double> last;
    for (const Tick& tick : ticks) {
      if (tick.label.empty()) continue;
      const double at = scale.at(tick.at);
      if (last && *last - at < (axis.names.empty() ? 1.6 : 1.1) * page_.size) return false;
      last = at;
    }
    return true;
  }

  bool fits_sideways(const Ticks& ticks) const {
    const Scale scale = page_.x(figure_);
    double end = 0;
    for (const Tick& tick : ticks) {
      if (tick.label.empty()) continue;
      const double half = text_width(tick.label, page_.size) / 2, at = scale.at(tick.at);
      if (at - half < end) return false;
      end = at + half + (figure_.x.names.empty() ? 0.9 : 0.5) * page_.size;
    }
    return true;
  }

  // The label of the last tick may need more space than there is to the right of the plot.
  void choose_x_ticks() {
    for (int i = 0; i < 3; ++i) {
      page_.x_ticks = ticks_of(figure_.x, [&](const Ticks& ticks) { return fits_sideways(ticks); });
      double end = 0;
      for (const Tick& tick : page_.x_ticks) {
        const double half = text_width(tick.label, page_.size) / 2;
        if (!tick.label.empty()) end = std::max(end, page_.x(figure_).at(tick.at) + half);
      }
      const double beyond = end + page_.bar_width - (canvas_.width - 0.3 * page_.size);
      if (beyond <= 0) return;
      page_.plot.right -= beyond;
    }
  }

  bool place_legend_inside() {
    constexpr double most_width = 0.6, most_height = 0.5;
    const double margin = 0.5 * page_.size;
    Legend legend = column_legend(figure_, page_.size, canvas_.width);
    if (legend.empty()) return true;
    const double width = legend.width + 2 * margin, height = legend.height + 2 * margin;
    if (width > most_width * page_.plot.width() || height > most_height * page_.plot.height()) return false;
    const auto place = free_place(page_.plot, width, height, segments_of(figure_, page_));
    if (!place) return false;
    legend.move(place->first + margin, place->second + margin);
    page_.legend = std::move(legend);
    page_.legend_inside = true;
    return true;
  }

  [[noreturn]] void refuse() const {
    constexpr double inch = 72;
    throw InvalidArgument(
        "--size", fmt::format("{:.4g}in,{:.4g}in", canvas_.width / inch, canvas_.height / inch),
        fmt::format("a size that leaves space for the plot beside its text of {:.2g} pt (--font-size)", page_.size));
  }

  const Figure& figure_;
  const Canvas& canvas_;
  Page page_{};
};

// A curve, as segments of the page.
void add_segments(std::vector<Segment>& segments, const Curve& curve, const Figure& figure, const Page& page,
                  bool filled) {
  const Scale x = page.x(figure), y = page.y(figure);
  for (const Piece& piece : pieces_of(curve, figure.x, figure.y)) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const auto& [x0, y0] = piece[i == 0 ? 0 : i - 1];
      segments.push_back({x.at(x0), y.at(y0), x.at(piece[i].first), y.at(piece[i].second)});
      // What is filled is no place for a legend either.
      if (filled) segments.push_back({x.at(x0), y.at(y0), x.at(x0), page.plot.bottom});
    }
  }
}

}  // namespace
}  // namespace page_file

Page page_of(const Figure& figure, const Canvas& canvas) {
  constexpr double smaller = 0.94, smallest = 0.7;
  Canvas shrunk = canvas;
  while (canvas.may_shrink && shrunk.font_size * smaller >= smallest * canvas.font_size) {
    try {
      return page_file::Planner(figure, shrunk).page();
    } catch (const InvalidArgument&) {
      shrunk.font_size *= smaller;
    }
  }
  return page_file::Planner(figure, shrunk).page();
}

std::vector<Segment> segments_of(const Figure& figure, const Page& page) {
  std::vector<Segment> segments;
  const Scale x = page.x(figure), y = page.y(figure);
  for (const Mark& mark : figure.marks) {
    const double left = mark.x ? x.at(*mark.x) : page.plot.left, right = mark.x ? left : page.plot.right;
    const double top = mark.y ? y.at(*mark.y) : page.plot.top, bottom = mark.y ? top : page.plot.bottom;
    segments.push_back({left, top, right, bottom});
  }
  for (const Series& series : figure.series) {
    const Scale height = page.y_of(y_axis(series, figure));
    for (std::size_t i = 0; i < series.curve.size(); ++i) {
      const auto [at, value] = series.curve.point(i);
      if (!is_drawable(at, figure.x) || !is_drawable(value, y_axis(series, figure))) continue;
      if (series.shape == Shape::rows) {
        const double label = i < series.labels.size() ? text_width(series.labels[i], page.row_size) : 0;
        segments.push_back({page.plot.left, y.at(value), x.at(at) + page.row_size + label, y.at(value)});
      } else if (series.shape == Shape::masses) {
        segments.push_back({x.at(at), page.plot.bottom, x.at(at), height.at(value)});
      } else if (series.shape == Shape::points) {
        segments.push_back({x.at(at), y.at(value), x.at(at), y.at(value)});
      }
    }
    if (series.shape != Shape::line && series.shape != Shape::area) continue;
    const bool band = is_band(series, figure);
    page_file::add_segments(segments, series.curve, figure, page, series.shape == Shape::area || band);
    if (band) page_file::add_segments(segments, *series.lower, figure, page, false);
  }
  return segments;
}

std::vector<Text> tick_texts(const Figure& figure, const Page& page) {
  using page_file::tick_gap, page_file::tick_length;
  std::vector<Text> texts;
  const Scale x = page.x(figure), y = page.y(figure);
  for (const Tick& tick : page.x_ticks) {
    if (tick.label.empty()) continue;
    const double below = page.plot.bottom + page.size * (tick_length + tick_gap + 0.76);
    texts.push_back({tick.label, x.at(tick.at), below, page.size, Anchor::middle});
  }
  for (const Tick& tick : page.y_ticks) {
    if (tick.label.empty()) continue;
    const double beside = page.plot.left - page.size * (tick_length + tick_gap);
    texts.push_back({tick.label, beside, y.at(tick.at) + 0.36 * page.row_size, page.row_size, Anchor::end});
  }
  for (const Tick& tick : page.mass_ticks) {
    if (tick.label.empty()) continue;
    const double height = page.y_of(*figure.masses).at(tick.at);
    texts.push_back(
        {tick.label, page.plot.right + page.size * (tick_length + tick_gap), height + 0.36 * page.size, page.size});
  }
  return texts;
}

}  // namespace renyi::cli::plot
