// The legend: its entries, and a place for it where it covers nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/plot/axes.h"
#include "apps/cli/plot/svg.h"

namespace renyi::cli::plot {

// An entry for a series or for a mark.
struct Entry {
  const Series* series = nullptr;
  const Mark* mark = nullptr;
  std::vector<std::string> lines{};
  double x = 0;  // the left end of its sample
  double y = 0;  // its first baseline
};

// A legend at the origin: it is moved to its place.
struct Legend {
  std::vector<Entry> entries{};
  double size = 10;  // the size of the font
  double width = 0;
  double height = 0;

  bool empty() const { return entries.empty(); }
  void move(double x, double y);
  // The length of a sample, and the distance between lines.
  double sample() const { return 2.4 * size; }
  double text_offset() const { return 2.9 * size; }
  double line_height() const { return 1.3 * size; }
};

// Returns the legend with one entry below the other.
Legend column_legend(const Figure& figure, double size, double most_width);
// Returns the legend with entries beside each other as far as the width allows.
Legend flowing_legend(const Figure& figure, double size, double width);

// The lines that are drawn, as segments, each of which is a box with a direction.
struct Segment {
  double x0 = 0;
  double y0 = 0;
  double x1 = 0;
  double y1 = 0;
};
bool crosses(const Segment& segment, const Box& box);

// Returns a corner or a side of the plot in which a rectangle of this size meets no segment, as its upper left corner.
std::optional<std::pair<double, double>> free_place(const Box& plot, double width, double height,
                                                    const std::vector<Segment>& segments);

}  // namespace renyi::cli::plot
