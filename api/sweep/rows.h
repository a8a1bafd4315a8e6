// Writes configurations as lines of a file, one per row (docs/format/sweep.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/sweep/grid.h"

namespace renyi::api::sweep {

// A value of an answer as a column of the table, with the name that the commands use.
struct Column {
  std::string_view title;
  std::array<std::string_view, 3> path{};  // the path of the value in an answer; the rest is empty
};

enum class Format { csv, jsonl };

// Appends a number as in JSON documents, so that it reads back to the same double. Infinity is written inf. Texts are
// in quotes if they need them (RFC 4180), and their line ends become blanks.
void append_cell(std::string& out, const Document& value);

class Rows {
 public:
  Rows(const Grid& grid, Format format);

  const Grid& grid() const noexcept { return grid_; }

  // Returns the header line with its line end; empty in JSON Lines.
  std::string header() const;
  // Appends the start of a row: its index and the values of the axes.
  void append_start(std::string& out, std::uint64_t index, const Configuration& configuration) const;
  // Evaluates a configuration and appends its whole row; never throws renyi::Error. Returns false if there is no
  // answer; the row then contains the reason.
  bool append(std::string& out, std::uint64_t index, Configuration& configuration) const;
  // Appends the row that a row of JSON Lines is in this format, without evaluating its configuration again.
  void append_again(std::string& out, std::string_view json_line, Configuration& configuration) const;
  // Returns true if a complete line, without its line end, contains an answer.
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

// Refuses a grid whose request is invalid whatever the values of the axes are: its first and its last configuration are
// refused with the same message. Throws InvalidArgument.
void check_request(const Grid& grid);

}  // namespace renyi::api::sweep
