// renyi delta
#include <fmt/format.h>

#include "apps/cli/answer_flags.h"
#include "apps/cli/ask.h"
#include "apps/cli/command.h"
#include "apps/cli/csv.h"
#include "apps/cli/describe.h"
#include "apps/cli/number.h"
#include "apps/cli/run_flags.h"

namespace renyi::cli {
namespace {

void build(Question& question, const Flags& flags) {
  question.request["op"] = "delta";
  set_number_or_infinity(question, flags, "epsilon");
  set_orders(question, flags);
  set_text(question, flags, "conversion");
  set_run(question, flags, "");
}

std::string table(const Question& question, const api::Json& answer) {
  const api::Json& bound = answer.at("renyi");
  const double delta = number_in(bound.at("delta"));
  const double epsilon = number_in(question.request.at("epsilon"));
  Report report(Style::of_standard_output());
  report.headline(fmt::format("delta = {}", rounded_up(delta)),
                  fmt::format("at epsilon = {}  (upper bound, rounded up)", rounded(epsilon)));
  describe_run(report, question);
  describe_bound(report, bound);
  report.blank_line().paragraph(promise(question, epsilon, delta));
  return report.text();
}

std::string rows(const Question& /*question*/, const api::Json& answer) {
  const api::Json& bound = answer.at("renyi");
  return csv({"delta", "order", "conversion"}, {{bound.at("delta"), bound.at("order"), bound.at("conversion")}});
}

}  // namespace

Command delta_command() {
  return {
      .name = "delta",
      .help = "The delta a run satisfies at a given epsilon",
      .flags = joined({run_flags(),
                       {epsilon_flag("epsilon of (epsilon, delta): at least 0, or inf")},
                       conversion_flags(),
                       {format_flag()}}),
      .footer =
          "Examples:\n"
          "  renyi delta --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000 --epsilon 5.5\n"
          "  renyi delta plan.json --epsilon 4",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { build(question, flags); }, {table, rows});
          },
  };
}

}  // namespace renyi::cli
