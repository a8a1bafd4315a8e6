#include "apps/cli/plot/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "apps/cli/io/output.h"
#include "apps/cli/plot/axes.h"
#include "apps/cli/plot/heat.h"
#include "apps/cli/plot/look.h"
#include "apps/cli/plot/text.h"
#include "apps/cli/plot/ticks.h"

namespace renyi::cli::plot {
namespace terminal_file {
namespace {

struct Cell {
  char letter = ' ';
  int colour = 0;
};

std::string plain(std::string_view text) { return in_plain_characters(printable(text)); }

// Lines that are complete except for blanks at their ends.
class Sheet {
 public:
  explicit Sheet(const Canvas& canvas) : width_(static_cast<std::size_t>(canvas.columns)) {}

  void add(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += line + '\n';
  }
  void add_centred(const std::string& text) {
    if (text.empty()) return;
    const std::string line = shortened(plain(text), width_);
    add(std::string((width_ - std::min(width_, length_of(line))) / 2, ' ') + line);
  }
  void add_titles(const Figure& figure) {
    for (const std::string* text : {&figure.title, &figure.subtitle}) add_centred(*text);
    std::istringstream note(wrapped(plain(figure.note), 0, width_));
    for (std::string line; std::getline(note, line);) add_centred(line);
  }
  const std::string& text() const { return text_; }

 private:
  std::size_t width_;
  std::string text_;
};

class Drawing {
 public:
  Drawing(const Figure& figure, const Canvas& canvas, int rows)
      : figure_(figure), canvas_(canvas), rows_(rows), y_(figure.y, rows - 1, 0), x_(figure.x, 0, 1) {
    y_ticks_ = ticks_of(figure.y, [&](const Ticks& ticks) { return fits_upwards(ticks); });
    std::size_t widest = 0;
    for (const Tick& tick : y_ticks_) widest = std::max(widest, length_of(plain(tick.label)));
    margin_ = static_cast<int>(widest) + 2;
    columns_ = canvas.columns - margin_ - 2 - overhang();
    x_ = Scale(figure.x, 0, columns_ - 1);
    cells_.assign(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_), {});
    for (const Series& series : figure.series) draw(series);
    for (const Mark& mark : figure.marks) draw_line(mark);
    for (const Series& series : figure.series) draw_points(series);
    for (const Mark& mark : figure.marks) draw_point(mark);
  }

  void add_to(Sheet& sheet) const {
    for (int row = 0; row < rows_; ++row) sheet.add(line_of(row));
    add_x_axis(sheet);
  }

 private:
  bool fits_upwards(const Ticks& ticks) const {
    double last = rows_ + 1;
    for (const Tick& tick : ticks) {
      if (tick.label.empty()) continue;
      const double at = std::round(y_.at(tick.at));
      if (last - at < (figure_.y.names.empty() ? 2 : 1)) return false;
      last = at;
    }
    return true;
  }

  // Space for the labels to the right of rows.
  int overhang() const {
    std::size_t widest = 0;
    for (const Series& series : figure_.series) {
      for (const std::string& label : series.labels) widest = std::max(widest, length_of(plain(label)));
    }
    return static_cast<int>(widest);
  }

  std::size_t place_of(long row, long column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column);
  }

  void put(double x, double y, char letter, int colour) {
    const auto column = std::lround(x), row = std::lround(y);
    if (column < 0 || column >= columns_ || row < 0 || row >= rows_) return;
    cells_[place_of(row, column)] = {letter, colour};
  }

  // Puts a letter into every cell on the way.
  void connect(double x0, double y0, double x1, double y1, const Look& look) {
    const double most = 4.0 * (rows_ + columns_);
    const double far = std::clamp(std::max(std::abs(x1 - x0), std::abs(y1 - y0)), 1.0, most);
    const int steps = static_cast<int>(std::ceil(2 * far));
    for (int i = 0; i <= steps; ++i) {
      put(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, look.letter, look.ansi);
    }
  }

  void draw_curve(const Series& series, const Curve& curve) {
    for (const Piece& piece : pieces_of(curve, figure_.x, figure_.y)) {
      for (std::size_t i = 0; i < piece.size(); ++i) {
        const auto& [x0, y0] = piece[i == 0 ? 0 : i - 1];
        connect(x_.at(x0), y_.at(y0), x_.at(piece[i].first), y_.at(piece[i].second), look_of(series));
      }
    }
  }

  void draw(const Series& series) {
    const Look& look = look_of(series);
    if (series.shape == Shape::rows) {
      for (std::size_t i = 0; i < series.curve.size(); ++i) {
        for (double x = 0; x < x_.at(series.curve.x[i]); ++x) put(x, y_.at(series.curve.y[i]), '-', look.ansi);
      }
    } else if (series.shape == Shape::area && series.role != Role::exact) {
      fill(series);
    } else if (series.shape == Shape::line || series.shape == Shape::area) {
      if (is_band(series, figure_)) draw_curve(series, *series.lower);
      draw_curve(series, series.curve);
    }
  }

