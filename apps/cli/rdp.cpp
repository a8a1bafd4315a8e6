// renyi rdp
#include <fmt/format.h>

#include "apps/cli/answer_flags.h"
#include "apps/cli/ask.h"
#include "apps/cli/closed_form.h"
#include "apps/cli/command.h"
#include "apps/cli/csv.h"
#include "apps/cli/describe.h"
#include "apps/cli/exact_view.h"
#include "apps/cli/number.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot_flag.h"
#include "apps/cli/run_flags.h"
#include "apps/cli/sampling_view.h"

namespace renyi::cli {
namespace {

void build(Question& question, const Flags& flags) {
  question.request["op"] = "rdp";
  question.flag_at["order"] = question.flag_at["orders"] = "--orders";  // methods name the one order they refuse
  if (!flags.given("--compare")) question.set("orders", traditional_orders_in_json(), "--orders");
  set_orders(question, flags);
  set_text(question, flags, "direction");
  set_text(question, flags, "method");
  set_text(question, flags, "compare");
  set_run(question, flags, "");
}

std::string table(const Question& question, const api::Json& answer) {
  if (question.request.contains("compare")) return closed_form_table(question, answer);
  const api::Json& orders = question.request.at("orders");
  Report report(Style::of_standard_output());
  report.headline("Renyi divergence", "of each order  (upper bounds, rounded up)");
  describe_run(report, question);
  describe_overflow(report, answer);
  describe_note(report, answer);
  report.blank_line().row("order", "rdp (upper bound)");
  for (std::size_t i = 0; i < orders.size(); ++i) {
    report.row(rounded(number_in(orders[i])), rounded_up(number_in(answer.at("rdp")[i])));
  }
  return report.text();
}

std::string rows(const Question& question, const api::Json& answer) {
  if (question.request.contains("compare")) return closed_form_rows(answer);
  const api::Json& orders = question.request.at("orders");
  std::vector<std::vector<api::Json>> cells;
  for (std::size_t i = 0; i < orders.size(); ++i) cells.push_back({orders[i], answer.at("rdp")[i]});
  return csv({"order", "rdp"}, cells);
}

plot::Figure figure(const Question& question, const Flags& flags) {
  if (question.request.contains("compare")) return plot::closed_form_figure(question);
  // A method need not serve every order between those asked for.
  return flags.given("--orders") || flags.given("--method") ? plot::rdp_points_figure(question)
                                                            : plot::rdp_figure(question);
}

}  // namespace

Command rdp_command() {
  const std::vector<FlagText> own{
      orders_flag("orders of at least 1: 2,4.5,inf or traditional (default traditional)"),
      {"--direction", "remove|add", "which neighbour comes first (default: the larger of the two)", asked_group},
      {"--method", "quadrature|integer|series|closed-form",
       "how sampled-gaussian is evaluated (default quadrature, which serves every order)", asked_group},
      {"--compare", "closed-form", "closed-form: the published bound 2 q^2 a/s^2 beside the exact curve", asked_group},
      format_flag(),
      plot_flag(),
  };
  return {
      .name = "rdp",
      .help = "The Renyi divergence of a run at each order",
      .flags = joined({run_flags(), own}),
      .footer =
          "Examples:\n"
          "  renyi rdp --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000\n"
          "  renyi rdp --scale 2 --orders 1,2,4.5,inf --format csv\n"
          "  renyi rdp plan.json --orders 8,16 --direction add\n"
          "  renyi rdp --sampling-rate 0.01 --noise-multiplier 4 --compare closed-form",
      .run =
          [](const Flags& flags, const CommandText&) {
            ask(flags, [&](Question& question) { build(question, flags); },
                {.table = table, .csv = rows, .figure = [&](const Question& question) {
                   return figure(question, flags);
                 }});
          },
  };
}

}  // namespace renyi::cli
