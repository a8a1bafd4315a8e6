#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/completion.h"

namespace renyi::cli {
namespace {

std::string option_line(const std::string& program, const std::string& condition, const OptionText& option) {
  std::string line = fmt::format("complete -c {} -n {}", program, shell_quoted(condition));
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2)) : fmt::format(" -s {}", name.substr(1));
  }
  if (!option.value.empty()) line += " -x";
  if (!option.choices.empty())
    line += fmt::format(" -a {}", shell_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
  return line + fmt::format(" -d {}\n", shell_quoted(option.help));
}

}  // namespace

std::string fish_completion(const CommandText& program) {
  std::string text = fmt::format("# fish completion for {}\n", program.name);
  for (const OptionText& option : program.options) text += option_line(program.name, "__fish_use_subcommand", option);
  for (const CommandText& command : program.commands) {
    text += fmt::format("complete -c {} -f -n __fish_use_subcommand -a {} -d {}\n", program.name, command.name,
                        shell_quoted(command.help));
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    for (const OptionText& option : command.options) text += option_line(program.name, condition, option);
  }
  return text;
}

}  // namespace renyi::cli
