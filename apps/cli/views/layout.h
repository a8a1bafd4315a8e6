// Lays out answers as reports, tables of text, or comma-separated values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/io/output.h"

namespace renyi::cli {

// A report: a headline, labelled rows and paragraphs.
class Report {
 public:
  explicit Report(Style style) : style_(style) {}

  Report& headline(std::string_view strong, std::string_view rest);
  Report& row(std::string_view label, std::string_view text);
  Report& blank_line();
  // Appends lines unchanged; each ends with its own line break.
  Report& lines(std::string_view text);
  Report& paragraph(std::string_view text);
  Report& warning(std::string_view text);
  const std::string& text() const noexcept { return text_; }

 private:
  Style style_;
  std::string text_;
};

// Formats a table of text. The first row contains the titles. Columns are aligned on the left, with two blanks before
// each; text that does not fit on the screen is wrapped within the last column. Trailing blanks are removed.
std::string columns(const std::vector<std::vector<std::string>>& rows);

// A cell of comma-separated values: text, or a number with all its digits, as in JSON answers.
class Cell {
 public:
  Cell(const std::string& words);  // NOLINT(google-explicit-constructor): as api/csv.h has it
  Cell(std::string_view words);    // NOLINT(google-explicit-constructor)
  Cell(const char* words);         // NOLINT(google-explicit-constructor)
  Cell(double number);             // NOLINT(google-explicit-constructor)
  Cell(std::int64_t number);       // NOLINT(google-explicit-constructor)
  Cell(int number);                // NOLINT(google-explicit-constructor)
  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

// Formats rows as comma-separated values.
std::string csv(const std::vector<std::string>& titles, const std::vector<std::vector<Cell>>& rows);

}  // namespace renyi::cli
