// renyi delta
#include "apps/cli/commands/command.h"
#include "apps/cli/commands/cost_view.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/run_flags.h"

namespace renyi::cli {
namespace delta_file {
namespace {

void build(Question& question, const Flags& flags) {
  question.request.set("op", "delta");
  set_number_or_infinity(question, flags, "epsilon");
  set_orders(question, flags);
  set_text(question, flags, "conversion");
  set_text(question, flags, "method");
  set_want(question, flags);
  set_run(question, flags, "");
}

}  // namespace
}  // namespace delta_file

Command delta_command() {
  return {
      .name = "delta",
      .help = "The delta a run satisfies at a given epsilon",
      .flags = joined({run_flags(),
                       {epsilon_flag("epsilon of (epsilon, delta): at least 0, or inf")},
                       want_flags(),
                       conversion_flags(),
                       {method_flag("Renyi bound: "), format_flag(), time_limit_flag(), plot_flag()}}),
      .footer = std::string(exact_assumes) +
                "Examples:\n"
                "  renyi delta --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000 --epsilon 5.5\n"
                "  renyi delta plan.json --epsilon 4",
      .run =
          [](const Flags& flags, const CommandText&) {
            auto views = cost_views();
            views.figure = "profile";
            ask(
                flags, [&](Question& question) { delta_file::build(question, flags); }, api::read_delta_cost, views);
          },
  };
}

}  // namespace renyi::cli
