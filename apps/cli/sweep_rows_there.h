// The rows that an interrupted sweep has left in its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "api/sweep/rows.h"

namespace renyi::cli {

struct RowsThere {
  std::uint64_t rows = 0;
  std::uint64_t unanswered = 0;  // of these
  std::size_t bytes = 0;         // of complete lines, the header included
};

// Reads the file line by line; an unfinished last line does not count. Throws InvalidArgument where a line is not the
// one that the sweep has there.
RowsThere rows_there(const std::string& file, const api::sweep::Rows& rows);

}  // namespace renyi::cli
