// Chooses the format of a file by the ending of its name.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace renyi::cli {

// Maps ".htm" to "html". Several endings may denote the same format.
struct Ending {
  const char* text;
  const char* format;
};

// Returns the format in which a command writes `file`, the value of `flag`: that of the name's ending, in upper or
// lower case; for a name without an ending `named`, the value of --format, or else `usual`. Throws InvalidArgument if
// the name has another ending, or if --format contradicts it.
std::string format_of_file(const std::string& flag, const std::string& file, std::span<const Ending> endings,
                           const std::optional<std::string>& named, const std::optional<std::string>& usual);

}  // namespace renyi::cli
