#include "plan/step_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "json/show.h"
#include "json/utf8.h"
#include "renyi/error.h"
#include "renyi/extras/select.h"

namespace renyi::plan {

namespace step_names_file {
namespace {

void check_all(const Steps& steps) {
  for (const Step& step : steps) check_names(step);
}

bool runs_the_same(const Step& first, const Step& second) {
  if (first.count != second.count || first.what.index() != second.what.index()) return false;
  if (const auto* group = std::get_if<Steps>(&first.what)) return run_the_same(*group, std::get<Steps>(second.what));
  const auto &one = std::get<Mechanism>(first.what), &other = std::get<Mechanism>(second.what);
  const auto *parallel = one.get_if<Parallel>(), *parallel_too = other.get_if<Parallel>();
  if (parallel != nullptr && parallel_too != nullptr) {
    return std::equal(parallel->parts().begin(), parallel->parts().end(), parallel_too->parts().begin(),
                      parallel_too->parts().end(), run_the_same);
  }
  const auto *select = one.get_if<Select>(), *select_too = other.get_if<Select>();
  if (select != nullptr && select_too != nullptr) {
    return select->runs() == select_too->runs() && run_the_same(select->steps(), select_too->steps());
  }
  return one == other;
}

}  // namespace
}  // namespace step_names_file

bool is_step_name(std::string_view text) {
  return !text.empty() && text.size() <= longest_step_name && json::is_text(text, "");
}

bool is_step_comment(std::string_view text) {
  return text.size() <= longest_step_comment && json::is_text(text, "\n\r\t");
}

std::string allowed_step_name() {
  return fmt::format("a text of 1 to {} bytes of UTF-8 without control characters", longest_step_name);
}

std::string allowed_step_comment() {
  return fmt::format("a text of up to {} bytes of UTF-8, of control characters only line ends and tabs",
                     longest_step_comment);
}

void check_names(const Step& step) {
  if (!step.name.empty() && !is_step_name(step.name))
    throw InvalidArgument("name", json::show(std::string_view(step.name)), allowed_step_name());
  if (!is_step_comment(step.comment))
    throw InvalidArgument("comment", json::show(std::string_view(step.comment)), allowed_step_comment());
  if (const auto* group = std::get_if<Steps>(&step.what)) return step_names_file::check_all(*group);
  const auto& mechanism = std::get<Mechanism>(step.what);
  if (const auto* select = mechanism.get_if<Select>()) return step_names_file::check_all(select->steps());
  if (const auto* parallel = mechanism.get_if<Parallel>()) {
    for (const Steps& part : parallel->parts()) step_names_file::check_all(part);
  }
}

bool run_the_same(const Steps& first, const Steps& second) {
  return std::equal(first.begin(), first.end(), second.begin(), second.end(), step_names_file::runs_the_same);
}

}  // namespace renyi::plan
