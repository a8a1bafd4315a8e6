#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/completion.h"

namespace renyi::cli {
namespace {

// 'epsilon --format') values='table json csv' ;;
std::string value_cases(const CommandText& command) {
  std::string cases;
  for (const OptionText& option : command.options) {
    if (option.choices.empty()) continue;
    for (const std::string& name : option.names) {
      cases += fmt::format("    {}) values={} ;;\n", shell_quoted(command.name + " " + name),
                           shell_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
    }
  }
  return cases;
}

std::string flag_case(const CommandText& command) {
  return fmt::format("    {}) flags={} ;;\n", shell_quoted(command.name),
                     shell_quoted(fmt::format("{}", fmt::join(names_of(command.options), " "))));
}

}  // namespace

// Words that are neither a flag nor one of a flag's values complete as file names.
std::string bash_completion(const CommandText& program) {
  std::string values;
  std::string flags;
  for (const CommandText& command : program.commands) {
    values += value_cases(command);
    flags += flag_case(command);
  }
  std::string top =
      fmt::format("{} {}", fmt::join(names_of(program.commands), " "), fmt::join(names_of(program.options), " "));
  return fmt::format(
      "# bash completion for {0}\n"
      "_{0}() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}}\n"
      "  local values='' flags=''\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    mapfile -t COMPREPLY < <(compgen -W {1} -- \"$word\")\n"
      "    return\n"
      "  fi\n"
      "  case \"$command $before\" in\n{2}  esac\n"
      "  case \"$command\" in\n{3}  esac\n"
      "  if [[ -n $values ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
      "  elif [[ $word == -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$flags\" -- \"$word\")\n"
      "  fi\n"
      "}}\n"
      "complete -o default -F _{0} {0}\n",
      program.name, shell_quoted(top), values, flags);
}

}  // namespace renyi::cli
