// Names and comments of steps: which are allowed, and the functions that keep them, or look past them, where steps are
// rebuilt or compared.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "renyi/plan.h"

namespace renyi::plan {

// Returns whether a text is a name: not empty, at most longest_step_name bytes of UTF-8 without control characters.
bool is_step_name(std::string_view text);
// Returns whether a text is a comment: at most longest_step_comment bytes of UTF-8 without control characters other
// than line ends and tabs.
bool is_step_comment(std::string_view text);
// State in words what is allowed.
std::string allowed_step_name();
std::string allowed_step_comment();

// Checks the names and the comments of the step and of every step inside it. Throws InvalidArgument.
void check_names(const Step& step);

// Returns whether the steps run the same mechanisms equally often, in the same order and nesting, whatever their names
// and comments.
bool run_the_same(const Steps& first, const Steps& second);

// Return the step with another mechanism, group or count, and with its name and its comment.
inline Step with_what(const Step& step, std::variant<Mechanism, Steps> what) {
  return {std::move(what), step.count, step.name, step.comment};
}
inline Step with_count(const Step& step, std::int64_t count) { return {step.what, count, step.name, step.comment}; }

}  // namespace renyi::plan
