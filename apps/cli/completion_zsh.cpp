#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/completion.h"

namespace renyi::cli {
namespace {

// Colons and brackets have a meaning in the specifications of _arguments.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']') result += '\\';
    result += c;
  }
  return result;
}

// --format[how to print the answer]:value:(table json csv)
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

}  // namespace

std::string zsh_completion(const CommandText& program) {
  std::string commands;
  std::string cases;
  for (const CommandText& command : program.commands) {
    commands += fmt::format("    {}\n", shell_quoted(fmt::format("{}:{}", command.name, escaped(command.help))));
    cases += fmt::format("    {})\n      {} ;;\n", command.name, arguments(command));
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

}  // namespace renyi::cli
