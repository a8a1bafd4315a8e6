// Text for gnuplot scripts.
#pragma once

#include <string>
#include <string_view>

namespace renyi::cli::plot {

// Returns text that any terminal can draw: control characters and bytes that are not UTF-8 become '?'.
std::string printable(std::string_view text);

// Returns `text`, made printable, as a gnuplot string in single quotes, in which gnuplot substitutes nothing.
std::string in_quotes(std::string_view text);

// Cuts text to at most `width` characters; longer text ends with "...", never after a part of a number.
std::string shortened(std::string_view text, std::size_t width);

}  // namespace renyi::cli::plot
