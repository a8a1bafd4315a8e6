#include "apps/cli/question.h"

#include <fmt/format.h>

#include "apps/cli/input.h"
#include "apps/cli/run_flags.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace {

// "orders[2]" is about the flag that gave "orders".
std::string_view without_index(std::string_view path) {
  return path.ends_with(']') ? path.substr(0, path.rfind('[')) : path;
}

bool starts_with_word(std::string_view text, std::string_view word) { return !word.empty() && text.starts_with(word); }

void read_plan_file(Question& question, const std::string& name) {
  Input input(name);
  question.source = input.name();
  question.request.update(api::request_from_plan(input.read_all()));
}

}  // namespace

std::string Question::explain(std::string_view path, std::string_view message) const {
  const auto flag = flag_at.find(without_index(path));
  if (flag != flag_at.end() && starts_with_word(message, path)) {
    return flag->second + std::string(message.substr(path.size()));
  }
  const bool in_file = !source.empty() && !path.empty() && !path.starts_with("--") && path != source;
  if (!in_file) return std::string(message);
  // Paths are those of the file.
  if (path.starts_with(source_path) && message.starts_with(path)) {
    message.remove_prefix(source_path.size());
    for (const std::string_view joint : {".", ": "}) {
      if (message.starts_with(joint)) message.remove_prefix(joint.size());
    }
  }
  return fmt::format("{}: {}", source, message);
}

void Question::set(const std::string& key, api::Json value, const std::string& flag) {
  request[key] = std::move(value);
  flag_at[key] = flag;
}

void set_run(Question& question, const Flags& flags, const std::string& solve) {
  if (flags.given(plan_argument)) {
    refuse_run_flags(flags);
    question.facts.dataset_size = dataset_size(flags);
    read_plan_file(question, *flags.text(plan_argument));
  } else {
    set_run_by_flags(question, flags, solve);
  }
}

}  // namespace renyi::cli
