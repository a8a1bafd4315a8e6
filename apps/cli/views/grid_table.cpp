#include "apps/cli/views/grid_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "api/number_text.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

using api::sweep::Axis;
using api::sweep::Figure;
using api::sweep::Figures;
using api::sweep::Grid;

namespace grid_table_file {
namespace {

constexpr std::size_t widest_matrix = 8;  // columns of values

// Returns the last word of a path: "epochs" for "run.epochs".
std::string title_of(const Axis& axis) { return axis.path.substr(axis.path.rfind('.') + 1); }

std::string text_of(const api::Document& value) {
  std::string text = value.text();
  if (text.starts_with('"')) return text.substr(1, text.size() - 2);
  return text.find_first_of(".e") == std::string::npos ? text : api::short_decimal(api::number_of(text));
}

// Bounds are rounded so that they stay bounds.
std::string text_of(const Figure& figure) {
  if (!figure.value) return "-";
  if (figure.whole) return std::to_string(*figure.whole);
  return figure.is_upper ? rounded_up(*figure.value) : rounded_down(*figure.value);
}

// Returns a matrix with the first axis downwards and the second one across, or the other way around.
std::string matrix(const Figures& figures, bool turned) {
  const Axis &first = figures.axes[0], &second = figures.axes[1];
  const Axis &down = turned ? second : first, &across = turned ? first : second;
  std::vector<std::vector<std::string>> lines(1 + down.values.size());
  lines[0].push_back(fmt::format("{} \\ {}", title_of(down), title_of(across)));
  for (const api::Document& value : across.values) lines[0].push_back(text_of(value));
  for (std::size_t i = 0; i < down.values.size(); ++i) {
    lines[1 + i].push_back(text_of(down.values[i]));
    for (std::size_t j = 0; j < across.values.size(); ++j) {
      const std::size_t index = turned ? j * down.values.size() + i : i * across.values.size() + j;
      lines[1 + i].push_back(text_of(figures.values[index]));
    }
  }
  return columns(lines);
}

std::string list(const Figures& figures) {
  std::vector<std::vector<std::string>> lines(1);
  for (const Axis& axis : figures.axes) lines[0].push_back(title_of(axis));
  lines[0].push_back(figures.name);
  for (std::size_t index = 0; index < figures.values.size(); ++index) {
    std::vector<std::string> line(figures.axes.size());
    for (std::size_t rest = index, i = line.size(); i-- > 0;) {
      const auto& values = figures.axes[i].values;
      line[i] = text_of(values[rest % values.size()]);
      rest /= values.size();
    }
    line.push_back(text_of(figures.values[index]));
    lines.push_back(std::move(line));
  }
  return columns(lines);
}

std::string kind_of(const Figures& figures) {
  const auto known =
      std::find_if(figures.values.begin(), figures.values.end(), [](const Figure& each) { return each.value; });
  if (figures.name == "epsilon" || figures.name == "delta") return "upper bounds, rounded up";
  if (known == figures.values.end()) return "no answer";
  return known->is_upper ? "the smallest that meets the target, rounded up"
                         : "the largest that meets the target, rounded down";
}

}  // namespace
}  // namespace grid_table_file

std::string grid_table(const Grid& grid, const Figures& figures, const std::vector<std::string>& understood) {
  const std::string fixed = fixed_numbers(grid), size = size_rule_of(grid);
  Report report(Style::of_standard_output());
  report.headline(fmt::format("{} at every point of the grid", figures.name),
                  fmt::format(" ({})", grid_table_file::kind_of(figures)));
  for (const std::string& line : understood) report.row("understood", line);
  if (!fixed.empty()) report.row("fixed", fixed);
  if (!size.empty()) report.row("size", size);
  if (!fixed.empty() || !size.empty() || !understood.empty()) report.blank_line();
  const bool is_matrix = figures.axes.size() == 2;
  const bool fits = is_matrix && figures.axes[1].values.size() <= grid_table_file::widest_matrix;
  const bool fits_turned = is_matrix && figures.axes[0].values.size() <= grid_table_file::widest_matrix;
  report.lines(fits || fits_turned ? grid_table_file::matrix(figures, !fits) : grid_table_file::list(figures));
  for (const RunWarning& warning : warnings_of(grid)) report.blank_line().warning(warning.text);
  return report.text();
}

}  // namespace renyi::cli
