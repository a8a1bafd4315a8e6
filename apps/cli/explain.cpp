// renyi explain
#include "renyi/explain.h"

#include <fmt/format.h>

#include "apps/cli/answer_flags.h"
#include "apps/cli/ask.h"
#include "apps/cli/command.h"
#include "apps/cli/explain_report.h"
#include "apps/cli/number.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot_flag.h"
#include "apps/cli/run_flags.h"
#include "apps/cli/want_flags.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace {

const std::string table_flag = "--reference-table";
const std::string size_flag = "--group-size";
static_assert(most_doublings == 30, "the help names the largest group");

std::vector<FlagText> own_flags() {
  return {
      {"--baseline", "LIST",
       "probabilities of bad outcomes, in (0, 1); adds exact bounds (default 0.5,0.1,0.01,1e-3,1e-6, without)",
       asked_group},
      orders_flag("orders to show by themselves: 2,4.5,inf or traditional (default 2,8,32)"),
      {"--delta", "DELTA", "adds what (epsilon, delta)-DP promises at this delta, in [0, 1]", asked_group},
      {"--factors", "LIST", "how much more the odds of the truth may grow (default 2,10,100)", asked_group},
      {size_flag, "SIZE", "adds a group of this many records, from 2 to 1073741824", asked_group},
      {table_flag, "", "print the published table for epsilon = 0.1 instead; needs no run", asked_group},
  };
}

void refuse_other_flags(const Flags& flags) {
  for (const FlagText& text : joined({run_flags(), own_flags(), {plot_flag()}})) {
    if (text.name == table_flag || !flags.given(text.name)) continue;
    throw InvalidArgument(text.name, *flags.text(text.name), fmt::format("nothing together with {}", table_flag));
  }
}

void build(Question& question, const Flags& flags) {
  question.request["op"] = "explain";
  if (flags.given(table_flag)) {
    refuse_other_flags(flags);
    question.set("reference_table", true, table_flag);
    return;
  }
  set_numbers(question, flags, "baseline");
  set_orders(question, flags);
  set_number(question, flags, "delta");
  set_numbers(question, flags, "factors");
  if (const auto text = flags.text(size_flag)) question.set("group_size", read_integer(size_flag, *text), size_flag);
  set_run(question, flags, "");
}

bool is_reference_table(const api::Json& answer) { return answer.contains("reference_table"); }

std::string table(const Question& question, const api::Json& answer) {
  return is_reference_table(answer) ? reference_table_report(answer) : explain_report(question, answer);
}

std::string rows(const Question& /*question*/, const api::Json& answer) {
  return is_reference_table(answer) ? reference_table_rows(answer) : explain_rows(answer);
}

}  // namespace

Command explain_command() {
  return {
      .name = "explain",
      .help = "What a run promises: bad outcomes, what is learnt, groups",
      .flags = joined({run_flags(), own_flags(), {format_flag(), plot_flag()}}),
      .footer = std::string(exact_assumes) +
                "Examples:\n"
                "  renyi explain --noise-multiplier 4 --baseline 0.5,1e-3\n"
                "  renyi explain plan.json --baseline 0.01 --orders 2,4,8 --delta 1e-6 --group-size 4\n"
                "  renyi explain --scale 10 --factors 1.05,1.1 --format csv\n"
                "  renyi explain --reference-table",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { build(question, flags); },
                {.table = table, .csv = rows, .figure = plot::outcomes_figure});
          },
  };
}

}  // namespace renyi::cli
