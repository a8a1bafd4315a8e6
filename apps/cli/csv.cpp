#include "apps/cli/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace renyi::cli {
namespace {

// Sentences hold commas and quotes (RFC 4180).
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::string cell(const api::Json& value) {
  return value.is_string() ? quoted(value.get<std::string>()) : api::write(value);
}

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
