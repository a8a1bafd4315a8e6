// renyi epsilon
#include <fmt/format.h>

#include "apps/cli/answer_flags.h"
#include "apps/cli/ask.h"
#include "apps/cli/command.h"
#include "apps/cli/csv.h"
#include "apps/cli/describe.h"
#include "apps/cli/number.h"
#include "apps/cli/run_flags.h"
#include "apps/cli/warnings.h"

namespace renyi::cli {
namespace {

void build(Question& question, const Flags& flags) {
  question.request["op"] = "epsilon";
  set_number(question, flags, "delta");
  set_orders(question, flags);
  set_text(question, flags, "conversion");
  set_run(question, flags, "");
}

std::string table(const Question& question, const api::Json& answer) {
  const api::Json& bound = answer.at("renyi");
  const double epsilon = number_in(bound.at("epsilon"));
  const double delta = number_in(question.request.at("delta"));
  Report report(Style::of_standard_output());
  report.headline(fmt::format("epsilon = {}", rounded_up(epsilon)),
                  fmt::format("at delta = {}  (upper bound, rounded up)", rounded(delta)));
  describe_run(report, question);
  describe_bound(report, bound);
  report.blank_line().paragraph(promise(question, epsilon, delta));
  for (const std::string& warning : warnings(question)) report.blank_line().warning(warning);
  return report.text();
}

std::string rows(const Question& /*question*/, const api::Json& answer) {
  const api::Json& bound = answer.at("renyi");
  return csv({"epsilon", "order", "conversion"}, {{bound.at("epsilon"), bound.at("order"), bound.at("conversion")}});
}

}  // namespace

Command epsilon_command() {
  return {
      .name = "epsilon",
      .help = "The epsilon a run satisfies at a given delta",
      .flags = joined({run_flags(), {delta_flag()}, conversion_flags(), {format_flag()}}),
      .footer =
          "Examples:\n"
          "  renyi epsilon --dataset-size 60000 --batch-size 256 --epochs 60 --noise-multiplier 1.1 --delta 1e-5\n"
          "  renyi epsilon --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000 --delta 1e-5 --format json\n"
          "  renyi epsilon plan.json --delta 1e-6",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { build(question, flags); }, {table, rows});
          },
  };
}

}  // namespace renyi::cli
