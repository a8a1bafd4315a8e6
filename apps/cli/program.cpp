#include "apps/cli/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "api/certainty.h"
#include "api/deprecations.h"
#include "api/secrets.h"
#include "api/suggestion.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/commands/help.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/current_words.h"
#include "apps/cli/flags/mechanism_flags.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/output.h"
#include "renyi/limits.h"
#include "renyi/version.h"

namespace renyi::cli {
namespace program_file {
namespace {

constexpr const char* summary = "Renyi differential privacy: what a training run costs, and what that means";

// --help shows the first paragraph and as many examples as fit; --help-all and the man page show all.
constexpr const char* about_the_program =
    "--help-all shows all flags. Exit status: 0 done, 1 no, 2 bad input, 3 no answer.\n"
    "\n"
    "A run is described by flags, a plan file, or a plan on standard input (-).\n"
    "\n"
    "Answers are {}; `certify` gives figures that are {}.\n"
    "\n"
    "Exit status in full: 0 done; 1 a certificate or a log that is not valid, or a step that may not run; 2 bad\n"
    "input, or output that cannot be written; 3 unsupported, not converged, or a ledger's store failed; 128 and the "
    "number of the signal for a\n"
    "sweep that was interrupted.\n"
    "\n"
    "Numbers may be written as 0.001, 1e-3, 1/1000, 0.1% or 2^-10, and whole numbers as 1000000 or 1e6. A\n"
    "fraction is rounded to the nearest number of the computer, as a decimal is. Tables show how fractions,\n"
    "percentages and exponents were understood; with other formats, standard error does.\n"
    "\n"
    "What a run publishes has one distribution with a person's record and another one without. The\n"
    "privacy loss is the logarithm of their ratio. Each step of a run has a loss, and the losses of\n"
    "all steps add up. `epsilon` and `delta` compute the cost of the sum exactly, as an interval, and\n"
    "by the bound that Renyi divergences prove (`rdp`). `calibrate` finds the noise for a budget. `explain`\n"
    "states what a cost means for a person, `tradeoff` what an attacker can tell, `report` writes a\n"
    "statement to publish. `compare` shows the same run by other theorems and accountants.\n"
    "\n"
    "Exact figures hold for step parameters that are fixed in advance. Parameters that are chosen in view\n"
    "of earlier results need a privacy filter: `filter` decides before each step whether it may run.\n"
    "\n"
    "Examples:\n"
    "  renyi epsilon --noise-multiplier 4 --steps 100 --delta 1e-5\n"
    "  renyi epsilon --dataset-size 60000 --batch-size 256 --epochs 60 --noise-multiplier 1.1 --delta 1e-5\n"
    "  renyi calibrate --solve noise-multiplier --sampling-rate 0.01 --steps 10000 --epsilon 3 --delta 1e-5\n"
    "  renyi explain --noise-multiplier 4 --baseline 0.001 --delta 1e-5\n"
    "  renyi report plan.json --delta 1e-6 --out PRIVACY.md\n"
    "  renyi sweep grid.json --out sweep.csv\n"
    "  renyi batch requests.jsonl";

// A command and its heading in the list of commands.
struct Entry {
  std::string_view heading;
  std::string_view name;
  Command (*make)();
  bool prints_the_program = false;  // it needs all commands
};
constexpr std::array<Entry, 30> map_of_commands{{
    {"Cost of a run", "epsilon", epsilon_command},
    {"Cost of a run", "delta", delta_command},
    {"Cost of a run", "calibrate", calibrate_command},
    {"Cost of a run", "profile", profile_command},
    {"Cost of a run", "rdp", rdp_command},
    {"Cost of a run", "compare", compare_command},
    {"Cost of a run", "relate", relate_command},
    {"Cost of a run", "filter", filter_command},
    {"Cost of a run", "matrix", matrix_command},
    {"What the cost means", "explain", explain_command},
    {"What the cost means", "tradeoff", tradeoff_command},
    {"What the cost means", "loss", loss_command},
    {"What the cost means", "accuracy", accuracy_command},
    {"What the cost means", "report", report_command},
    {"What the cost means", "plot", plot_command},
    {"Proofs, noise, budgets", "certify", certify_command},
    {"Proofs, noise, budgets", "verify", verify_command},
    {"Proofs, noise, budgets", "noise", noise_command},
    {"Proofs, noise, budgets", "ledger", ledger_command},
    {"Proofs, noise, budgets", "release", release_command},
    {"Proofs, noise, budgets", "serve", serve_command},
    {"Proofs, noise, budgets", "token", token_command},
    {"Many questions, reference", "batch", batch_command},
    {"Many questions, reference", "sweep", sweep_command},
    {"Many questions, reference", "convert", convert_command},
    {"Many questions, reference", "mechanisms", mechanisms_command},
    {"Many questions, reference", "divergence", divergence_command},
    {"Many questions, reference", "help", help_command, true},
    {"Many questions, reference", "man", man_command, true},
    {"Many questions, reference", "completion", completion_command, true},
}};

// Returns the requested command if it does not need the others.
const Entry* only_command(const std::vector<std::string>& words) {
  for (const Entry& entry : map_of_commands) {
    if (!words.empty() && entry.name == words.front() && !entry.prints_the_program) return &entry;
  }
  return nullptr;
}

constexpr const char* format_name = "--format";
constexpr const char* json_name = "--json";

std::vector<std::string> split_at_bars(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, '|');) parts.push_back(part);
  return parts;
}

// Returns the flag --format if JSON is one of its choices; then --json is short for it.
const FlagText* json_format(const Command& command) {
  for (const FlagText& text : command.flags) {
    const auto choices = split_at_bars(text.value);
    if (text.name == format_name && std::find(choices.begin(), choices.end(), "json") != choices.end()) return &text;
  }
  return nullptr;
}

OptionText text_of(const FlagText& flag) {
  OptionText text{{flag.name}, flag.value, {}, flag.help, flag.group, flag.rare};
  if (text.value == kind_value) text.choices = all_kinds();  // the kinds are too many for a help text
  if (text.value == scheme_value) text.choices = scheme_names();
  if (text.value.find('|') != std::string::npos) text.choices = split_at_bars(text.value);
  if (!flag.name.starts_with("--")) text = {{}, flag.name, {}, flag.help};
  return text;
}

CommandText text_of(const Command& command, std::string_view heading) {
  CommandText text{command.name, std::string(heading), command.help, command.footer, {}, {}, {}};
  const FlagText* json = json_format(command);
  for (const FlagText& flag : command.flags) {
    OptionText option = text_of(flag);
    if (&flag == json) option.help += "; or --json";
    (option.names.empty() ? text.arguments : text.options).push_back(std::move(option));
    if (&flag == json) text.options.push_back({{json_name}, "", {}, "short for --format json", flag.group, true});
  }
  // What few runs need comes last, so that the question stands beside the run.
  std::stable_partition(text.options.begin(), text.options.end(),
                        [](const OptionText& option) { return option.group != more_about_the_run; });
  text.options.push_back({{"-h", "--help"}, "", {}, "print help that fits on a screen", help_group, true});
  text.options.push_back({{"--help-all"}, "", {}, "print all flags and examples", help_group, true});
  for (const Command& action : command.actions) text.commands.push_back(text_of(action, ""));
  return text;
}

CLI::Option& add_switch(CLI::App& command, Flags& flags, const FlagText& text) {
  auto& slot = flags.slot(text.name);
  return *command.add_flag_callback(text.name, [&slot] { slot = ""; });
}

CLI::Option& add_value(CLI::App& command, Flags& flags, const FlagText& text) {
  CLI::Option& option = *command.add_option(text.name, flags.slot(text.name));
  if (text.repeatable) option.join(text.joined_by);
  if (text.repeatable && !text.name.starts_with("--")) option.expected(-1);
  return *option.type_name(text.value);
}

void add_flag(CLI::App& command, Flags& flags, const FlagText& text) {
  CLI::Option& option = is_switch(text) ? add_switch(command, flags, text) : add_value(command, flags, text);
  if (text.name != format_name) return;
  auto& format = flags.slot(format_name);
  command.add_flag_callback(json_name, [&format] { format = "json"; })->excludes(&option);
}

// The parser, and the texts of the commands that it knows.
struct Program {
  std::unique_ptr<CLI::App> parser;
  CommandText text;
};

// The word of a command: "new" for "filter new".
std::string last_word(const std::string& name) { return name.substr(name.rfind(' ') + 1); }

void add_to_parser(CLI::App& parser, const Command& command, const CommandText* whole) {
  CLI::App& added = *parser.add_subcommand(last_word(command.name));
  if (!command.actions.empty()) {
    added.require_subcommand(1);
    for (const Command& action : command.actions) add_to_parser(added, action, whole);
    return;
  }
  const auto flags = std::make_shared<Flags>();
  for (const FlagText& text : command.flags) add_flag(added, *flags, text);
  const bool is_one_question = std::any_of(command.flags.begin(), command.flags.end(),
                                           [](const FlagText& text) { return text.name == time_limit_flag().name; }) &&
                               command.name != "batch";  // where the limit is one of each request
  // Proofs take long by nature, and a figure asks many questions.
  const bool is_long = command.name == "certify" || command.name == "verify" || command.name == "plot";
  added.callback([flags, whole, is_one_question, is_long, texts = command.flags, run = command.run] {
    flags->understood = understood_numbers(texts, *flags);
    const LimitScope limits(is_one_question ? (is_long ? limits_asked(*flags) : usual_limits(*flags)) : Limits{});
    run(*flags, whole != nullptr ? *whole : CommandText{});
    if (limits.was_reached()) {
      flush_output();
      print_to_stderr(fmt::format("renyi: {}: the figures hold, and may be wider than asked\n", reached_limit()));
    }
  });
}

void add_command(Program& program, const Entry& entry) {
  const Command command = entry.make();
  add_to_parser(*program.parser, command, entry.prints_the_program ? &program.text : nullptr);
  program.text.commands.push_back(text_of(command, entry.heading));
}

std::string words_about_the_program() {
  return fmt::format(about_the_program, in_words(api::Certainty::bound), in_words(api::Certainty::proven));
}

// Builds the command line: whole, or with one command. The parser refers to the text, so a Program is not moved.
std::unique_ptr<Program> make_program(const Entry* only) {
  auto program = std::make_unique<Program>();
  program->parser = std::make_unique<CLI::App>(summary, "renyi");
  program->parser->set_version_flag("--version", "renyi " + std::string(version));
  program->parser->set_help_flag("-h,--help");
  program->parser->set_help_all_flag("--help-all");
  program->parser->require_subcommand(1);
  program->text = {"renyi", "", summary, words_about_the_program(), {}, {}, {}};
  program->text.options = {{{"--version"}, "", {}, "print the version"},
                           {{"-h", "--help"}, "", {}, "print help that fits on a screen"},
                           {{"--help-all"}, "", {}, "print all there is to know about the program"}};
  for (const Entry& entry : map_of_commands) {
    if (only == nullptr || only == &entry) add_command(*program, entry);
  }
  return program;
}

int complain(int exit_code, std::string_view message) {
  print_to_stderr(fmt::format("renyi: {}\n", api::without_passwords(message)));
  return exit_code;
}

// What the user named: a command, or one below it.
struct Chosen {
  const CommandText* text = nullptr;  // null if no command was named
  const CLI::App* parser = nullptr;
};

Chosen chosen_command(const Program& program) {
  Chosen chosen{nullptr, program.parser.get()};
  const CommandText* within = &program.text;
  for (auto named = chosen.parser->get_subcommands(); !named.empty(); named = chosen.parser->get_subcommands()) {
    chosen.parser = named.front();
    for (const CommandText& text : within->commands) {
      if (last_word(text.name) == named.front()->get_name()) chosen.text = &text;
    }
    within = chosen.text;
  }
  return chosen;
}

int show_help(const Program& program, HelpExtent extent) {
  const CommandText* command = chosen_command(program).text;
  print(command != nullptr ? help_of(program.text, *command, extent) : help_of(program.text, extent));
  return 0;
}

std::vector<std::string> flags_of(const CommandText& command) {
  std::vector<std::string> names;
  for (const OptionText& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// All commands without those below them, and the ones below.
std::vector<const CommandText*> flat(const std::vector<CommandText>& commands) {
  std::vector<const CommandText*> all;
  for (const CommandText& command : commands) {
    if (command.commands.empty()) all.push_back(&command);
    for (const CommandText* action : flat(command.commands)) all.push_back(action);
  }
  return all;
}

// Returns " (--epsilon is a flag of renyi delta, calibrate)" if other commands have the flag that was meant.
std::string commands_that_have(const std::string& flag) {
  std::vector<std::string> all;
  const auto program = make_program(nullptr);
  const auto commands = flat(program->text.commands);
  for (const CommandText* command : commands) {
    for (const std::string& name : flags_of(*command)) {
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    }
  }
  const auto near = api::nearest(flag, all);
  if (near.empty()) return "";
  std::vector<std::string> owners;
  for (const CommandText* command : commands) {
    const auto names = flags_of(*command);
    if (std::find(names.begin(), names.end(), near.front()) != names.end()) owners.push_back(command->name);
  }
  return fmt::format(" ({} is a flag of renyi {})", near.front(), fmt::join(owners, ", "));
}

// Explains a word that the command does not take.
std::string explain_extra(const CommandText& command, const std::string& word) {
  const std::string see = fmt::format("see renyi {} --help", command.name);
  if (!word.starts_with("-")) return fmt::format("{}: one argument too many; {}", word, see);
  const std::string flag = word.substr(0, word.find('='));
  std::string hint = api::did_you_mean(flag, flags_of(command));
  if (hint.empty()) hint = commands_that_have(flag);
  return fmt::format("{}: no such flag of renyi {}{}; {}", flag, command.name, hint, see);
}

int complain_about_command(const std::string& word) {
  std::vector<std::string> names;
  for (const Entry& entry : map_of_commands) names.emplace_back(entry.name);
  const std::string_view what = word.starts_with("-") ? "flag" : "command";
  const std::string hint = word.starts_with("-") ? "" : api::did_you_mean(word, names);
  return complain(exit_bad_input, fmt::format("{}: no such {}{}; see renyi --help", word, what, hint));
}

// The first word after a command such as filter is none of those that may stand there.
int complain_about_action(const CommandText& command, const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const CommandText& action : command.commands) names.push_back(last_word(action.name));
  const std::string word = words.empty() ? "nothing" : words.front();
  return complain(exit_bad_input,
                  fmt::format("{}: got {}{}, allowed: one of {}; see renyi {} --help", command.name, word,
                              api::did_you_mean(word, names), fmt::join(names, ", "), command.name));
}

// The parser throws an exception for the version too, which is not a failure.
int settle(const Program& program, const CLI::ParseError& error) {
  std::ostringstream out;
  std::ostringstream ignored;
  if (program.parser->exit(error, out, ignored) == 0) {
    print(out.str());
    return 0;
  }
  const auto [command, parser] = chosen_command(program);
  if (command == nullptr && !program.parser->remaining().empty()) {
    return complain_about_command(program.parser->remaining().front());
  }
  if (command == nullptr) return complain(exit_bad_input, "a command is required; see renyi --help");
  const auto extra = parser->remaining();
  if (!command->commands.empty()) return complain_about_action(*command, extra);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !extra.empty()) {
    return complain(exit_bad_input, explain_extra(*command, extra.front()));
  }
  return complain(exit_bad_input, fmt::format("{}; see renyi {} --help", error.what(), command->name));
}

int run(std::vector<std::string> typed) {
  const CurrentWords current = current_words(std::move(typed), api::deprecations());
  for (const std::string& warning : current.warnings) print_to_stderr(fmt::format("renyi: {}\n", warning));
  const auto program = make_program(only_command(current.words));
  try {
    program->parser->parse(
        std::vector<std::string>(current.words.rbegin(), current.words.rend()));  // the last comes first
    return 0;
  } catch (const CLI::CallForHelp&) {
    return show_help(*program, HelpExtent::screen);
  } catch (const CLI::CallForAllHelp&) {
    return show_help(*program, HelpExtent::all);
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
    const int exit_code = program_file::run({argv + std::min(argc, 1), argv + argc});
    flush_output();
    return exit_code;
  } catch (const OutputError& error) {
    // If the reader has closed the pipe, as head does, no message is printed.
    return error.number() == EPIPE ? exit_bad_input : program_file::complain(exit_bad_input, error.what());
  } catch (const std::bad_alloc&) {
    return program_file::complain(exit_no_answer, "out of memory");
  } catch (const std::exception& error) {
    return program_file::complain(exit_no_answer, error.what());
  }
}

}  // namespace renyi::cli
