// Text in figures: what can be drawn, how it is written in XML and on a terminal, and how wide it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace renyi::cli::plot {

// Returns text that any terminal can draw: control characters and bytes that are not UTF-8 become '?'.
std::string printable(std::string_view text);

// Returns printable text in which the characters of markup are escaped.
std::string in_xml(std::string_view text);

// Returns the text with the symbols of figures written in ASCII: "ε ≤ 10⁻⁵" becomes "epsilon <= 1e-5".
std::string in_plain_characters(std::string_view text);

// Returns the number of characters of printable text.
std::size_t length_of(std::string_view text);

// Cuts text to at most `width` characters; longer text ends with "...", never after a part of a number.
std::string shortened(std::string_view text, std::size_t width);

// Returns the width of text in a font of this size, in the same unit. The widths are those of DejaVu Sans, which is
// wider than most fonts, so that text in another font seldom needs more space.
double text_width(std::string_view text, double size);

// Breaks text at blanks into lines that are at most that wide. If more than `most` lines are needed, the last one is
// cut as by `shortened`; so is a word that is wider than a line.
std::vector<std::string> lines_of(std::string_view text, double size, double width, std::size_t most);

}  // namespace renyi::cli::plot
