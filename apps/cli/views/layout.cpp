#include "apps/cli/views/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "api/csv.h"
#include "api/number_text.h"
#include "apps/cli/io/output.h"

namespace renyi::cli {
namespace layout_file {
namespace {

constexpr std::size_t label_width = 12;
constexpr std::size_t margin = 2;

}  // namespace
}  // namespace layout_file

Report& Report::headline(std::string_view strong, std::string_view rest) {
  text_ += fmt::format("{} {}\n", style_.strong(strong), rest);
  return blank_line();
}

Report& Report::row(std::string_view label, std::string_view text) {
  text_ += fmt::format("{:{}}{:{}}{}\n", "", layout_file::margin, label, layout_file::label_width,
                       wrapped(text, layout_file::margin + layout_file::label_width));
  return *this;
}

Report& Report::blank_line() {
  text_ += '\n';
  return *this;
}

Report& Report::lines(std::string_view text) {
  text_ += text;
  return *this;
}

Report& Report::paragraph(std::string_view text) {
  text_ += wrapped(text, 0) + '\n';
  return *this;
}

Report& Report::warning(std::string_view text) {
  text_ += style_.alarming(wrapped(fmt::format("warning: {}", text), 0)) + '\n';
  return *this;
}

namespace layout_file {
namespace {

constexpr std::size_t gap = 2;

// Returns the widths of all columns except the last one of the longest row.
std::vector<std::size_t> widths_of(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  if (!widths.empty()) widths.pop_back();
  return widths;
}

}  // namespace
}  // namespace layout_file

std::string columns(const std::vector<std::vector<std::string>>& rows) {
  const auto widths = layout_file::widths_of(rows);
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += std::string(layout_file::gap, ' ');
      line += i < widths.size() ? fmt::format("{:{}}", row[i], widths[i]) : wrapped(row[i], line.size());
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

Cell::Cell(const std::string& words) { api::append_cell(text_, words); }
Cell::Cell(std::string_view words) : Cell(std::string(words)) {}
Cell::Cell(const char* words) : Cell(std::string(words)) {}
Cell::Cell(double number) : text_(api::decimal(number)) {}
Cell::Cell(std::int64_t number) : text_(fmt::format("{}", number)) {}
Cell::Cell(int number) : text_(fmt::format("{}", number)) {}

std::string csv(const std::vector<std::string>& titles, const std::vector<std::vector<Cell>>& rows) {
  std::string text = fmt::format("{}\n", fmt::join(titles, ","));
  for (const auto& row : rows) {
    std::vector<std::string_view> cells;
    for (const Cell& cell : row) cells.push_back(cell.text());
    text += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return text;
}

}  // namespace renyi::cli
