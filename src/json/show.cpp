#include "json/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace renyi::json {
namespace show_file {
namespace {

constexpr std::size_t shown_bytes = 40;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// Escapes control characters and replaces bad bytes, as in a JSON string; quotes stay as they are.
std::string escaped(std::string_view text) {
  const std::string quoted = Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text_only = quoted.substr(1, quoted.size() - 2);
  for (std::size_t at = 0; (at = text_only.find("\\\"", at)) != std::string::npos; ++at) text_only.erase(at, 1);
  return text_only;
}

// UTF-8 continuation bytes look like 10xxxxxx; a cut must not fall before one.
std::size_t cut_before(std::string_view text, std::size_t at) {
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  return at;
}

std::string shortened(const std::string& text) {
  if (text.size() <= shown_bytes) return text;
  return text.substr(0, cut_before(text, shown_bytes)) + "...";
}

}  // namespace
}  // namespace show_file

// Escaping makes text longer, never shorter: a prefix is enough.
std::string show(std::string_view text) {
  return show_file::shortened(show_file::escaped(text.substr(0, 2 * show_file::shown_bytes)));
}

std::string show(const Json& value) {
  if (value.is_string()) return '"' + show(std::string_view(value.get_ref<const std::string&>())) + '"';
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  if (value.is_object()) return "an object";
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.dump();
}

std::string_view kind_of(const Json& value) {
  if (value.is_number() || value.is_binary()) return "a number";
  if (value.is_boolean()) return "a truth value";
  if (value.is_string()) return "a string";
  if (value.is_array()) return "an array";
  return value.is_object() ? "an object" : "null";
}

std::string member_path(std::string_view parent, std::string_view key) {
  const bool plain =
      !key.empty() && key.size() <= show_file::shown_bytes && std::all_of(key.begin(), key.end(), show_file::is_plain);
  if (!plain) return fmt::format("{}[\"{}\"]", parent, show(key));
  if (parent.empty()) return std::string(key);
  return std::string(parent).append(".").append(key);  // called for every member; faster than fmt
}

std::string element_path(std::string_view parent, std::size_t index) {
  return std::string(parent).append("[").append(std::to_string(index)).append("]");
}

}  // namespace renyi::json
