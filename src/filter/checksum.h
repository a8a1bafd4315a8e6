// The checksum of filter files and odometer files (docs/format/filter.md).
#pragma once

#include <string>
#include <string_view>

#include "json/field.h"
#include "json/json.h"

namespace renyi::filter {

// Returns the CRC-64/XZ of the document without its "checksum". It finds files that were changed by hand or by
// accident; it does not protect against somebody who computes it anew.
std::string checksum(json::Json document);

// Returns the CRC-64/XZ of a text in the same form.
std::string checksum_of(std::string_view text);

// Throws InvalidArgument unless the document has its own checksum.
void check_checksum(const json::Field& document);

}  // namespace renyi::filter
