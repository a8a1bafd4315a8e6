#include "convert/record.h"

namespace renyi {
namespace convert {
namespace {

bool is_opacus(const json::Json& record) {
  if (record.is_object()) return record.contains("history");
  return record.is_array() && (record.empty() || record.front().is_array());
}

// A named tuple starts with its module's name; no entry of a history starts with a string.
bool is_dp_event(const json::Json& record) {
  if (record.is_object()) return record.contains("class_name");
  return record.is_array() && !record.empty() && record.front().is_string();
}

}  // namespace

std::string_view to_string(Tool tool) noexcept { return tool == Tool::opacus ? "opacus" : "dp_accounting"; }

Tool tool_of(const json::Field& record) {
  const bool opacus = is_opacus(record.value());
  if (opacus == is_dp_event(record.value())) {
    record.refuse(
        "the history or state of an Opacus accountant, or a dp_accounting event in its named-tuple form "
        "(docs/format/convert.md)");
  }
  return opacus ? Tool::opacus : Tool::dp_accounting;
}

Converted from(Tool tool, const json::Field& record, Neighbors neighbors) {
  return tool == Tool::opacus ? from_opacus(record, neighbors) : from_dp_events(record, neighbors);
}

}  // namespace convert

Converted convert_opacus(std::string_view text, Neighbors neighbors) {
  const json::Json document = json::parse(text);
  return convert::from_opacus(json::Field(document), neighbors);
}

Converted convert_dp_events(std::string_view text, Neighbors neighbors) {
  const json::Json document = json::parse(text);
  return convert::from_dp_events(json::Field(document), neighbors);
}

}  // namespace renyi
