// What a file is to hold, by the ending of its name.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace renyi::cli {

// ".htm" stands for "html". Several endings may stand for one format.
struct Ending {
  const char* text;
  const char* format;
};

// The format that a command writes into `file`, whose name `flag` has given: the one that the name ends with, whatever
// its case; and for a name without an ending `named`, what --format says, or else `usual`. Throws InvalidArgument: the
// name ends with something else, or --format contradicts it.
std::string format_of_file(const std::string& flag, const std::string& file, std::span<const Ending> endings,
                           const std::optional<std::string>& named, const std::optional<std::string>& usual);

}  // namespace renyi::cli
