// The flags that say how a figure looks: its size, its font, its title and its axes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/flags/question.h"
#include "apps/cli/plot/axes.h"
#include "apps/cli/plot/canvas.h"

namespace renyi::cli::plot {

std::vector<FlagText> look_flags();

// Returns the canvas for that file, the value of `out_flag`, or for the terminal if there is no file. Throws
// InvalidArgument naming the flag, also for flags that mean nothing for that format.
Canvas canvas_asked(const Flags& flags, const std::string& out_flag, const std::optional<std::string>& file);

// Puts the scales of the axes into the request, and the title into the figure, if they were given.
void set_scales(Question& question, const Flags& flags);
void set_title(Figure& figure, const Flags& flags);

}  // namespace renyi::cli::plot
