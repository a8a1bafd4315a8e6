#include <algorithm>
#include <cctype>

#include "apps/server/http.h"

namespace renyi::server {

namespace http_message_file {
namespace {

bool is_same_name(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

}  // namespace
}  // namespace http_message_file

const std::string* HttpRequest::header(std::string_view name) const noexcept {
  for (const auto& [key, value] : headers) {
    if (http_message_file::is_same_name(key, name)) return &value;
  }
  return nullptr;
}

const std::string* HttpRequest::last_header(std::string_view name) const noexcept {
  const std::string* last = nullptr;
  for (const auto& [key, value] : headers) {
    if (http_message_file::is_same_name(key, name)) last = &value;
  }
  return last;
}

bool HttpRequest::is_repeated(std::string_view name) const noexcept {
  return std::count_if(headers.begin(), headers.end(),
                       [&](const auto& field) { return http_message_file::is_same_name(field.first, name); }) > 1;
}

}  // namespace renyi::server
