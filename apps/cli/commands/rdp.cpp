// renyi rdp: the Renyi divergence at each order, and the closed form beside it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

namespace rdp_file {
namespace {

using api::Json;

// "condition fails: numbers"
std::string condition_in(const Json& missing) {
  const auto text = missing.at("unavailable").get<std::string>();
  return text.substr(0, text.find(" fails"));
}

std::vector<std::string> row(const Json& answer, std::size_t i) {
  const Json& bound = answer.at("closed_form")[i];
  const Json& ratio = answer.at("ratio_estimate")[i];
  return {rounded(number_in(answer.at("orders")[i])), rounded_up(number_in(answer.at("rdp")[i])),
          bound.is_object() ? "-" : rounded_up(number_in(bound)),
          ratio.is_null() ? "-" : fmt::format("{:.3f}", ratio.get<double>()),
          bound.is_object() ? condition_in(bound) : ""};
}

std::string end_in_words(const Json& end) {
  const std::string step = fmt::format("sampling_rate = {}, noise_multiplier = {}", rounded(end.at("sampling_rate")),
                                       rounded(end.at("noise_multiplier")));
  const auto condition = end.at("condition").get<std::string>();
  const double order = number_in(end.at("order"));
  if (end.at("order") == "inf") return step + ": at no order";
  if (order <= 1) return fmt::format("{}: they hold at no order ({})", step, condition);
  return fmt::format("{}: at order {}, where {} ends", step, rounded_down(order), condition);
}

// --compare closed-form
std::string closed_form_table(const Question& question, const Json& answer) {
  Report report(Style::of_standard_output());
  report.headline("Exact curve and closed form", "2 q^2 a/s^2 a step  (upper bounds, rounded up)");
  describe_run(report, question);
  std::vector<std::vector<std::string>> lines{
      {"order a", "exact", "closed form", "ratio, estimate", "condition that fails"}};
  for (std::size_t i = 0; i < answer.at("orders").size(); ++i) lines.push_back(row(answer, i));
  report.blank_line().lines(columns(lines)).blank_line();
  for (const Json& end : answer.at("conditions_end")) {
    report.paragraph(fmt::format("The conditions of the closed form end, for {}.", end_in_words(end)));
  }
  report.paragraph("L = ln(1 + 1/(q (a-1))); Mironov, Talwar, Zhang 2019, Theorem 11.");
  return report.text();
}

std::string closed_form_rows(const Json& answer) {
  std::vector<std::vector<Json>> cells;
  for (std::size_t i = 0; i < answer.at("orders").size(); ++i) {
    const Json& bound = answer.at("closed_form")[i];
    const Json& ratio = answer.at("ratio_estimate")[i];
    cells.push_back({answer.at("orders")[i], answer.at("rdp")[i], bound.is_object() ? Json("") : bound,
                     ratio.is_null() ? Json("") : ratio, bound.is_object() ? bound.at("unavailable") : Json("")});
  }
  return csv({"order", "rdp", "closed_form", "ratio_estimate", "unavailable"}, cells);
}

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
}  // namespace rdp_file

Command rdp_command() {
  const std::vector<FlagText> own{
      orders_flag("orders of at least 1: 2,4.5,inf or traditional (default traditional)"),
      {"--direction", "remove|add", "which neighbour comes first (default: the larger of the two)", asked_group},
      method_flag(""),
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
            ask(flags, [&](Question& question) { rdp_file::build(question, flags); },
                {.table = rdp_file::table, .csv = rdp_file::rows, .figure = [&](const Question& question) {
                   return rdp_file::figure(question, flags);
                 }});
          },
  };
}

}  // namespace renyi::cli
