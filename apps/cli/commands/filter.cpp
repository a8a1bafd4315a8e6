// renyi filter: budgets for steps that are chosen on the way, kept in a file.
#include "apps/cli/commands/filter.h"

#include <filesystem>
#include <system_error>

#include "renyi/error.h"

namespace renyi::cli {

std::string filter_name(const Flags& flags) {
  const auto name = flags.text(filter_argument);
  if (!name || name->empty()) throw InvalidArgument(filter_argument, "nothing", "the name of a filter file");
  return *name;
}

LockedFile filter_to_change(const Flags& flags) {
  const std::string name = filter_name(flags);
  if (name == "-") {
    throw InvalidArgument(filter_argument, "-", "the name of a filter file: standard input cannot be changed");
  }
  std::error_code ignored;
  if (std::filesystem::symlink_status(name, ignored).type() == std::filesystem::file_type::not_found) {
    throw InvalidArgument(name, "no such file", "a filter file; renyi filter new makes one");
  }
  return LockedFile(name);
}

Filter filter_in(Question& question, const std::string& name, const std::string& text) {
  question.source = name;
  Filter filter = read_filter(text);
  question.source.clear();
  return filter;
}

Command filter_command() {
  return {
      .name = "filter",
      .help = "How much is left: may a step that is chosen on the way run?",
      .flags = {},
      .footer =
          "A filter file holds a budget and the steps charged so far. Steps may be chosen after earlier\n"
          "results were seen, by one analyst or several: as long as each is charged before it runs, the\n"
          "whole interaction keeps the budget. One file stands for one dataset: two copies of a file that\n"
          "both decide about the same data guarantee nothing.\n"
          "\n"
          "Several `renyi filter charge` may charge the same file at once; none of their charges is lost. The\n"
          "format is described in docs/format/filter.md.\n"
          "\n"
          "Exit status: 0 done, or the steps may run; 1 they may not run, and nothing was charged; 2 bad\n"
          "input; 3 unsupported or not converged.\n"
          "\n"
          "Examples:\n"
          "  renyi filter design --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000 --epsilon 6 --delta 1e-5\n"
          "  renyi filter new spending.json --kind zcdp --rho 0.5\n"
          "  renyi filter check spending.json --noise-multiplier 4\n"
          "  renyi filter charge spending.json --noise-multiplier 4\n"
          "  renyi filter show spending.json --delta 1e-5",
      .run = {},
      // One line for each command below this one.
      .actions = {filter_new_command(), filter_check_command(), filter_charge_command(), filter_show_command(),
                  filter_limit_command(), filter_design_command()},
  };
}

}  // namespace renyi::cli
