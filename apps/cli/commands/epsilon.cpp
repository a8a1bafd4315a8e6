// renyi epsilon
#include "apps/cli/commands/command.h"
#include "apps/cli/commands/cost_view.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/run_flags.h"

namespace renyi::cli {
namespace epsilon_file {
namespace {

void build(Question& question, const Flags& flags) {
  question.request.set("op", "epsilon");
  set_number(question, flags, "delta");
  set_orders(question, flags);
  set_text(question, flags, "conversion");
  set_text(question, flags, "method");
  set_want(question, flags);
  set_run(question, flags, "");
}

}  // namespace
}  // namespace epsilon_file

Command epsilon_command() {
  return {
      .name = "epsilon",
      .help = "The epsilon a run satisfies at a given delta",
      .flags = joined({run_flags(),
                       {delta_flag()},
                       want_flags(),
                       conversion_flags(),
                       {method_flag("Renyi bound: "), format_flag(), time_limit_flag(), plot_flag()}}),
      .footer =
          std::string(exact_assumes) +
          "Examples:\n"
          "  renyi epsilon --dataset-size 60000 --batch-size 256 --epochs 60 --noise-multiplier 1.1 --delta 1e-5\n"
          "  renyi epsilon --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000 --delta 1e-5 --format json\n"
          "  renyi epsilon --truth-probability 0.75 --sampling-rate 0.01 --steps 100 --delta 1e-6\n"
          "  renyi epsilon --noise-multiplier 12 --unit 3 --delta 1e-6\n"
          "  renyi epsilon --sampling-rate 0.01 --noise-multiplier 4 --steps 10000 --delta 1e-5 --method closed-form\n"
          "  renyi epsilon --mechanism rdp --set order=10,epsilon=0.1 --steps 20 --delta 1e-5\n"
          "  renyi epsilon plan.json --delta 1e-6",
      .run =
          [](const Flags& flags, const CommandText&) {
            auto views = cost_views();
            views.figure = "steps";
            ask(
                flags, [&](Question& question) { epsilon_file::build(question, flags); }, api::read_epsilon_cost,
                views);
          },
  };
}

}  // namespace renyi::cli
