// The layout of a picture: which part of the page the plot takes, and where texts, ticks and the legend are.
#pragma once

#include <optional>
#include <vector>

#include "apps/cli/plot/axes.h"
#include "apps/cli/plot/canvas.h"
#include "apps/cli/plot/legend.h"
#include "apps/cli/plot/svg.h"
#include "apps/cli/plot/ticks.h"

namespace renyi::cli::plot {

struct Page {
  double size = 10;      // the size of the font
  double row_size = 10;  // the font of names and labels in rows
  double bar_width = 0;  // the space for the bar of colours or for the axis of masses, to the right of the plot
  Box plot{};
  Ticks x_ticks{};
  Ticks y_ticks{};
  Ticks mass_ticks{};
  std::vector<Text> texts{};  // titles and labels; those of ticks are drawn with the ticks
  Legend legend{};
  bool legend_inside = false;

  Scale x(const Figure& figure) const { return {figure.x, plot.left, plot.right}; }
  Scale y(const Figure& figure) const { return {figure.y, plot.bottom, plot.top}; }
  Scale y_of(const Axis& axis) const { return {axis, plot.bottom, plot.top}; }
};

// Throws InvalidArgument if the text leaves no space for the plot.
Page page_of(const Figure& figure, const Canvas& canvas);

// Returns the lines of the figure on that page, as far as they lie in the plot.
std::vector<Segment> segments_of(const Figure& figure, const Page& page);

// Returns the texts of the ticks.
std::vector<Text> tick_texts(const Figure& figure, const Page& page);

}  // namespace renyi::cli::plot
