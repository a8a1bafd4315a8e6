// Colours, dashes and widths. The palette is Okabe and Ito's, which the colour-blind can tell apart; dashes differ as
// well, for grey print.
#pragma once

#include <string>

#include "apps/cli/plot/canvas.h"
#include "apps/cli/plot/figure.h"

namespace renyi::cli::plot {

// What follows `with lines`, `with points` and `with filledcurves`.
std::string line_look(Tone tone, const Canvas& canvas);
std::string dot_look(Tone tone, const Canvas& canvas);
std::string fill_look(Tone tone);
// The thin dashes of a rule.
std::string rule_look(Tone tone, const Canvas& canvas);

// Everything that does not depend on the figure.
std::string style_lines(const Canvas& canvas);

}  // namespace renyi::cli::plot
