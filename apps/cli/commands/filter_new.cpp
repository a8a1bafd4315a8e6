// renyi filter new, renyi filter limit: make a filter, and change its budget within the cap.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "api/filter.h"
#include "apps/cli/commands/filter.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/budget_flags.h"
#include "apps/cli/flags/choice.h"
#include "apps/cli/io/files.h"
#include "apps/cli/io/locked_file.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/filter_view.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace filter_new_file {
namespace {

FlagText format() { return {"--format", "table|json", "how to print the answer (default table)", asked_group}; }

// Prints the filter as `renyi filter show` does.
void print_filter(const Question& question, const std::string& format, const std::string& name, Filter filter) {
  const api::FilterRequest asked{.filter = std::move(filter)};
  const api::FilterAnswer answer = api::answer(asked);
  show(question, format,
       format == "json" ? api::text_of(answer) + '\n'
                        : filter_text(name, asked, answer, {.understood = question.understood}));
}

void make(Question& question, const Flags& flags) {
  const std::string format = output_asked(flags, "table", false).format;
  const std::string name = filter_name(flags);
  question.understood = flags.understood;
  if (name == "-") throw InvalidArgument(filter_argument, "-", "the name of a new file: a filter is kept in a file");
  check_target(filter_argument, name);
  StatedBudget stated = stated_budget(question, flags);
  const Filter filter(std::move(stated.budget), stated.relation, std::move(stated.cap));
  if (!filter.may_run(NoOp{}).runs) {
    throw InvalidArgument("budget", in_words(filter.budget()) + ", which admits no step at all",
                          "a larger epsilon, larger shares of delta, or larger orders");
  }
  create_file(filter_argument, name, write_filter(filter) + '\n');
  print_filter(question, format, name, filter);
}

void change(Question& question, const Flags& flags) {
  const std::string format = output_asked(flags, "table", false).format;
  const std::string name = filter_name(flags);
  question.understood = flags.understood;
  LockedFile file = filter_to_change(flags);
  Filter filter = filter_in(question, name, file.text());
  const Budget budget = changed_budget(question, flags, filter);
  if (!budget.is_within(filter.cap())) {
    throw InvalidArgument(
        name, in_words(budget),
        fmt::format("a budget within the cap, {}: what was promised at the start is not raised{}",
                    in_words(filter.cap()), flags.given("--budget") ? ", and kind, omega and orders are fixed" : ""));
  }
  filter.set_budget(budget);
  file.replace(write_filter(filter) + '\n');
  print_filter(question, format, name, filter);
}

}  // namespace
}  // namespace filter_new_file

Command filter_new_command() {
  return {
      .name = "filter new",
      .help = "Make a filter file: a budget, and no steps yet",
      .flags = joined({{{filter_argument, "", "the file to make; an existing one is never replaced"}},
                       new_budget_flags(),
                       {filter_new_file::format()}}),
      .footer =
          "The budget is fixed here: later it can be lowered, and raised up to --cap. What the whole\n"
          "interaction guarantees is what the cap guarantees.\n"
          "\n"
          "Examples:\n"
          "  renyi filter new spending.json --kind zcdp --rho 0.5\n"
          "  renyi filter new later.json --kind gdp --mu 1 --cap mu=2\n"
          "  renyi filter new tables.json --kind zcdp --rho 0.5 --infinite-mass 1e-6\n"
          "  renyi filter new curve.json --kind curve --limit 8:0.5 --limit 32:2\n"
          "  renyi filter new like.json --like plan.json --orders 4,8,16,32\n"
          "  renyi filter new shares.json --kind shares --epsilon 3 --delta 1e-5 --orders 8,16",
      .run =
          [](const Flags& flags, const CommandText&) {
            with_question([&](Question& question) { filter_new_file::make(question, flags); });
          },
  };
}

Command filter_limit_command() {
  return {
      .name = "filter limit",
      .help = "Lower the budget, or raise it up to the cap",
      .flags =
          joined({{{filter_argument, "", "the filter file"}}, changed_budget_flags(), {filter_new_file::format()}}),
      .footer =
          "Numbers that are not given stay as they are; omega and the orders are fixed when the filter is\n"
          "made. A budget below what is spent admits nothing more. Since the change may depend on results,\n"
          "the guarantee stays that of the cap.\n"
          "\n"
          "Examples:\n"
          "  renyi filter limit filter.json --rho 0.3",
      .run =
          [](const Flags& flags, const CommandText&) {
            with_question([&](Question& question) { filter_new_file::change(question, flags); });
          },
  };
}

}  // namespace renyi::cli