  void draw_line(const Mark& mark) {
    if (mark.x.has_value() == mark.y.has_value()) return;
    for (int row = 0; row < rows_ && mark.x && is_drawable(*mark.x, figure_.x); ++row) {
      put(x_.at(*mark.x), row, ':', look_of(mark).ansi);
    }
    for (int column = 0; column < columns_ && mark.y && is_drawable(*mark.y, figure_.y); ++column) {
      put(column, y_.at(*mark.y), ':', look_of(mark).ansi);
    }
  }

  void fill_column(double x, double from, const Look& look) {
    for (auto row = std::lround(from); row < rows_; ++row) put(x, static_cast<double>(row), look.letter, look.ansi);
  }

  void fill(const Series& series) {
    for (int column = 0; column < columns_; ++column) {
      for (const Piece& piece : pieces_of(series.curve, figure_.x, figure_.y)) {
        for (std::size_t i = 1; i < piece.size(); ++i) {
          const double a = x_.at(piece[i - 1].first), b = x_.at(piece[i].first);
          if (column < a || column > b) continue;
          const double part = b > a ? (column - a) / (b - a) : 0;
          const double from = y_.at(piece[i - 1].second) * (1 - part) + y_.at(piece[i].second) * part;
          fill_column(column, std::max(0.0, from), look_of(series));
        }
      }
    }
  }

  void draw_points(const Series& series) {
    if (series.shape == Shape::line || series.shape == Shape::area) return;
    const Axis& axis = y_axis(series, figure_);
    const Scale height(axis, rows_ - 1, 0);
    for (std::size_t i = 0; i < series.curve.size(); ++i) {
      const auto [x, y] = series.curve.point(i);
      if (!is_drawable(x, figure_.x) || !is_drawable(y, axis)) continue;
      if (series.shape == Shape::masses) fill_column(x_.at(x), std::max(0.0, height.at(y)), look_of(series));
      put(x_.at(x), height.at(y), look_of(series).mark_letter, look_of(series).ansi);
    }
  }

  void draw_point(const Mark& mark) {
    if (!mark.x || !mark.y || !is_drawable(*mark.x, figure_.x) || !is_drawable(*mark.y, figure_.y)) return;
    put(x_.at(*mark.x), y_.at(*mark.y), look_of(mark).mark_letter, look_of(mark).ansi);
  }

  // The label of a point, if there is one in this row, and the column after which it stands.
  std::pair<int, std::string> label_in(int row) const {
    for (const Series& series : figure_.series) {
      for (std::size_t i = 0; i < series.labels.size(); ++i) {
        if (std::lround(y_.at(series.curve.y[i])) != row) continue;
        return {static_cast<int>(std::lround(x_.at(series.curve.x[i]))), plain(series.labels[i])};
      }
    }
    return {columns_, ""};
  }

  std::string line_of(int row) const {
    std::string label;
    char axis = '|';
    for (const Tick& tick : y_ticks_) {
      if (std::lround(y_.at(tick.at)) != row) continue;
      if (!tick.label.empty()) label = plain(tick.label);
      if (!tick.label.empty()) axis = '+';
    }
    const auto indent = static_cast<std::size_t>(margin_ - 1) -
                        std::min<std::size_t>(length_of(label), static_cast<std::size_t>(margin_ - 1));
    std::string line = std::string(indent, ' ') + label + ' ' + axis;
    const auto [end, beside] = label_in(row);
    int colour = 0;
    for (int column = 0; column <= std::min(end, columns_ - 1); ++column) {
      const Cell& cell = cells_[place_of(row, column)];
      if (canvas_.colour && cell.letter != ' ' && cell.colour != colour) {
        line += fmt::format("\x1B[{}m", colour = cell.colour);
      }
      line += cell.letter;
    }
    if (colour != 0) line += "\x1B[0m";
    return beside.empty() ? line : line + ' ' + beside;
  }

  void add_x_axis(Sheet& sheet) const {
    const auto place = [&](const Tick& tick) { return margin_ + 1 + static_cast<int>(std::lround(x_.at(tick.at))); };
    const Ticks ticks = ticks_of(figure_.x, [&](const Ticks& some) {
      int end = 0;
      for (const Tick& tick : some) {
        if (tick.label.empty()) continue;
        const int length = static_cast<int>(length_of(plain(tick.label))), at = place(tick) - length / 2;
        if (at < end || at + length > canvas_.columns) return false;
        end = at + length + 2;
      }
      return true;
    });
    std::string axis = std::string(static_cast<std::size_t>(margin_), ' ') + '+' +
                       std::string(static_cast<std::size_t>(columns_), '-');
    std::string labels(static_cast<std::size_t>(canvas_.columns), ' ');
    for (const Tick& tick : ticks) {
      if (tick.label.empty()) continue;
      const std::string label = plain(tick.label);
      const int at = std::max(0, place(tick) - static_cast<int>(label.size()) / 2);
      axis.at(static_cast<std::size_t>(place(tick))) = '+';
      if (static_cast<std::size_t>(at) + label.size() > labels.size()) continue;
      labels.replace(static_cast<std::size_t>(at), label.size(), label);
    }
    sheet.add(axis);
    sheet.add(labels);
    sheet.add_centred(figure_.x.label);
  }

