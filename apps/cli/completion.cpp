// renyi completion bash|zsh|fish
#include "apps/cli/completion.h"

#include <array>

#include "apps/cli/ask.h"
#include "apps/cli/command.h"
#include "apps/cli/output.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace {

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

Command completion_command() {
  return {
      .name = "completion",
      .help = "Print a completion script for a shell",
      .flags = {{shell_argument, "", "bash, zsh or fish"}},
      .footer = "Examples:\n  renyi completion bash > renyi.bash",
      .run =
          [](const Flags& flags, const CommandText& program) {
            print(script_for(flags.text(shell_argument).value_or("nothing"), program));
          },
  };
}

}  // namespace renyi::cli
