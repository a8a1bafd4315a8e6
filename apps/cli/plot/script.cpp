#include "apps/cli/plot/script.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "apps/cli/plot/axes.h"
#include "apps/cli/plot/canvas.h"
#include "apps/cli/plot/figure.h"
#include "apps/cli/plot/text.h"
#include "renyi/error.h"

namespace renyi::cli::plot {
namespace script_file {
namespace {

// Colours, dashes and widths. The palette is that of Okabe and Ito, which colour-blind readers can distinguish; dashes
// differ as well, for printing in grey.
struct Look {
  const char* colour;
  const char* dashes;
  double width;
  int dot;     // gnuplot's point type
  int letter;  // gnuplot's line type on a terminal, which chooses the character
  char mark;   // character of a dot on a terminal
};

// The entries are in the order of Tone.
constexpr std::array<Look, 5> looks{{
    {"#0072B2", "solid", 3.5, 7, 1, 'O'},
    {"#D55E00", "(14,6)", 3.5, 5, 2, 'x'},
    {"#009E73", "(14,5,3,5)", 3.5, 9, 3, 'A'},
    {"#666666", "(3,5)", 2.5, 6, 7, 'o'},
    {"#000000", "solid", 3, 7, 5, 'O'},
}};

const Look& look_of(Tone tone) { return looks.at(static_cast<std::size_t>(tone)); }

// Return the style options that follow `with lines`, `with points` and `with filledcurves`.
std::string line_look(Tone tone, const Canvas& canvas) {
  const Look& look = look_of(tone);
  if (canvas.is_terminal()) return fmt::format("lt {}", look.letter);
  return fmt::format("lc rgb '{}' dt {} lw {}", look.colour, look.dashes, look.width);
}

std::string dot_look(Tone tone, const Canvas& canvas) {
  const Look& look = look_of(tone);
  if (canvas.is_terminal()) return fmt::format("pt '{}'", look.mark);
  return fmt::format("lc rgb '{}' pt {} ps 1.8", look.colour, look.dot);
}

std::string fill_look(Tone tone) { return fmt::format("lc rgb '{}' fs solid 0.18 noborder", look_of(tone).colour); }

// Returns the style of a rule: thin dashes.
std::string rule_look(Tone tone, const Canvas& canvas) {
  const Look& look = look_of(tone);
  if (canvas.is_terminal()) return fmt::format("lt {}", look.letter);
  return fmt::format("lc rgb '{}' dt (3,5) lw 2.5", look.colour);
}

// Returns the part of the script that does not depend on the figure.
std::string style_lines(const Canvas& canvas) {
  std::string everywhere =
      "set encoding utf8\n"
      "set border 3\n"
      "set tics nomirror out\n"
      "set key bmargin center vertical maxcols 1 Left reverse noenhanced\n";
  if (canvas.is_terminal()) return everywhere;
  return everywhere +
         "set border lw 1.5 lc rgb '#333333'\n"
         "set grid xtics ytics lc rgb '#DDDDDD' lt 1 lw 1\n"
         "set key samplen 4 spacing 1.15\n";
}

// Data blocks, and the elements of the `plot` command that draw them. The figure is a result of with_ranges.
struct Drawn {
  std::string data;
  std::string arrows;
  std::vector<std::string> elements;
};

// An interval narrower than this looks like a line: it is half a pixel of 500.
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

// The legend states what the picture omits: a missing part of a curve must not look like a small number.
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

// Writes one column of y; an empty line, for a value that cannot be drawn, interrupts the curve.
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
  // Returns the name of a new data block, or no name if it is empty: gnuplot refuses to draw an empty block.
  std::string block(const std::string& rows) {
    if (rows.find_first_not_of('\n') == std::string::npos) return "";
    std::string name = fmt::format("$data{}", ++blocks_);
    drawn_.data += fmt::format("{} << END\n{}END\n", name, rows);
    return name;
  }

  // The entry in the legend stays, so that what is missing is named.
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

  // On a logarithmic axis, a lower bound of 0 is drawn at the end of the axis.
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

Drawn drawn(const Figure& figure, const Canvas& canvas) {
  Writer writer(figure, canvas);
  for (const Series& series : figure.series) writer.add(series);
  return std::move(writer).result();
}

constexpr const char* how_to_draw =
    "# Drawn by: gnuplot -e \"set terminal pngcairo size 960,640; set output 'figure.png'\" FILE\n";

std::size_t title_width(const Canvas& canvas) {
  constexpr std::size_t of_a_picture = 76, margin = 8;
  return canvas.is_terminal() ? static_cast<std::size_t>(canvas.columns) - margin : of_a_picture;
}

// The font of the title is a fifth larger than that of gnuplot's terminal line.
int title_size(const Canvas& canvas) {
  if (canvas.medium == Medium::svg) return 22;
  return canvas.medium == Medium::pdf ? 12 : 18;
}

// Writes title, run and note below each other. In a picture the last two are less prominent, which parts of one title
// cannot be.
std::string title_lines(const Figure& figure, const Canvas& canvas) {
  const auto shown = [&](const std::string& text) { return in_quotes(shortened(text, title_width(canvas))); };
  if (canvas.is_terminal()) {
    std::vector<std::string> lines{shown(figure.title), shown(figure.subtitle)};
    if (!figure.note.empty()) lines.push_back(shown(figure.note));
    // A terminal cannot turn the label of the y axis.
    if (!figure.y.label.empty()) lines.push_back(shown("upwards: " + figure.y.label));
    return fmt::format("set title {} noenhanced\n", fmt::join(lines, ".\"\\n\"."));
  }
  const bool noted = !figure.note.empty();
  const auto quiet = [&](int number, const std::string& text, double lines_up) {
    return fmt::format("set label {} {} at graph 0.5, graph 1 center offset 0,{} tc rgb '#555555' noenhanced\n", number,
                       shown(text), lines_up);
  };
  return fmt::format("set tmargin {}\nset title {} offset 0,{} font ',{}' noenhanced\n", noted ? 5.2 : 3.8,
                     shown(figure.title), noted ? 2.3 : 0.9, title_size(canvas)) +
         quiet(1, figure.subtitle, noted ? 2.3 : 1) + (noted ? quiet(2, figure.note, 1) : "");
}

}  // namespace
}  // namespace script_file

std::string gnuplot_script(const Figure& figure, const Canvas& canvas) {
  const Figure settled = with_ranges(figure);
  const script_file::Drawn parts = script_file::drawn(settled, canvas);
  if (parts.data.empty())
    throw Unsupported("", "there is nothing to draw: no value of this plot is finite",
                      "ask for another kind, such as profile");
  return (canvas.medium == Medium::script ? script_file::how_to_draw : terminal_line(canvas)) +
         script_file::style_lines(canvas) + script_file::title_lines(figure, canvas) + axes_lines(settled, canvas) +
         parts.arrows + parts.data + fmt::format("plot {}\n", fmt::join(parts.elements, ", \\\n  "));
}

}  // namespace renyi::cli::plot
