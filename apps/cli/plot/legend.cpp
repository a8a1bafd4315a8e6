#include "apps/cli/plot/legend.h"

#include <algorithm>
#include <array>

#include "apps/cli/plot/axes.h"
#include "apps/cli/plot/text.h"

namespace renyi::cli::plot {
namespace legend_file {
namespace {

constexpr std::size_t most_lines = 4;

double width_of(const Entry& entry, const Legend& legend) {
  double widest = 0;
  for (const std::string& line : entry.lines) widest = std::max(widest, text_width(line, legend.size));
  return legend.text_offset() + widest;
}

std::vector<Entry> entries_of(const Figure& figure, const Legend& legend, double most_width) {
  std::vector<Entry> entries;
  const auto add = [&](const Series* series, const Mark* mark, const std::string& name) {
    if (name.empty()) return;
    entries.push_back({series, mark, lines_of(name, legend.size, most_width - legend.text_offset(), most_lines)});
  };
  for (const Series& series : figure.series) add(&series, nullptr, series.name);
  for (const Mark& mark : figure.marks) add(nullptr, &mark, mark.text);
  return entries;
}

}  // namespace
}  // namespace legend_file

void Legend::move(double x, double y) {
  for (Entry& entry : entries) {
    entry.x += x;
    entry.y += y;
  }
}

Legend column_legend(const Figure& figure, double size, double most_width) {
  Legend legend{.size = size};
  legend.entries = legend_file::entries_of(figure, legend, most_width);
  for (Entry& entry : legend.entries) {
    entry.y = legend.height + size;
    legend.width = std::max(legend.width, legend_file::width_of(entry, legend));
    legend.height += legend.line_height() * static_cast<double>(entry.lines.size());
  }
  return legend;
}

Legend flowing_legend(const Figure& figure, double size, double width) {
  Legend legend{.size = size};
  legend.entries = legend_file::entries_of(figure, legend, width);
  const double gap = 1.5 * size;
  double x = 0, row_height = 0;
  for (Entry& entry : legend.entries) {
    const double wide = legend_file::width_of(entry, legend);
    if (x > 0 && x + gap + wide > width) {
      legend.height += row_height;
      x = row_height = 0;
    }
    entry.x = x > 0 ? x + gap : 0;
    entry.y = legend.height + size;
    x = entry.x + wide;
    row_height = std::max(row_height, legend.line_height() * static_cast<double>(entry.lines.size()));
    legend.width = std::max(legend.width, x);
  }
  legend.height += row_height;
  return legend;
}

// Cuts the segment at the four sides in turn, as Liang and Barsky do: what is left is inside.
bool crosses(const Segment& segment, const Box& box) {
  const double dx = segment.x1 - segment.x0, dy = segment.y1 - segment.y0;
  const std::array<std::pair<double, double>, 4> sides{{{-dx, segment.x0 - box.left},
                                                        {dx, box.right - segment.x0},
                                                        {-dy, segment.y0 - box.top},
                                                        {dy, box.bottom - segment.y0}}};
  double enters = 0, leaves = 1;
  for (const auto& [slope, distance] : sides) {
    if (slope == 0) {
      if (distance < 0) return false;
    } else if (slope < 0) {
      enters = std::max(enters, distance / slope);
    } else {
      leaves = std::min(leaves, distance / slope);
    }
  }
  return enters <= leaves;
}

std::optional<std::pair<double, double>> free_place(const Box& plot, double width, double height,
                                                    const std::vector<Segment>& segments) {
  const double left = plot.left, right = plot.right - width, middle = (left + right) / 2;
  const double top = plot.top, bottom = plot.bottom - height, centre = (top + bottom) / 2;
  const std::array<std::pair<double, double>, 8> places{{{right, top},
                                                         {left, top},
                                                         {left, bottom},
                                                         {right, bottom},
                                                         {right, centre},
                                                         {left, centre},
                                                         {middle, top},
                                                         {middle, bottom}}};
  for (const auto& [x, y] : places) {
    const Box box{x, y, x + width, y + height};
    if (std::none_of(segments.begin(), segments.end(), [&](const Segment& s) { return crosses(s, box); })) {
      return std::pair(x, y);
    }
  }
  return std::nullopt;
}

}  // namespace renyi::cli::plot
