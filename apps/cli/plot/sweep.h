// A sweep as a figure.
#pragma once

#include <string>

#include "api/sweep/figures.h"
#include "api/sweep/grid.h"
#include "apps/cli/plot/figure.h"

namespace renyi::cli::plot {

// Throws InvalidArgument naming `flag` unless the grid has one axis or two, and not too many values to draw.
void check_axes(const api::sweep::Grid& grid, const std::string& flag);

// Returns a curve for a grid of one axis, and a heat map for two.
Figure sweep_figure(const api::sweep::Grid& grid, const api::sweep::Figures& figures);

}  // namespace renyi::cli::plot
