// Where the rows of a sweep go: a file, in which a sweep can be interrupted at any moment and go on, or standard
// output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "api/sweep/rows.h"

namespace renyi::cli {

// The rows that an interrupted sweep has left in its file.
struct ExistingRows {
  std::uint64_t rows = 0;
  std::uint64_t unanswered = 0;  // of these
  std::size_t bytes = 0;         // of complete lines, the header included
};

class SweepFile {
 public:
  virtual ~SweepFile() = default;

  // What an earlier run has left.
  virtual ExistingRows there() const = 0;
  // Complete lines. Throws Failure.
  virtual void write(std::string_view lines) = 0;
  // All rows are there.
  virtual void complete() = 0;
  // Can a later run go on from here?
  virtual bool can_go_on() const = 0;
};

// A new file, or one that a sweep was interrupted in: then the unfinished line at its end is cut off. `state` says in
// one line of JSON which sweep it is. Throws InvalidArgument, and touches nothing, where the file holds anything else,
// unless `afresh`.
std::unique_ptr<SweepFile> sweep_file(const std::string& name, const std::string& state, const api::sweep::Rows& rows,
                                      bool afresh);

std::unique_ptr<SweepFile> standard_output();

}  // namespace renyi::cli
