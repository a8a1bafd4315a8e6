// Numbers as data: one on each line of a file or of standard input.
//
// Data are not parameters: a number beyond the range of the computer's numbers is no error but the nearest one. Only
// the form of a line can be wrong, and the error names the line and not what is on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "apps/cli/io/files.h"

namespace renyi::cli {

// Parses one line without its line break: a decimal, nan, inf or -inf; or a whole number, written out. Blanks around it
// are allowed. Returns std::nullopt for other texts.
std::optional<double> real_in_line(std::string_view line);
std::optional<std::int64_t> whole_in_line(std::string_view line);

// Reads all lines. Throws InvalidArgument naming the input and the first line that is no such number.
std::vector<double> read_reals(Input& input);
std::vector<std::int64_t> read_whole_numbers(Input& input);

}  // namespace renyi::cli
