// The layout of a report: a headline, labelled rows, paragraphs.
#pragma once

#include <string>
#include <string_view>

#include "apps/cli/output.h"

namespace renyi::cli {

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

}  // namespace renyi::cli
