#include "api/sweep/cell.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>
#include <cmath>

namespace renyi::api::sweep {
namespace {

// A sweep writes ten numbers a row: straight into the line, without a string for each.
template <class Number>
void append_digits(std::string& out, Number value) {
  std::array<char, 32> digits{};
  char* const end = fmt::format_to(digits.data(), FMT_COMPILE("{}"), value);
  out.append(digits.data(), end);
}

}  // namespace

void append_cell(std::string& out, std::string_view words) {
  if (words.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += words;
    return;
  }
  out += '"';
  for (const char c : words) {
    if (c == '"') out += '"';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  out += '"';
}

void append_json(std::string& out, const Json& value) {
  if (value.is_number_unsigned()) return append_digits(out, value.get<std::uint64_t>());
  if (value.is_number_integer()) return append_digits(out, value.get<std::int64_t>());
  const bool plain = value.is_number_float() && std::isfinite(value.get<double>()) && value.get<double>() != 0;
  if (plain) return append_digits(out, value.get<double>());
  out += write(value);
}

void append_cell(std::string& out, const Json& value) {
  if (value.is_string()) return append_cell(out, std::string_view(value.get_ref<const std::string&>()));
  append_json(out, value);
}

}  // namespace renyi::api::sweep
