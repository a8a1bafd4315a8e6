// renyi rdp: prints the Renyi divergence at each order, optionally next to the closed form.
#include "api/rdp.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

namespace rdp_file {
namespace {

using api::RdpAnswer;
using api::RdpRequest;

// Returns the condition of a text such as "condition fails: numbers".
std::string condition_in(const std::string& obstacle) { return obstacle.substr(0, obstacle.find(" fails")); }

std::vector<std::string> row(const ClosedFormRow& at) {
  return {rounded(at.order), rounded_up(at.exact.upper()), at.closed_form ? rounded_up(at.closed_form->upper()) : "-",
          at.ratio_estimate ? fmt::format("{:.3f}", *at.ratio_estimate) : "-",
          at.closed_form ? "" : condition_in(at.obstacle)};
}

std::string end_in_words(const ClosedFormStep& step) {
  const std::string words = fmt::format("sampling_rate = {}, noise_multiplier = {}", rounded(step.step.sampling_rate),
                                        rounded(step.step.noise_multiplier));
  if (std::isinf(step.end.order)) return words + ": at no order";
  if (step.end.order <= 1) return fmt::format("{}: they hold at no order ({})", words, step.end.condition);
  return fmt::format("{}: at order {}, where {} ends", words, rounded_down(step.end.order), step.end.condition);
}

// Implements --compare closed-form.
std::string closed_form_table(const Question& question, const ClosedFormComparison& comparison) {
  Report report(Style::of_standard_output());
  report.headline("Exact curve and closed form", "2 q^2 a/s^2 a step  (upper bounds, rounded up)");
  describe_run(report, question);
  std::vector<std::vector<std::string>> lines{
      {"order a", "exact", "closed form", "ratio, estimate", "condition that fails"}};
  for (const ClosedFormRow& at : comparison.rows) lines.push_back(row(at));
  report.blank_line().lines(columns(lines)).blank_line();
  for (const ClosedFormStep& step : comparison.steps) {
    report.paragraph(fmt::format("The conditions of the closed form end, for {}.", end_in_words(step)));
  }
  report.paragraph("L = ln(1 + 1/(q (a-1))); Mironov, Talwar, Zhang 2019, Theorem 11.");
  return report.text();
}

std::string closed_form_rows(const ClosedFormComparison& comparison) {
  std::vector<std::vector<Cell>> cells;
  for (const ClosedFormRow& at : comparison.rows) {
    cells.push_back({at.order, at.exact.upper(), at.closed_form ? Cell(at.closed_form->upper()) : Cell(""),
                     at.ratio_estimate ? Cell(*at.ratio_estimate) : Cell(""), at.closed_form ? "" : at.obstacle});
  }
  return csv({"order", "rdp", "closed_form", "ratio_estimate", "unavailable"}, cells);
}

void build(Question& question, const Flags& flags) {
  question.request.set("op", "rdp");
  question.flag_at["order"] = question.flag_at["orders"] =
      "--orders";  // methods name the single order that they refuse
  if (!flags.given("--compare")) question.set("orders", traditional_orders_document(), "--orders");
  set_orders(question, flags);
  set_text(question, flags, "direction");
  set_text(question, flags, "method");
  set_text(question, flags, "compare");
  set_run(question, flags, "");
}

std::string table(const Question& question, const RdpRequest&, const RdpAnswer& answer) {
  if (answer.comparison) return closed_form_table(question, *answer.comparison);
  Report report(Style::of_standard_output());
  report.headline("Renyi divergence", "of each order  (upper bounds, rounded up)");
  describe_run(report, question);
  describe_overflow(report, answer.overflows);
  for (const auto& [order, why] : answer.obstacles)
    report.row("note", fmt::format("order {}: {}", rounded(order), why));
  if (!answer.note.empty()) report.row("note", answer.note);
  report.blank_line().row("order", "rdp (upper bound)");
  for (std::size_t i = 0; i < answer.orders.size(); ++i) {
    report.row(rounded(answer.orders[i]), rounded_up(answer.upper[i]));
  }
  return report.text();
}

std::string rows(const Question&, const RdpRequest&, const RdpAnswer& answer) {
  if (answer.comparison) return closed_form_rows(*answer.comparison);
  std::vector<std::vector<Cell>> cells;
  for (std::size_t i = 0; i < answer.orders.size(); ++i) cells.push_back({answer.orders[i], answer.upper[i]});
  return csv({"order", "rdp"}, cells);
}

}  // namespace
}  // namespace rdp_file

Command rdp_command() {
  const std::vector<FlagText> own{
      orders_flag("orders of at least 1: 2,4.5,inf or traditional (default traditional)"),
      {"--direction", "remove|add", "which neighbour comes first (default: the larger of the two)", asked_group},
      method_flag(""),
      {"--compare", "closed-form", "closed-form: the published bound 2 q^2 a/s^2 beside the exact curve", asked_group},
      format_flag(),
      time_limit_flag(),
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
            ask(flags, [&](Question& question) { rdp_file::build(question, flags); }, api::read_rdp,
                {.table = rdp_file::table,
                 .csv = rdp_file::rows,
                 .figure = flags.given("--compare") ? "closed-form" : "rdp",
                 .figure_asks = [&](Question& question, const api::RdpRequest&) {
                   // A curve, unless orders were asked for, or a method, which may not support all orders between.
                   if (!flags.given("--orders") && !flags.given("--method")) question.request.erase("orders");
                 }});
          },
  };
}

}  // namespace renyi::cli
