// Configurations as lines of a file, one a row (docs/format/sweep.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/sweep/grid.h"

namespace renyi::api::sweep {

// A figure of an answer as a cell of a table, named as the commands name it.
struct Column {
  std::string_view title;
  std::array<std::string_view, 3> path{};  // of the figure in an answer; empty at its end
};

enum class Format { csv, jsonl };

// A number as documents have it: it reads back to the same double. Infinity is the word inf; words are in quotes where
// they need them (RFC 4180), and their line ends become blanks.
void append_cell(std::string& out, const Document& value);

class Rows {
 public:
  Rows(const Grid& grid, Format format);

  const Grid& grid() const noexcept { return grid_; }

  // The line above the rows, with its end; empty in JSON Lines.
  std::string header() const;
  // Index and axes: how the row of the configuration's place begins.
  void append_start(std::string& out, std::uint64_t index, const Configuration& configuration) const;
  // The whole row of a configuration, evaluated; never throws renyi::Error. False: it has no answer, and says why.
  bool append(std::string& out, std::uint64_t index, Configuration& configuration) const;
  // Has a complete line, without its end, an answer?
  bool is_answered(std::string_view line) const;

 private:
  struct Failure {
    std::string_view kind;
    std::string_view message;
    std::string_view path;
  };
  bool append_answer(std::string& out, const Document& answer) const;
  bool append_failure(std::string& out, const Failure& failure) const;

  const Grid& grid_;
  Format format_;
  std::vector<Column> columns_;
};

// Refuses a grid whose request is bad wherever the axes stand: its first and its last configuration are refused in the
// same words. Throws InvalidArgument.
void check_request(const Grid& grid);

}  // namespace renyi::api::sweep
