#include "apps/cli/columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/output.h"

namespace renyi::cli {
namespace {

constexpr std::size_t gap = 2;

// Of all columns but the last of the longest row.
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

std::string columns(const std::vector<std::vector<std::string>>& rows) {
  const auto widths = widths_of(rows);
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += std::string(gap, ' ');
      line += i < widths.size() ? fmt::format("{:{}}", row[i], widths[i]) : wrapped(row[i], line.size());
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace renyi::cli
