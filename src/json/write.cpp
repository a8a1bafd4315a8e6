#include "json/write.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace renyi::json {
namespace write_file {
namespace {

void append(std::string& out, const Json& value);

void append_text(std::string& out, const std::string& text) {
  out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append_array(std::string& out, const Json& array) {
  std::string_view before = "[";
  for (const Json& item : array) {
    out += before;
    append(out, item);
    before = ",";
  }
  out += array.empty() ? "[]" : "]";
}

void append_object(std::string& out, const Json& object) {
  std::string_view before = "{";
  for (const auto& member : object.items()) {
    out += before;
    append_text(out, member.key());
    out += ':';
    append(out, member.value());
    before = ",";
  }
  out += object.empty() ? "{}" : "}";
}

void append(std::string& out, const Json& value) {
  if (value.is_object()) return append_object(out, value);
  if (value.is_array()) return append_array(out, value);
  if (value.is_string()) return append_text(out, value.get_ref<const std::string&>());
  if (value.is_number_float()) {
    out += decimal(value.get<double>());
    return;
  }
  out += value.dump();
}

}  // namespace
}  // namespace write_file

Json number(double value) {
  if (std::isnan(value) || value == -INFINITY) throw std::logic_error("a result that is not a number");
  return std::isinf(value) ? Json("inf") : Json(value);
}

std::string decimal(double value) {
  if (!std::isfinite(value)) throw std::logic_error("a number that is not finite in a document");
  if (value == 0 && std::signbit(value)) return "-0.0";  // "-0" would read back as the integer 0
  return fmt::format("{}", value);
}

std::string write(const Json& value) {
  std::string out;
  write_file::append(out, value);
  return out;
}

}  // namespace renyi::json
