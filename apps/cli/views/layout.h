// How answers are laid out: reports, tables of text, comma-separated values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/io/output.h"

namespace renyi::cli {

// A headline, labelled rows, paragraphs.
class Report {
 public:
  explicit Report(Style style) : style_(style) {}

  Report& headline(std::string_view strong, std::string_view rest);
  Report& row(std::string_view label, std::string_view text);
  Report& blank_line();
  // As they are, each with its end.
  Report& lines(std::string_view text);
  Report& paragraph(std::string_view text);
  Report& warning(std::string_view text);
  const std::string& text() const noexcept { return text_; }

 private:
  Style style_;
  std::string text_;
};

// A table of text. The first row holds the titles. Columns are aligned on the left, two blanks before each; what
// does not fit the screen in the last one is wrapped within it. Ends are trimmed.
std::string columns(const std::vector<std::vector<std::string>>& rows);

// A cell of comma-separated values: words, or a number with every digit, as JSON answers have it.
class Cell {
 public:
  Cell(const std::string& words);  // NOLINT(google-explicit-constructor): in quotes where it needs them
  Cell(std::string_view words);    // NOLINT(google-explicit-constructor)
  Cell(const char* words);         // NOLINT(google-explicit-constructor)
  Cell(double number);             // NOLINT(google-explicit-constructor)
  Cell(std::int64_t number);       // NOLINT(google-explicit-constructor)
  Cell(int number);                // NOLINT(google-explicit-constructor)
  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

// Rows of comma-separated values.
std::string csv(const std::vector<std::string>& titles, const std::vector<std::vector<Cell>>& rows);

}  // namespace renyi::cli
