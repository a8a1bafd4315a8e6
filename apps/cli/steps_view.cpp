#include "apps/cli/steps_view.h"

#include <fmt/format.h>

#include <vector>

#include "api/steps_in_words.h"

namespace renyi::cli {
namespace {

constexpr std::size_t shown_steps = 6;

std::vector<std::string> lines_of(const api::Json& steps) {
  std::vector<std::string> lines = api::steps_in_words(steps);
  if (lines.empty()) lines.emplace_back("nothing");
  return lines;
}

}  // namespace

void list_run(Report& report, const api::Json& steps) {
  const std::vector<std::string> lines = lines_of(steps);
  const std::size_t count = lines.size() > shown_steps ? shown_steps - 1 : lines.size();
  for (std::size_t i = 0; i < count; ++i) report.row(i == 0 ? "run" : "", lines[i]);
  if (count < lines.size()) report.row("", fmt::format("... and {} more lines of steps", lines.size() - count));
}

std::string run_in_a_line(const api::Json& steps) {
  const std::vector<std::string> lines = lines_of(steps);
  return lines.size() == 1 ? lines.front() : fmt::format("{}, and {} more", lines.front(), lines.size() - 1);
}

}  // namespace renyi::cli
