// Text in gnuplot's scripts.
#pragma once

#include <string>
#include <string_view>

namespace renyi::cli::plot {

// Text that any terminal can draw: control characters and bytes that are no UTF-8 become '?'.
std::string printable(std::string_view text);

// A string of gnuplot's that says exactly `text`, made printable: in single quotes, where gnuplot substitutes nothing.
std::string in_quotes(std::string_view text);

// At most `width` characters; longer text ends with "...", never behind a part of a number.
std::string shortened(std::string_view text, std::size_t width);

}  // namespace renyi::cli::plot
