// Documents out: numbers that read back to the same double, and never NaN.
#pragma once

#include <string>

#include "json/json.h"

namespace renyi::json {

// A number for a document: infinity is the string "inf". NaN and -inf are
// mistakes of the caller and throw std::logic_error.
Json number(double value);

// The shortest decimal that reads back to the same double.
std::string decimal(double value);

// One line without blanks, valid UTF-8 (bad bytes in strings are replaced).
// A number that is not finite throws std::logic_error: JSON has no way to say it.
std::string write(const Json& value);

}  // namespace renyi::json
