#include "apps/cli/program.h"

#include <string>

#include "apps/cli/command.h"
#include "apps/cli/output.h"
#include "renyi/version.h"

namespace renyi::cli {
namespace {

constexpr std::size_t names_width = 34;
constexpr std::size_t help_width = 66;

constexpr const char* map_of_the_program =
    "A run is described by flags, or by a plan file, or by a plan on standard input (-).\n"
    "`renyi COMMAND --help` lists a command's flags and has examples.\n"
    "\n"
    "Exit status: 0 done; 2 bad input, or output that cannot be written;\n"
    "3 unsupported or not converged.\n"
    "\n"
    "Examples:\n"
    "  renyi epsilon --dataset-size 60000 --batch-size 256 --epochs 60 --noise-multiplier 1.1 --delta 1e-5\n"
    "  renyi calibrate --solve noise-multiplier --sampling-rate 0.01 --steps 10000 --epsilon 3 --delta 1e-5\n"
    "  renyi batch requests.jsonl";

void add_flag(CLI::App& command, Flags& flags, const FlagText& text) {
  CLI::Option& option = *command.add_option(text.name, flags.slot(text.name), wrapped(text.help, 0, help_width));
  option.type_name(text.value);
  if (!text.group.empty()) option.group(text.group);
}

void add_command(CLI::App& program, const Command& command) {
  CLI::App& added = *program.add_subcommand(command.name, command.help);
  const auto flags = std::make_shared<Flags>();
  for (const FlagText& text : command.flags) add_flag(added, *flags, text);
  added.footer(command.footer);
  if (command.hidden) added.group("");
  added.callback([flags, &program, run = command.run] { run(*flags, text_of(program)); });
}

}  // namespace

std::unique_ptr<CLI::App> make_program() {
  auto program =
      std::make_unique<CLI::App>("Renyi differential privacy: what a run costs, and what it may do", "renyi");
  program->set_version_flag("--version", "renyi " + std::string(version), "print the version");
  program->set_help_flag("-h,--help", "print this help");
  program->get_formatter()->column_width(names_width);
  program->require_subcommand(1);
  program->footer(map_of_the_program);
  for (const Command& command : {epsilon_command(), delta_command(), rdp_command(), calibrate_command(),
                                 batch_command(), man_command(), completion_command()}) {
    add_command(*program, command);
  }
  return program;
}

}  // namespace renyi::cli
