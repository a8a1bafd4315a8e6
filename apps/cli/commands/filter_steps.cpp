// renyi filter check, renyi filter charge: may these steps run? And: they are about to run.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "api/filter.h"
#include "apps/cli/commands/filter.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/files.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/filter_view.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace filter_steps_file {
namespace {

constexpr int exit_refused = 1;
const std::string count_flag = "--count";

void check_relation(const Adjacency& steps, const Adjacency& filter) {
  if (steps.neighbors != filter.neighbors) {
    throw InvalidArgument("neighbors", std::string(to_string(steps.neighbors)),
                          fmt::format("{}, as in the filter", to_string(filter.neighbors)));
  }
  if (steps.unit != filter.unit) {
    throw InvalidArgument("unit", fmt::format("{}", steps.unit), fmt::format("{}, as in the filter", filter.unit));
  }
}

// The steps of the flags or of the plan file. What they do not say of the relation is that of the filter.
api::FilterRequest asked_of(Question& question, const Flags& flags, Filter filter) {
  set_run(question, flags, "");
  const bool by_flags = question.source.empty();
  Plan step = by_flags ? api::steps_of(question.request, filter.adjacency()) : api::steps_of(question.request, {});
  check_relation(step.adjacency(), filter.adjacency());
  api::FilterRequest asked{.filter = std::move(filter), .step = std::move(step)};
  question.flag_at["count"] = count_flag;
  if (const auto text = flags.text(count_flag)) asked.count = read_integer(count_flag, *text);
  return asked;
}

// Prints the verdict. Throws Failure if it is no; the reason stands in what was printed.
void tell(const Question& question, const std::string& format, const std::string& name, const api::FilterRequest& asked,
          const api::FilterAnswer& answer) {
  show(question, format,
       format == "json" ? json_line(question, api::text_of(answer))
                        : verdict_text(asked, answer, {question.understood, warnings(question)}));
  if (answer.verdict->runs) return;
  throw Failure(exit_refused, fmt::format("{}: the steps may not run", name));
}

void check(Question& question, const Flags& flags) {
  const std::string format = output_asked(flags, "table", false).format;
  const std::string name = filter_name(flags);
  Filter filter = filter_in(question, name, Input(name).read_all());
  const api::FilterRequest asked = asked_of(question, flags, std::move(filter));
  tell(question, format, name, asked, api::answer(asked));
}

// The file is replaced before anything is printed: what was said to be charged is on the disk.
void charge(Question& question, const Flags& flags) {
  const std::string format = output_asked(flags, "table", false).format;
  const std::string name = filter_name(flags);
  LockedFile file = filter_to_change(flags);
  api::FilterRequest asked = asked_of(question, flags, filter_in(question, name, file.text()));
  const api::FilterAnswer answer = api::charge(asked);
  if (!answer.verdict->runs) return tell(question, format, name, asked, answer);
  file.replace(write_filter(asked.filter) + '\n');
  try {
    tell(question, format, name, asked, answer);
    flush_output();
  } catch (const OutputError& error) {
    throw OutputError(error.number(), fmt::format("{}; the steps are charged all the same", error.what()));
  }
}

std::vector<FlagText> flags_of_steps(std::string file_help) {
  return joined({{{filter_argument, "", std::move(file_help)}},
                 run_flags(),
                 {{.name = count_flag,
                   .value = "N",
                   .help = "how often all of it is to run (default 1)",
                   .group = asked_group,
                   .whole = true},
                  {"--format", "table|json", "how to print the verdict (default table)", asked_group}}});
}

}  // namespace
}  // namespace filter_steps_file

Command filter_check_command() {
  return {
      .name = "filter check",
      .help = "May these steps run? Nothing is charged",
      .flags = filter_steps_file::flags_of_steps("the filter file, or - for standard input"),
      .footer =
          "Steps by flags have the relation of the filter unless --neighbors or --unit is given; a plan file\n"
          "must state the same. Exit status: 0 they may run; 1 they may not.\n"
          "\n"
          "Examples:\n"
          "  renyi filter check filter.json --noise-multiplier 8\n"
          "  renyi filter check filter.json --sampling-rate 0.01 --noise-multiplier 20 --steps 10\n"
          "  renyi filter check filter.json --mechanism laplace --set scale=20 --count 2 --format json",
      .run =
          [](const Flags& flags, const CommandText&) {
            with_question([&](Question& question) { filter_steps_file::check(question, flags); });
          },
  };
}

Command filter_charge_command() {
  return {
      .name = "filter charge",
      .help = "Charge steps that are about to run, if they may",
      .flags = filter_steps_file::flags_of_steps("the filter file"),
      .footer =
          "Run the steps only after they were charged (exit status 0). If they may not run (1), or the input\n"
          "is at fault, the file stays as it was, byte for byte. If only the answer cannot be printed, the\n"
          "steps are charged all the same. The balances are those after the charge. Programs that charge the\n"
          "same file wait for each other.\n"
          "\n"
          "Examples:\n"
          "  renyi filter charge filter.json --noise-multiplier 8\n"
          "  renyi filter charge filter.json --scale 50 --count 3",
      .run =
          [](const Flags& flags, const CommandText&) {
            with_question([&](Question& question) { filter_steps_file::charge(question, flags); });
          },
  };
}

}  // namespace renyi::cli
