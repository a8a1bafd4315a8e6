// The destination of the rows of a sweep: standard output, or a file from which an interrupted sweep can be resumed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "api/sweep/rows.h"

namespace renyi::cli {

// The rows that an interrupted sweep has written to its file.
struct ExistingRows {
  std::uint64_t rows = 0;
  std::uint64_t unanswered = 0;  // rows among these that have no answer
  std::size_t bytes = 0;         // length of the complete lines, including the header
};

class SweepFile {
 public:
  virtual ~SweepFile() = default;

  // Returns the rows that an earlier run has written.
  virtual ExistingRows there() const = 0;
  // Appends complete lines. Throws Failure.
  virtual void write(std::string_view lines) = 0;
  // Finishes the file after the last row.
  virtual void complete() = 0;
  // Returns true if a later run can resume from here.
  virtual bool can_go_on() const = 0;
};

// Opens a new file, or that of an interrupted sweep, whose unfinished last line is then cut off. `state` describes the
// sweep in one line of JSON. Throws InvalidArgument, and changes nothing, if the file contains anything else, unless
// `afresh` is true.
std::unique_ptr<SweepFile> sweep_file(const std::string& name, const std::string& state, const api::sweep::Rows& rows,
                                      bool afresh);

std::unique_ptr<SweepFile> standard_output();

}  // namespace renyi::cli
