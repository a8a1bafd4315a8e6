#include "apps/cli/plot/canvas.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>

#include "apps/cli/flags/file_format.h"
#include "apps/cli/io/output.h"

namespace renyi::cli::plot {
namespace canvas_file {
namespace {

constexpr std::array<Ending, 4> endings{{{".png", "png"}, {".svg", "svg"}, {".pdf", "pdf"}, {".gp", "script"}}};

}  // namespace
}  // namespace canvas_file

Canvas canvas_for(const std::string& flag, const std::string& file) {
  const std::string format = format_of_file(flag, file, canvas_file::endings, std::nullopt, std::nullopt);
  if (format == "png") return {.medium = Medium::png};
  if (format == "svg") return {.medium = Medium::svg};
  if (format == "pdf") return {.medium = Medium::pdf};
  return {.medium = Medium::script};
}

Canvas canvas_of_standard_output() {
  Canvas canvas{.medium = Medium::terminal};
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return canvas;  // NOLINT(*-vararg): the system's interface
  constexpr int narrowest = 40, widest = 200, lowest = 20, highest = 60;
  if (size.ws_col > 0) canvas.columns = std::clamp<int>(size.ws_col, narrowest, widest);
  if (size.ws_row > 0)
    canvas.rows = std::clamp<int>(size.ws_row - 1, lowest, highest);  // one line is left for the prompt
  canvas.colour = Style::of_standard_output().coloured();
  return canvas;
}

std::string terminal_line(const Canvas& canvas) {
  switch (canvas.medium) {
    case Medium::png:
      return "set terminal pngcairo size 960,640 font 'DejaVu Sans,15' linewidth 1 background rgb 'white'\n";
    case Medium::svg: return "set terminal svg size 960,640 font 'sans-serif,18' background rgb 'white'\n";
    case Medium::pdf:
      return "set terminal pdfcairo size 6.4in,4.27in font 'DejaVu Sans,10' fontscale 0.72 linewidth 0.6 background "
             "rgb "
             "'white'\n";
    case Medium::script: return "";
    case Medium::terminal: break;
  }
  return fmt::format("set terminal dumb size {},{} noenhanced {}\n", canvas.columns, canvas.rows,
                     canvas.colour ? "ansi" : "mono");
}

}  // namespace renyi::cli::plot