  const Figure& figure_;
  const Canvas& canvas_;
  int rows_;
  int margin_ = 0;
  int columns_ = 1;
  Scale y_;
  Scale x_;
  Ticks y_ticks_;
  std::vector<Cell> cells_;
};

std::string sample_of(const Series& series) {
  const Look& look = look_of(series);
  const bool curve = series.shape == Shape::line || series.shape == Shape::area;
  return curve ? std::string(5, look.letter) : fmt::format("  {}  ", look.mark_letter);
}

std::string sample_of(const Mark& mark) {
  return fmt::format("  {}  ", mark.x && mark.y ? look_of(mark).mark_letter : ':');
}

template <class Drawn>
void add_entry(Sheet& sheet, const Drawn& drawn, const std::string& text, const Canvas& canvas) {
  if (text.empty()) return;
  const std::string sample = sample_of(drawn), name = plain(text);
  sheet.add(canvas.colour ? fmt::format("  \x1B[{}m{}\x1B[0m  {}", look_of(drawn).ansi, sample, name)
                          : fmt::format("  {}  {}", sample, name));
}

void add_legend(Sheet& sheet, const Figure& figure, const Canvas& canvas) {
  for (const Series& series : figure.series) add_entry(sheet, series, series.name, canvas);
  for (const Mark& mark : figure.marks) add_entry(sheet, mark, mark.text, canvas);
}

// A heat map is a table of its numbers, each after a character that is darker for larger numbers.
std::string heat_table(const Figure& figure, const Canvas& canvas) {
  constexpr std::string_view shades = " .:-=+*#%@";
  const Colours colours(figure.heat->values);
  const std::size_t columns = figure.x.names.size();
  std::size_t wide = 5, margin = 0;
  for (const std::string& name : figure.x.names) wide = std::max(wide, length_of(plain(name)));
  for (const double value : figure.heat->values) wide = std::max(wide, length_of(plain(cell_text(value))));
  for (const std::string& name : figure.y.names) margin = std::max(margin, length_of(plain(name)));
  Sheet sheet(canvas);
  sheet.add_titles(figure);
  sheet.add(plain(fmt::format("{}, upwards: {}", figure.heat->label, figure.y.label)));
  for (std::size_t row = figure.y.names.size(); row-- > 0;) {
    std::string line = fmt::format("{:>{}} |", plain(figure.y.names[row]), margin);
    for (std::size_t column = 0; column < columns; ++column) {
      const double value = figure.heat->values[row * columns + column];
      const double along = std::isnan(value) ? 0 : std::isinf(value) ? 1 : colours.along(value);
      const char shade = shades[static_cast<std::size_t>(std::lround(along * (shades.size() - 1)))];
      line += fmt::format("  {} {:>{}}", shade, plain(cell_text(value)), wide);
    }
    sheet.add(line);
  }
  std::string names = std::string(margin + 2, ' ');
  for (const std::string& name : figure.x.names) names += fmt::format("    {:>{}}", plain(name), wide);
  sheet.add(std::string(margin + 1, ' ') + '+' + std::string(columns * (wide + 4), '-'));
  sheet.add(names);
  sheet.add_centred(figure.x.label);
  return sheet.text();
}

}  // namespace
}  // namespace terminal_file

std::string terminal_picture(const Figure& figure, const Canvas& canvas) {
  if (figure.heat) return terminal_file::heat_table(figure, canvas);
  constexpr int least_rows = 8, beside_the_plot = 7;
  const auto named = std::count_if(figure.series.begin(), figure.series.end(),
                                   [](const Series& series) { return !series.name.empty(); }) +
                     static_cast<std::ptrdiff_t>(figure.marks.size());
  const int rows = std::max({least_rows, canvas.rows - beside_the_plot - static_cast<int>(named),
                             static_cast<int>(figure.y.names.size()) + 1});
  terminal_file::Sheet sheet(canvas);
  sheet.add_titles(figure);
  // A terminal cannot turn the label of the y axis.
  if (!figure.y.label.empty()) sheet.add(terminal_file::plain(figure.y.label));
  terminal_file::Drawing(figure, canvas, rows).add_to(sheet);
  terminal_file::add_legend(sheet, figure, canvas);
  return sheet.text();
}

}  // namespace renyi::cli::plot
