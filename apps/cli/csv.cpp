#include "apps/cli/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace renyi::cli {
namespace {

// Names and "inf" need no quotes in this format: none holds a comma.
std::string cell(const api::Json& value) { return value.is_string() ? value.get<std::string>() : api::write(value); }

}  // namespace

std::string csv(const std::vector<std::string>& titles, const std::vector<std::vector<api::Json>>& rows) {
  std::string text = fmt::format("{}\n", fmt::join(titles, ","));
  for (const auto& row : rows) {
    std::vector<std::string> cells;
    for (const api::Json& value : row) cells.push_back(cell(value));
    text += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return text;
}

}  // namespace renyi::cli
