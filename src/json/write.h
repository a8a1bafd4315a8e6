// Writes documents: numbers read back to the same double, and are never NaN.
#pragma once

#include <string>

#include "json/json.h"

namespace renyi::json {

// Returns a number for a document: infinity is the string "inf". NaN and -inf are programming errors of the caller and
// throw std::logic_error.
Json number(double value);

// Returns the shortest decimal that reads back to the same double.
std::string decimal(double value);

// Returns one line without blanks, valid UTF-8 (bad bytes in strings are replaced). A number that is not finite throws
// std::logic_error, because JSON cannot represent it.
std::string write(const Json& value);

}  // namespace renyi::json
