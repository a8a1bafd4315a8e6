#include "apps/cli/closed_form.h"

#include <fmt/format.h>

#include "apps/cli/columns.h"
#include "apps/cli/csv.h"
#include "apps/cli/describe.h"
#include "apps/cli/number.h"

namespace renyi::cli {
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

}  // namespace

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

}  // namespace renyi::cli
