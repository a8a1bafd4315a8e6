// Reads records of other tools as plans. The tool is recognized by the shape of the record, which may be part of a
// larger document, such as a request.
#pragma once

#include <array>
#include <string_view>

#include "json/field.h"
#include "renyi/extras/convert.h"

namespace renyi::convert {

enum class Tool { opacus, dp_accounting };
inline constexpr std::array all_tools{Tool::opacus, Tool::dp_accounting};

// Returns "opacus" or "dp_accounting", as the tools call themselves.
std::string_view to_string(Tool tool) noexcept;

// Recognizes the tool by the shape of the record. Throws InvalidArgument if the record has neither shape.
Tool tool_of(const json::Field& record);

Plan from_opacus(const json::Field& record, Neighbors neighbors);
Plan from_dp_events(const json::Field& record, Neighbors neighbors);
Plan from(Tool tool, const json::Field& record, Neighbors neighbors);

}  // namespace renyi::convert
