// Values of flags that are axes of a grid: "1,5,20", "0.8:4:0.1", "1e-6:1e-3:x10".
#pragma once

#include <string>
#include <string_view>

#include "api/document.h"

namespace renyi::cli {

enum class AxisNumbers { real, whole };

// Returns the number that the text is, or the axis {"values":[...]} for a list of numbers and ranges. A range is
// first:last:step, which includes the last value if a step leads there, or first:last:xRATIO. Decimals are exact: the
// values of 0.8:4:0.1 are 0.8, 0.9, 1 and so on, as they would be written. Throws InvalidArgument naming the flag.
api::Document axis_of_numbers(std::string_view flag, std::string_view text, AxisNumbers numbers);

// Returns the word, or the axis of a list of words.
api::Document axis_of_words(std::string_view text);

}  // namespace renyi::cli
