// renyi completion bash|zsh|fish: prints completion scripts for shells, made from the help texts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>

#include "apps/cli/commands/command.h"
#include "apps/cli/io/output.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace completion_file {
namespace {

// Returns the names of all options, in order.
std::vector<std::string> names_of(const std::vector<OptionText>& options) {
  std::vector<std::string> names;
  for (const OptionText& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> names_of(const std::vector<CommandText>& commands) {
  std::vector<std::string> names;
  for (const CommandText& command : commands) names.push_back(command.name);
  return names;
}

// Puts text in single quotes for a POSIX-like shell.
std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

// Writes a case such as: 'epsilon --format') values='table json csv' ;;
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

// The word of a command below another one: "new" for "filter new".
std::string word_of(const CommandText& action) { return action.name.substr(action.name.rfind(' ') + 1); }

std::vector<std::string> words_of(const std::vector<CommandText>& actions) {
  std::vector<std::string> words;
  for (const CommandText& action : actions) words.push_back(word_of(action));
  return words;
}

// Writes a case that offers the words after a command such as filter; behind them, both words are the command.
std::string action_case(const CommandText& command) {
  return fmt::format(
      "    {0})\n"
      "      if ((COMP_CWORD == 2)); then\n"
      "        mapfile -t COMPREPLY < <(compgen -W {1} -- \"$word\")\n"
      "        return\n"
      "      fi\n"
      "      command=\"$command ${{COMP_WORDS[2]}}\" ;;\n",
      command.name, shell_quoted(fmt::format("{}", fmt::join(words_of(command.commands), " "))));
}

// Words that are neither flags nor values of a flag are completed as file names.
std::string bash_completion(const CommandText& program) {
  std::string actions;
  std::string values;
  std::string flags;
  const auto add = [&](const CommandText& command) {
    values += value_cases(command);
    flags += flag_case(command);
  };
  for (const CommandText& command : program.commands) {
    add(command);
    if (!command.commands.empty()) actions += action_case(command);
    for (const CommandText& action : command.commands) add(action);
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
      "  case $command in\n{4}  esac\n"
      "  case \"$command $before\" in\n{2}  esac\n"
      "  case \"$command\" in\n{3}  esac\n"
      "  if [[ -n $values ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
      "  elif [[ $word == -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$flags\" -- \"$word\")\n"
      "  fi\n"
      "}}\n"
      "complete -o default -F _{0} {0}\n",
      program.name, shell_quoted(top), values, flags, actions);
}

// Escapes colons and brackets, which have a meaning in the specifications of _arguments.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']') result += '\\';
    result += c;
  }
  return result;
}

// Writes a specification such as --format[how to print the answer]:value:(table json csv).
std::string specification(const OptionText& option, const std::string& name) {
  std::string text = fmt::format("{}[{}]", name, escaped(option.help));
  if (!option.choices.empty()) {
    text += fmt::format(":value:({})", fmt::join(option.choices, " "));
  } else if (!option.value.empty()) {
    text += fmt::format(":{}:", escaped(option.value));
  }
  return shell_quoted(text);
}

std::string arguments(const CommandText& command) {
  std::string text = "_arguments";
  for (const OptionText& option : command.options) {
    for (const std::string& name : option.names) text += " \\\n        " + specification(option, name);
  }
  for (const OptionText& argument : command.arguments) {
    text += " \\\n        " + shell_quoted(fmt::format(":{}:_files", escaped(argument.value)));
  }
  return text;
}

// Writes what completes the words after a command such as filter, and the flags of each of them.
std::string actions(const CommandText& command) {
  std::string cases;
  for (const CommandText& action : command.commands) {
    cases += fmt::format("        {})\n      {} ;;\n", word_of(action), arguments(action));
  }
  return fmt::format(
      "if ((CURRENT == 2)); then\n"
      "        compadd -- {}\n"
      "        return\n"
      "      fi\n"
      "      local action=$words[2]\n"
      "      shift words\n"
      "      ((CURRENT--))\n"
      "      case $action in\n{}      esac",
      fmt::join(words_of(command.commands), " "), cases);
}

std::string zsh_completion(const CommandText& program) {
  std::string commands;
  std::string cases;
  for (const CommandText& command : program.commands) {
    commands += fmt::format("    {}\n", shell_quoted(fmt::format("{}:{}", command.name, escaped(command.help))));
    cases += fmt::format("    {})\n      {} ;;\n", command.name,
                         command.commands.empty() ? arguments(command) : actions(command));
  }
  return fmt::format(
      "#compdef {0}\n"
      "_{0}() {{\n"
      "  local -a commands=(\n{1}  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $command in\n{2}  esac\n"
      "}}\n"
      "_{0} \"$@\"\n",
      program.name, commands, cases);
}

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

std::string fish_completion(const CommandText& program) {
  std::string text = fmt::format("# fish completion for {}\n", program.name);
  for (const OptionText& option : program.options) text += option_line(program.name, "__fish_use_subcommand", option);
  for (const CommandText& command : program.commands) {
    text += fmt::format("complete -c {} -f -n __fish_use_subcommand -a {} -d {}\n", program.name, command.name,
                        shell_quoted(command.help));
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    for (const OptionText& option : command.options) text += option_line(program.name, condition, option);
    for (const CommandText& action : command.commands) {
      const std::string word = word_of(action);
      text += fmt::format("complete -c {} -f -n {} -a {} -d {}\n", program.name,
                          shell_quoted(fmt::format("{}; and not __fish_seen_subcommand_from {}", condition,
                                                   fmt::join(words_of(command.commands), " "))),
                          word, shell_quoted(action.help));
      const std::string below = fmt::format("{}; and __fish_seen_subcommand_from {}", condition, word);
      for (const OptionText& option : action.options) text += option_line(program.name, below, option);
    }
  }
  return text;
}

constexpr const char* shell_argument = "SHELL";

struct Shell {
  std::string_view name;
  std::string (*script)(const CommandText& program);
};

constexpr std::array<Shell, 3> shells{{
    {"bash", bash_completion},
    {"zsh", zsh_completion},
    {"fish", fish_completion},
}};

std::string script_for(const std::string& name, const CommandText& program) {
  for (const Shell& shell : shells) {
    if (shell.name == name) return shell.script(program);
  }
  const InvalidArgument error(shell_argument, name, "one of bash, zsh, fish");
  throw Failure(exit_bad_input, error.what());
}

}  // namespace
}  // namespace completion_file

Command completion_command() {
  return {
      .name = "completion",
      .help = "Print a completion script for a shell",
      .flags = {{completion_file::shell_argument, "", "bash, zsh or fish"}},
      .footer = "Examples:\n  renyi completion bash > renyi.bash",
      .run =
          [](const Flags& flags, const CommandText& program) {
            print(
                completion_file::script_for(flags.text(completion_file::shell_argument).value_or("nothing"), program));
          },
  };
}

}  // namespace renyi::cli
