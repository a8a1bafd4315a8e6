#include "apps/cli/plot/script.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/plot/axes.h"
#include "apps/cli/plot/look.h"
#include "apps/cli/plot/series.h"
#include "apps/cli/plot/text.h"
#include "renyi/error.h"

namespace renyi::cli::plot {
namespace {

constexpr const char* how_to_draw =
    "# Drawn by: gnuplot -e \"set terminal pngcairo size 960,640; set output 'figure.png'\" FILE\n";

std::size_t title_width(const Canvas& canvas) {
  constexpr std::size_t of_a_picture = 76, margin = 8;
  return canvas.is_terminal() ? static_cast<std::size_t>(canvas.columns) - margin : of_a_picture;
}

// A fifth more than the font of the terminal line.
int title_size(const Canvas& canvas) {
  if (canvas.medium == Medium::svg) return 22;
  return canvas.medium == Medium::pdf ? 12 : 18;
}

// Title, run, note, one below the other. In a picture the last two are quieter, which parts of one title cannot be.
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

std::string gnuplot_script(const Figure& figure, const Canvas& canvas) {
  const Figure settled = with_ranges(figure);
  const Drawn parts = drawn(settled, canvas);
  if (parts.data.empty())
    throw Unsupported("", "there is nothing to draw: no value of this plot is finite",
                      "ask for another kind, such as profile");
  return (canvas.medium == Medium::script ? how_to_draw : terminal_line(canvas)) + style_lines(canvas) +
         title_lines(figure, canvas) + axes_lines(settled, canvas) + parts.arrows + parts.data +
         fmt::format("plot {}\n", fmt::join(parts.elements, ", \\\n  "));
}

}  // namespace renyi::cli::plot
