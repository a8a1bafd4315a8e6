// Colours, dashes and marks. The palette is that of Okabe and Ito, which colour-blind readers can tell apart; dashes
// and marks differ as well, for printing in grey.
#pragma once

#include <array>

#include "apps/cli/plot/figure.h"

namespace renyi::cli::plot {

enum class Mark { disc, square, triangle, ring };

struct Look {
  const char* colour;
  const char* dashes;  // lengths in units of the line's width; empty for a solid line
  double width;        // relative to the usual one
  Mark mark;
  char letter;       // its lines on a terminal
  char mark_letter;  // its dots on a terminal
  int ansi;          // its colour on a terminal
};

inline constexpr std::size_t most_runs = 8;  // runs in one figure

// In the order of Tone.
inline constexpr std::array<Look, 5> looks_of_tones{{
    {"#0072B2", "", 1.2, Mark::disc, '*', 'O', 34},
    {"#D55E00", "4.5 2", 1.2, Mark::square, '#', 'x', 31},
    {"#009E73", "4.5 1.5 1 1.5", 1.2, Mark::triangle, '+', 'A', 32},
    {"#666666", "1 1.6", 0.9, Mark::ring, '.', 'o', 90},
    {"#000000", "", 1, Mark::disc, '@', 'O', 1},
}};

inline constexpr std::array<Look, most_runs> looks_of_runs{{
    {"#0072B2", "", 1.2, Mark::disc, '*', '*', 34},
    {"#D55E00", "4.5 2", 1.2, Mark::square, '#', '#', 31},
    {"#009E73", "4.5 1.5 1 1.5", 1.2, Mark::triangle, '+', '+', 32},
    {"#CC79A7", "1.2 1.2", 1.2, Mark::ring, 'o', 'o', 35},
    {"#000000", "8 1.5", 1.2, Mark::disc, '@', '@', 1},
    {"#E69F00", "8 1.5 1 1.5 1 1.5", 1.2, Mark::square, '%', '%', 33},
    {"#56B4E9", "2.5 1.2", 1.4, Mark::triangle, '=', '=', 36},
    {"#999999", "", 1.6, Mark::ring, '&', '&', 90},
}};

inline const Look& look_of(const Series& series) {
  return series.run ? looks_of_runs.at(*series.run % most_runs)
                    : looks_of_tones.at(static_cast<std::size_t>(series.tone));
}

}  // namespace renyi::cli::plot
