// Heat maps: cells with colours, and the bar that explains the colours.
#pragma once

#include <string>

#include "apps/cli/plot/axes.h"
#include "apps/cli/plot/svg.h"

namespace renyi::cli::plot {

struct Page;

// A sequence of colours that grows darker with the value, so that it reads in grey as well.
class Colours {
 public:
  // Covers the finite values, on a logarithmic scale if they differ by more than a factor of 20.
  explicit Colours(const std::vector<double>& values);

  // Returns the position of a finite value from 0 to 1.
  double along(double value) const;
  // Returns "#RRGGBB".
  static std::string at(double along);
  // Whether white text is easier to read there than black text.
  static bool is_dark(double along);
  // The axis of the values, whose ends are determined.
  const Axis& axis() const { return axis_; }

 private:
  Axis axis_{};
};

// Returns the value of a cell in three digits, rounded up; a dash if there is none.
std::string cell_text(double value);

// Returns the width of the bar of colours with its labels.
double bar_width(const Figure& figure, double size);

// Draws the cells and the bar. The figure has a heat map.
void draw_heat(Svg& svg, const Figure& figure, const Page& page);

}  // namespace renyi::cli::plot
