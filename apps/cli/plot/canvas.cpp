#include "apps/cli/plot/canvas.h"

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

constexpr std::array<Ending, 3> endings{{{".png", "png"}, {".svg", "svg"}, {".pdf", "pdf"}}};

}  // namespace
}  // namespace canvas_file

Canvas canvas_for(const std::string& flag, const std::string& file) {
  const std::string format = format_of_file(flag, file, canvas_file::endings, std::nullopt, std::nullopt);
  if (format == "png") return {.medium = Medium::png};
  return {.medium = format == "pdf" ? Medium::pdf : Medium::svg};
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

}  // namespace renyi::cli::plot
