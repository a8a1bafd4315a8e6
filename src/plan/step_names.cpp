#include "plan/step_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "json/show.h"
#include "renyi/error.h"
#include "renyi/extras/select.h"

namespace renyi::plan {

namespace step_names_file {
namespace {

constexpr char32_t largest_code_point = 0x10FFFF;

// The lead bytes of UTF-8 by the number of bytes that follow, and the smallest code point that needs so many.
struct Lead {
  unsigned mask;
  unsigned bits;
  int following;
  char32_t smallest;
};
constexpr std::array<Lead, 4> leads{
    {{0x80, 0x00, 0, 0}, {0xE0, 0xC0, 1, 0x80}, {0xF0, 0xE0, 2, 0x800}, {0xF8, 0xF0, 3, 0x10000}}};

bool is_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

// Takes the first character from the text; returns std::nullopt if it is not UTF-8.
std::optional<char32_t> take_character(std::string_view& text) {
  const unsigned first = static_cast<unsigned char>(text.front());
  const auto* lead =
      std::find_if(leads.begin(), leads.end(), [&](const Lead& l) { return (first & l.mask) == l.bits; });
  if (lead == leads.end() || text.size() <= static_cast<std::size_t>(lead->following)) return std::nullopt;
  char32_t c = first & ~lead->mask;
  for (int i = 1; i <= lead->following; ++i) {
    const unsigned next = static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
    if ((next & 0xC0U) != 0x80U) return std::nullopt;
    c = (c << 6U) | (next & 0x3FU);
  }
  if (c < lead->smallest || c > largest_code_point || is_surrogate(c)) return std::nullopt;
  text.remove_prefix(1 + static_cast<std::size_t>(lead->following));
  return c;
}

// The characters of Unicode's category Cc.
bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c <= 0x9F); }

bool is_text(std::string_view text, std::string_view allowed_controls) {
  while (!text.empty()) {
    const auto c = take_character(text);
    if (!c) return false;
    if (!is_control(*c)) continue;
    if (*c > 0x7F || allowed_controls.find(static_cast<char>(*c)) == std::string_view::npos) return false;
  }
  return true;
}

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
  return !text.empty() && text.size() <= longest_step_name && step_names_file::is_text(text, "");
}

bool is_step_comment(std::string_view text) {
  return text.size() <= longest_step_comment && step_names_file::is_text(text, "\n\r\t");
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
