#include "api/secrets.h"

#include <algorithm>
#include <cctype>

namespace renyi::api {

namespace secrets_file {
namespace {

constexpr std::string_view hidden = "...";
constexpr std::string_view ends = " \t\n\"'`),;";

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

// Replaces what `mark` introduces by dots. `length` says how much of the rest, up to the next blank or quote, it is.
template <class Length>
void hide_after(std::string& text, std::string_view mark, const Length& length) {
  for (std::size_t at = lowered(text).find(mark); at != std::string::npos; at = lowered(text).find(mark, at + 1)) {
    const std::size_t from = at + mark.size(), end = std::min(text.find_first_of(ends, from), text.size());
    const std::size_t size = length(std::string_view(text).substr(from, end - from));
    if (size > 0) text.replace(from, size, hidden);
  }
}

}  // namespace
}  // namespace secrets_file

std::string without_passwords(std::string_view message) {
  using secrets_file::hide_after;
  std::string text(message);
  const auto all = [](std::string_view rest) { return rest.size(); };
  if (text.find("://") != std::string::npos) {
    hide_after(text, "postgresql://", all);
    hide_after(text, "postgres://", all);
    hide_after(text, "://", [](std::string_view rest) {
      const std::size_t at = rest.substr(0, rest.find('/')).rfind('@');
      return at == std::string_view::npos ? 0 : at;
    });
  }
  hide_after(text, "password=", [](std::string_view rest) { return std::min(rest.find('&'), rest.size()); });
  return text;
}

}  // namespace renyi::api
