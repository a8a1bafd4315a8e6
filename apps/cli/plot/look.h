// Colours, dashes and marks. The palette is that of Okabe and Ito, which colour-blind readers can tell apart; dashes
// and marks differ as well, for printing in grey.
#pragma once

#include <array>
#include <cstddef>

#include "api/figure.h"
#include "apps/cli/plot/axes.h"

namespace renyi::cli::plot {

enum class Symbol { disc, square, triangle, ring };

struct Look {
  const char* colour;
  const char* dashes;  // lengths in units of the line's width; empty for a solid line
  double width;        // relative to the usual one
  Symbol symbol;
  char letter;       // its lines on a terminal
  char mark_letter;  // its dots on a terminal
  int ansi;          // its colour on a terminal
};

using api::most_runs;

// In the order of Role.
inline constexpr std::array<Look, 5> looks_of_roles{{
    {"#0072B2", "", 1.2, Symbol::disc, '*', 'O', 34},
    {"#D55E00", "4.5 2", 1.2, Symbol::square, '#', 'x', 31},
    {"#009E73", "4.5 1.5 1 1.5", 1.2, Symbol::triangle, '+', 'A', 32},
    {"#666666", "1 1.6", 0.9, Symbol::ring, '.', 'o', 90},
    {"#000000", "", 1, Symbol::disc, '@', 'O', 1},
}};

inline constexpr std::array<Look, most_runs> looks_of_runs{{
    {"#0072B2", "", 1.2, Symbol::disc, '*', '*', 34},
    {"#D55E00", "4.5 2", 1.2, Symbol::square, '#', '#', 31},
    {"#009E73", "4.5 1.5 1 1.5", 1.2, Symbol::triangle, '+', '+', 32},
    {"#CC79A7", "1.2 1.2", 1.2, Symbol::ring, 'o', 'o', 35},
    {"#000000", "8 1.5", 1.2, Symbol::disc, '@', '@', 1},
    {"#E69F00", "8 1.5 1 1.5 1 1.5", 1.2, Symbol::square, '%', '%', 33},
    {"#56B4E9", "2.5 1.2", 1.4, Symbol::triangle, '=', '=', 36},
    {"#999999", "", 1.6, Symbol::ring, '&', '&', 90},
}};

// Returns the look of a series or of a mark.
template <class Drawn>
const Look& look_of(const Drawn& drawn) {
  return drawn.run ? looks_of_runs.at(*drawn.run % most_runs) : looks_of_roles.at(static_cast<std::size_t>(drawn.role));
}

}  // namespace renyi::cli::plot
