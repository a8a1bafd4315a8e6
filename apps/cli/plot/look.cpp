#include "apps/cli/plot/look.h"

#include <fmt/format.h>

#include <array>

namespace renyi::cli::plot {
namespace {

struct Look {
  const char* colour;
  const char* dashes;
  double width;
  int dot;     // gnuplot's point type
  int letter;  // gnuplot's line type on a terminal, which chooses the character
  char mark;   // a dot on a terminal
};

// In the order of Tone.
constexpr std::array<Look, 5> looks{{
    {"#0072B2", "solid", 3.5, 7, 1, 'O'},
    {"#D55E00", "(14,6)", 3.5, 5, 2, 'x'},
    {"#009E73", "(14,5,3,5)", 3.5, 9, 3, 'A'},
    {"#666666", "(3,5)", 2.5, 6, 7, 'o'},
    {"#000000", "solid", 3, 7, 5, 'O'},
}};

const Look& look_of(Tone tone) { return looks.at(static_cast<std::size_t>(tone)); }

}  // namespace

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

std::string rule_look(Tone tone, const Canvas& canvas) {
  const Look& look = look_of(tone);
  if (canvas.is_terminal()) return fmt::format("lt {}", look.letter);
  return fmt::format("lc rgb '{}' dt (3,5) lw 2.5", look.colour);
}

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

}  // namespace renyi::cli::plot
