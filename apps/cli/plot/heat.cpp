#include "apps/cli/plot/heat.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "api/figure/finish.h"
#include "api/figure/words.h"
#include "apps/cli/plot/axes.h"
#include "apps/cli/plot/page.h"
#include "apps/cli/plot/text.h"
#include "apps/cli/plot/ticks.h"

namespace renyi::cli::plot {
namespace heat_file {
namespace {

// From light to dark, with an even change of lightness.
constexpr std::array<std::array<double, 3>, 4> anchors{
    {{0xF4, 0xF8, 0xFB}, {0x9C, 0xC6, 0xE3}, {0x2F, 0x7F, 0xB8}, {0x06, 0x2A, 0x58}}};
constexpr const char* without_value = "#DDDDDD";

// Relative to the size of the font: the gap before the bar, its width, and the gaps beside its labels.
constexpr double bar_gap = 1.4, bar = 1.1, label_gap = 0.5;

std::array<double, 3> mixed(double along) {
  const double place = std::clamp(along, 0.0, 1.0) * (anchors.size() - 1);
  const auto first = std::min(static_cast<std::size_t>(place), anchors.size() - 2);
  std::array<double, 3> colour{};
  for (std::size_t i = 0; i < colour.size(); ++i) {
    colour[i] = anchors[first][i] + (place - static_cast<double>(first)) * (anchors[first + 1][i] - anchors[first][i]);
  }
  return colour;
}

// Ticks between which there is space; the bar is about as high as a plot of ten lines or more.
Ticks bar_ticks(const Axis& axis) {
  constexpr std::size_t most = 8;
  return ticks_of(axis, [](const Ticks& ticks) {
    return std::count_if(ticks.begin(), ticks.end(), [](const Tick& t) { return !t.label.empty(); }) <=
           static_cast<std::ptrdiff_t>(most);
  });
}

double widest_label(const Ticks& ticks, double size) {
  double widest = 0;
  for (const Tick& tick : ticks) widest = std::max(widest, text_width(tick.label, size));
  return widest;
}

// Returns the largest size in which every number fits its cell; 0 if that would be too small to read.
double size_of_numbers(const Heat& heat, double width, double height, double size) {
  double fits = std::min(0.9 * size, 0.7 * height);
  for (const double value : heat.values) fits = std::min(fits, 0.9 * width / text_width(cell_text(value), 1));
  return fits < 0.55 * size ? 0 : fits;
}

void draw_cells(Svg& svg, const Figure& figure, const Page& page, const Colours& colours) {
  const std::size_t columns = figure.x.names.size();
  const Scale x = page.x(figure), y = page.y(figure);
  const double width = x.at(2) - x.at(1), height = y.at(1) - y.at(2);
  const double size = size_of_numbers(*figure.heat, width, height, page.size);
  for (std::size_t i = 0; i < figure.heat->values.size(); ++i) {
    const double value = figure.heat->values[i];
    const std::size_t column = i % columns, row = i / columns;
    const double left = x.at(static_cast<double>(column) + 0.5), top = y.at(static_cast<double>(row) + 1.5);
    const double along = std::isinf(value) ? 1 : std::isnan(value) ? 0 : colours.along(value);
    svg.rectangle({left, top, left + width, top + height}, std::isnan(value) ? without_value : Colours::at(along));
    if (size == 0) continue;
    svg.text({cell_text(value), left + width / 2, top + height / 2 + 0.36 * size, size, Anchor::middle,
              Colours::is_dark(along) ? "#FFFFFF" : "#111111"});
  }
}

void draw_bar(Svg& svg, const Figure& figure, const Page& page, const Colours& colours) {
  constexpr int shades = 64;
  const double left = page.plot.right + bar_gap * page.size, right = left + bar * page.size;
  const double height = page.plot.height();
  for (int i = 0; i < shades; ++i) {
    const double bottom = page.plot.bottom - height * i / shades;
    // Each overlaps the next a little, so that no gap shows between them.
    svg.rectangle({left, std::max(page.plot.top, bottom - height / shades - 0.3), right, bottom},
                  Colours::at((i + 0.5) / shades));
  }
  const Ticks ticks = bar_ticks(colours.axis());
  const Scale scale(colours.axis(), page.plot.bottom, page.plot.top);
  for (const Tick& tick : ticks) {
    const double y = scale.at(tick.at);
    if (tick.label.empty()) continue;
    svg.line({{right, y}, {right + 0.25 * page.size, y}}, {.width = 0.06 * page.size});
    svg.text({tick.label, right + label_gap * page.size, y + 0.36 * page.size, page.size});
  }
  const double label = right + widest_label(ticks, page.size) + page.size * (2 * label_gap + 1);
  const auto lines = lines_of(figure.heat->label, page.size, height, 1);
  svg.text({lines.front(), label, (page.plot.top + page.plot.bottom) / 2, page.size, Anchor::middle, "#222222", true});
}

}  // namespace
}  // namespace heat_file

Colours::Colours(const std::vector<double>& values) {
  constexpr double many = 20;
  const auto range = api::figure::range_of(values, false).value_or(std::pair(0.0, 1.0));
  axis_.log = range.first > 0 && range.second > many * range.first;
  axis_.from = range.first;
  // Values that differ only by rounding have one colour.
  constexpr double least_span = 1e-9;
  const bool differ = range.second - range.first > least_span * std::abs(range.second);
  axis_.to = differ ? range.second : range.first + std::max(1.0, std::abs(range.first));
}

double Colours::along(double value) const { return Scale(axis_, 0, 1).at(value); }

std::string Colours::at(double along) {
  const auto colour = heat_file::mixed(along);
  return fmt::format("#{:02X}{:02X}{:02X}", std::lround(colour[0]), std::lround(colour[1]), std::lround(colour[2]));
}

bool Colours::is_dark(double along) {
  const auto colour = heat_file::mixed(along);
  return 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2] < 140;
}

std::string cell_text(double value) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return "∞";
  if (!(value > 0)) return "0";
  constexpr int last_digit = 2;
  const int exponent = static_cast<int>(std::floor(std::log10(value)));
  const double unit = std::pow(10.0, exponent - last_digit);
  // A quotient that exceeds a whole number by rounding errors only is that number.
  const double units = std::ceil(value / unit * (1 - 1e-12));
  if (exponent >= -3 && exponent < 5) return fmt::format("{:.{}f}", units * unit, std::max(0, last_digit - exponent));
  return api::figure::with_raised_exponent(fmt::format("{:.2f}e{}", units / 100, exponent));
}

double bar_width(const Figure& figure, double size) {
  const Colours colours(figure.heat->values);
  using namespace heat_file;
  return size * (bar_gap + bar + 2 * label_gap + 1.3) + widest_label(bar_ticks(colours.axis()), size);
}

void draw_heat(Svg& svg, const Figure& figure, const Page& page) {
  const Colours colours(figure.heat->values);
  heat_file::draw_cells(svg, figure, page, colours);
  heat_file::draw_bar(svg, figure, page, colours);
}

}  // namespace renyi::cli::plot
