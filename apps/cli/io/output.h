// Standard output with error checking, the failures that end the program, and text on a terminal.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace renyi::cli {

// Thrown if standard output is closed, full or gone.
class OutputError : public std::runtime_error {
 public:
  OutputError(int error_number, const std::string& message) : std::runtime_error(message), number_(error_number) {}
  int number() const noexcept { return number_; }

 private:
  int number_;
};

// Exit codes: 0 done, 2 bad input (or output that cannot be written, for whatever reason), 3 unsupported or not
// converged.
inline constexpr int exit_bad_input = 2;
inline constexpr int exit_no_answer = 3;

// A failure that ends the program: one line for standard error, and the exit code.
class Failure : public std::runtime_error {
 public:
  Failure(int exit_code, const std::string& message) : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const noexcept { return exit_code_; }

 private:
  int exit_code_;
};

// Call this at the start of the program. It replaces closed standard descriptors by ones that can neither be read nor
// written, so that no file that is opened later gets such a number and, with it, output that is meant for another.
void keep_standard_descriptors();

// Throws OutputError if standard output is a pipe that nobody reads any more, so that work for it can end.
void check_reader();

void print(std::string_view text);
void flush_output();

// Writes to standard error. Failures to write are ignored: they cannot be reported.
void print_to_stderr(std::string_view text);

// Emphasizes text, but only on a terminal, and not if NO_COLOR is set.
class Style {
 public:
  explicit Style(bool colour) : colour_(colour) {}
  static Style of_standard_output();

  bool coloured() const { return colour_; }
  std::string strong(std::string_view text) const;
  std::string alarming(std::string_view text) const;

 private:
  bool colour_;
};

// Breaks text into lines of at most `width` columns; lines after the first are indented by `indent`.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 80);

}  // namespace renyi::cli
