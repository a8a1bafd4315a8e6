#include "apps/cli/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/mechanism_flags.h"
#include "apps/cli/io/output.h"
#include "renyi/version.h"

namespace renyi::cli {
namespace program_file {
namespace {

std::vector<std::string> split_at_bars(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, '|');) parts.push_back(part);
  return parts;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// Help texts are broken into lines for the terminal only.
std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

OptionText text_of(const CLI::Option& option) {
  OptionText text{names_of(option), "", {}, on_one_line(option.get_description())};
  if (option.get_items_expected_max() > 0) text.value = option.get_type_name();
  if (text.value == kind_value) text.choices = all_kinds();  // the kinds are too many for a help text
  if (text.value.find('|') != std::string::npos) text.choices = split_at_bars(text.value);
  if (option.get_positional()) text.value = option.get_name();
  return text;
}

CommandText text_of(const CLI::App& app) {
  CommandText text{app.get_name(), app.get_description(), app.get_footer(), {}, {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    (option->get_positional() ? text.arguments : text.options).push_back(text_of(*option));
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) text.commands.push_back(text_of(*command));
  }
  return text;
}

constexpr std::size_t names_width = 34;
constexpr std::size_t help_width = 66;

constexpr const char* what_it_is_about =
    "On neighbouring datasets a run's results have two laws, P and Q. The privacy loss is\n"
    "L = ln(P/Q) (loss). The logarithms of its moments are Renyi divergences, one for each\n"
    "order (rdp; of any two laws: divergence). Steps add them up, and the sum gives (epsilon,\n"
    "delta), by the Renyi bound and exactly (epsilon, delta, profile), or the noise for a budget\n"
    "(calibrate). What that promises a person: explain; what an attacker can tell: tradeoff. What\n"
    "other theorems and other kinds of privacy make of the same run: compare, relate. Pictures of all\n"
    "of it: plot. A statement to publish: report. Many runs at once: sweep.\n"
    "\n"
    "Exact figures hold for step parameters fixed in advance; parameters chosen in view of earlier\n"
    "results need a filter, which is not there yet.\n"
    "\n"
    "A run is described by flags, or by a plan file, or by a plan on standard input (-).\n"
    "`renyi COMMAND --help` lists a command's flags and has examples.\n"
    "\n"
    "Exit status: 0 done; 1 a certificate that is not valid; 2 bad input, or output\n"
    "that cannot be written; 3 unsupported or not converged; 128 and the number of the\n"
    "signal for a sweep that was interrupted.\n"
    "\n"
    "Examples:\n"
    "  renyi epsilon --dataset-size 60000 --batch-size 256 --epochs 60 --noise-multiplier 1.1 --delta 1e-5\n"
    "  renyi calibrate --solve noise-multiplier --sampling-rate 0.01 --steps 10000 --epsilon 3 --delta 1e-5\n"
    "  renyi explain --noise-multiplier 4 --baseline 0.001 --delta 1e-5\n"
    "  renyi report plan.json --delta 1e-6 --out PRIVACY.md\n"
    "  renyi sweep grid.json --out sweep.csv\n"
    "  renyi batch requests.jsonl";

// A command and its heading in the list of commands. Commands without a heading are not listed.
struct Entry {
  std::string_view heading;
  std::string_view name;
  Command (*make)();
};
constexpr std::array<Entry, 21> map_of_commands{{
    {"What a run costs", "epsilon", epsilon_command},
    {"What a run costs", "delta", delta_command},
    {"What a run costs", "profile", profile_command},
    {"What a run costs", "rdp", rdp_command},
    {"What a run costs", "calibrate", calibrate_command},
    {"What that means", "explain", explain_command},
    {"What that means", "tradeoff", tradeoff_command},
    {"What that means", "loss", loss_command},
    {"What that means", "report", report_command},
    {"What it looks like", "plot", plot_command},
    {"How else it can be counted", "compare", compare_command},
    {"How else it can be counted", "relate", relate_command},
    {"Whether that is so", "certify", certify_command},
    {"Whether that is so", "verify", verify_command},
    {"What it rests on", "mechanisms", mechanisms_command},
    {"What it rests on", "divergence", divergence_command},
    {"What other tools recorded", "convert", convert_command},
    {"Many questions at once", "batch", batch_command},
    {"Many questions at once", "sweep", sweep_command},
    {"", "man", man_command},
    {"", "completion", completion_command},
}};

// Returns the requested command if it does not need the others. Commands without a heading print all of them.
const Entry* only_command(int argc, char** argv) {
  for (const Entry& entry : map_of_commands) {
    if (argc > 1 && entry.name == argv[1] && !entry.heading.empty()) return &entry;
  }
  return nullptr;
}

CLI::Option& add_switch(CLI::App& command, Flags& flags, const FlagText& text) {
  auto& slot = flags.slot(text.name);
  return *command.add_flag_callback(
      text.name, [&slot] { slot = ""; }, wrapped(text.help, 0, help_width));
}

CLI::Option& add_value(CLI::App& command, Flags& flags, const FlagText& text) {
  CLI::Option& option = *command.add_option(text.name, flags.slot(text.name), wrapped(text.help, 0, help_width));
  if (text.repeatable) option.join(text.joined_by);
  if (text.repeatable && !text.name.starts_with("--")) option.expected(-1);
  return *option.type_name(text.value);
}

void add_flag(CLI::App& command, Flags& flags, const FlagText& text) {
  CLI::Option& option = is_switch(text) ? add_switch(command, flags, text) : add_value(command, flags, text);
  if (!text.group.empty()) option.group(text.group);
}

void add_command(CLI::App& program, const Entry& entry) {
  const Command command = entry.make();
  CLI::App& added = *program.add_subcommand(command.name, command.help);
  const auto flags = std::make_shared<Flags>();
  for (const FlagText& text : command.flags) add_flag(added, *flags, text);
  added.footer(command.footer);
  added.group(std::string(entry.heading));
  const bool is_listed = !entry.heading.empty();
  added.callback(
      [flags, &program, is_listed, run = command.run] { run(*flags, is_listed ? CommandText{} : text_of(program)); });
}

// Builds the tree of the command line, from which help, man page and completions are made: whole, or with one command.
std::unique_ptr<CLI::App> make_program(const Entry* only) {
  auto program =
      std::make_unique<CLI::App>("Renyi differential privacy: what a run costs, and what it may do", "renyi");
  program->set_version_flag("--version", "renyi " + std::string(version), "print the version");
  program->set_help_flag("-h,--help", "print this help");
  program->get_formatter()->column_width(names_width);
  program->require_subcommand(1);
  program->footer(what_it_is_about);
  for (const Entry& entry : map_of_commands) {
    if (only == nullptr || only == &entry) add_command(*program, entry);
  }
  return program;
}

int complain(int exit_code, std::string_view message) {
  print_to_stderr(fmt::format("renyi: {}\n", message));
  return exit_code;
}

// The parser throws exceptions for help and version too; these are not failures.
int settle(const CLI::App& program, const CLI::ParseError& error) {
  std::ostringstream out;
  std::ostringstream ignored;
  if (program.exit(error, out, ignored) == 0) {
    print(out.str());
    return 0;
  }
  const auto chosen = program.get_subcommands();
  if (chosen.empty() && !program.remaining().empty()) {
    return complain(exit_bad_input, fmt::format("{}: no such command; see renyi --help", program.remaining().front()));
  }
  return complain(exit_bad_input, fmt::format("{}; see renyi {}--help", error.what(),
                                              chosen.empty() ? "" : chosen.front()->get_name() + " "));
}

int run(int argc, char** argv) {
  const auto program = make_program(only_command(argc, argv));
  try {
    program->parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    return settle(*program, error);
  } catch (const Failure& failure) {
    return complain(failure.exit_code(), failure.what());
  }
}

}  // namespace
}  // namespace program_file

int run_program(int argc, char** argv) {
  keep_standard_descriptors();
  // A closed pipe is an error of writing; it must not kill the program.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const int exit_code = program_file::run(argc, argv);
    flush_output();
    return exit_code;
  } catch (const OutputError& error) {
    // If the reader has closed the pipe, as head does, no message is printed.
    return error.number() == EPIPE ? exit_bad_input : program_file::complain(exit_bad_input, error.what());
  } catch (const std::exception& error) {
    return program_file::complain(exit_no_answer, error.what());
  }
}

}  // namespace renyi::cli
