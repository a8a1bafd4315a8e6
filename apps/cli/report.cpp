#include "apps/cli/report.h"

#include <fmt/format.h>

namespace renyi::cli {
namespace {

constexpr std::size_t label_width = 12;
constexpr std::size_t margin = 2;

}  // namespace

Report& Report::headline(std::string_view strong, std::string_view rest) {
  text_ += fmt::format("{} {}\n", style_.strong(strong), rest);
  return blank_line();
}

Report& Report::row(std::string_view label, std::string_view text) {
  text_ += fmt::format("{:{}}{:{}}{}\n", "", margin, label, label_width, wrapped(text, margin + label_width));
  return *this;
}

Report& Report::blank_line() {
  text_ += '\n';
  return *this;
}

Report& Report::lines(std::string_view text) {
  text_ += text;
  return *this;
}

Report& Report::paragraph(std::string_view text) {
  text_ += wrapped(text, 0) + '\n';
  return *this;
}

Report& Report::warning(std::string_view text) {
  text_ += style_.alarming(wrapped(fmt::format("warning: {}", text), 0)) + '\n';
  return *this;
}

}  // namespace renyi::cli
