#include "api/csv.h"

#include <charconv>

namespace renyi::api {

namespace csv_file {
namespace {

bool is_number(std::string_view words) {
  if (words.starts_with('+')) words.remove_prefix(1);
  double value = 0;
  const char* const end = words.data() + words.size();
  return !words.empty() && std::from_chars(words.data(), end, value).ptr == end;
}

bool looks_computed(std::string_view words) {
  constexpr std::string_view beginnings = "=+-@\t\r";
  return words.size() > 1 && beginnings.find(words.front()) != std::string_view::npos && !is_number(words);
}

}  // namespace
}  // namespace csv_file

void append_cell(std::string& out, std::string_view words) {
  const bool is_marked = csv_file::looks_computed(words);
  if (!is_marked && words.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += words;
    return;
  }
  out += is_marked ? "\"'" : "\"";
  for (const char c : words) {
    if (c == '"') out += '"';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  out += '"';
}

}  // namespace renyi::api
