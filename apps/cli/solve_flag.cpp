#include "apps/cli/solve_flag.h"

#include <algorithm>

#include "apps/cli/answer_flags.h"
#include "apps/cli/named_mechanism.h"
#include "apps/cli/run_flags.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace {

using api::Json;

constexpr const char* flag_name = "--solve";

InvalidArgument no_such_place(const std::string& path) {
  return {flag_name, path, "epsilon, delta, unit, or the place of a number in the plan, such as steps[0].count"};
}

// A member of the request itself: the flag of that name must not be given.
void leave_open(Question& question, const Flags& flags, const std::string& key) {
  const std::string flag = "--" + key;
  if (flags.given(flag)) refuse(flags, flag, "no value, since --solve asks for it");
  question.set(key, nullptr, flag);
}

bool is_in_object(const Json& request, const Json::json_pointer& pointer) {
  const auto parent = pointer.parent_pointer();
  try {
    return request.contains(parent) && request.at(parent).is_object();
  } catch (const Json::exception&) {  // such as an index that no array can have
    return false;
  }
}

// Whatever the plan holds there is not looked at.
void leave_open_in_plan(Question& question, const std::string& path) {
  const auto pointer = pointer_to(path);
  if (!path.starts_with("steps[") || !is_in_object(question.request, pointer)) throw no_such_place(path);
  question.request[pointer] = nullptr;
}

// Of the target or the plan; but a mechanism named may have an epsilon too, and the target's is then given.
bool is_of_request(const Flags& flags, const std::string& solve) {
  if (solve == "unit") return true;
  if (solve != "epsilon" && solve != "delta") return false;
  const Mechanism* named = flags.given(plan_argument) ? nullptr : named_mechanism(flags);
  const auto names = named != nullptr ? names_in_plans(*named) : std::vector<std::string>();
  return !flags.given("--" + solve) || std::find(names.begin(), names.end(), solve) == names.end();
}

}  // namespace

FlagText solve_flag() {
  return {flag_name, "NUMBER",
          "what to solve for: a flag (noise-multiplier, steps, sampling-rate, scale, ..., unit, epsilon, delta), or a "
          "place in the plan file (steps[0].count)",
          asked_group};
}

void set_open_run(Question& question, const Flags& flags) {
  const auto solve = flags.text(flag_name);
  const bool by_file = flags.given(plan_argument);
  if (!solve && !by_file) {
    throw InvalidArgument(flag_name, "nothing", "the flag to solve for, such as noise-multiplier or steps");
  }
  const bool of_request = solve && is_of_request(flags, *solve);
  set_number(question, flags, "epsilon");
  set_number(question, flags, "delta");
  set_run(question, flags, solve && !of_request && !by_file ? "--" + *solve : "");
  if (of_request) {
    leave_open(question, flags, *solve);
  } else if (solve && by_file) {
    leave_open_in_plan(question, *solve);
  }
}

Json::json_pointer pointer_to(const std::string& path) {
  std::string text = path;
  std::erase(text, ']');
  std::replace(text.begin(), text.end(), '[', '/');
  std::replace(text.begin(), text.end(), '.', '/');
  try {
    return Json::json_pointer("/" + text);
  } catch (const Json::exception&) {
    throw no_such_place(path);
  }
}

}  // namespace renyi::cli
