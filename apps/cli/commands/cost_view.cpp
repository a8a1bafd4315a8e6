#include "apps/cli/commands/cost_view.h"

#include <fmt/format.h>

#include "apps/cli/flags/number.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"
#include "renyi/papers/sampled_gaussian.h"

namespace renyi::cli {

namespace cost_view_file {
namespace {

using api::CostRequest;

// Throws Failure if no requested part is available.
void require_a_part(const Cost& cost) {
  if (cost.renyi || cost.exact) return;
  throw Failure(exit_no_answer, cost.unavailable());
}

std::string method_in_words(SampledGaussianMethod method) {
  std::string name(to_string(method));
  if (method == SampledGaussianMethod::closed_form) {
    return name + " (Mironov, Talwar, Zhang 2019, Theorem 11: 2 q^2 a/s^2 a step)";
  }
  if (method == SampledGaussianMethod::quadrature) return name;
  return name + " (Mironov, Talwar, Zhang 2019, section 3.3)";
}

void describe_renyi(Report& report, const Cost& cost) {
  const RenyiBound& bound = *cost.renyi;
  if (cost.exact || cost.obstacle) report.row("Renyi", fmt::format("{} (upper bound)", rounded_up(bound.upper)));
  if (bound.method) report.row("method", method_in_words(*bound.method));
  describe_bound(report, bound);
}

std::string table(const Question& question, const CostRequest&, const Cost& cost) {
  const bool is_epsilon = cost.quantity == Quantity::epsilon;
  const double figure = cost.upper();
  Report report(Style::of_standard_output());
  report.headline(fmt::format("{} = {}", to_string(cost.quantity), rounded_up(figure)),
                  fmt::format("at {} = {}  ({}, rounded up)", is_epsilon ? "delta" : "epsilon", rounded(cost.at),
                              kind_in_words(cost)));
  describe_run(report, question);
  describe_overflow(report, cost.overflows);
  describe_exact(report, cost);
  if (!cost.note().empty()) report.row("note", cost.note());
  if (cost.renyi) describe_renyi(report, cost);
  describe_under_poisson(report, cost.under_poisson);
  if (cost.exact && cost.renyi) {
    const std::string less = saving(cost.exact->worst.upper, cost.renyi->upper);
    if (!less.empty()) report.blank_line().paragraph(less);
  }
  report.blank_line().paragraph(is_epsilon ? promise(question, figure, cost.at) : promise(question, cost.at, figure));
  for (const std::string& warning : warnings(question)) report.blank_line().warning(warning);
  return report.text();
}

std::string rows(const Question&, const CostRequest&, const Cost& cost) {
  std::vector<Cell> cells(11, Cell(""));
  if (cost.renyi) {
    cells[0] = cost.renyi->upper;
    cells[1] = cost.renyi->order;
    cells[2] = to_string(cost.renyi->conversion);
  }
  if (cost.exact) {
    cells[3] = cost.exact->worst.lower;
    cells[4] = cost.exact->worst.upper;
    cells[5] = to_string(cost.exact->worst.engine);
    cells[6] = to_string(cost.exact->direction);
    cells[7] = cost.exact->remove.lower;
    cells[8] = cost.exact->remove.upper;
    cells[9] = cost.exact->add.lower;
    cells[10] = cost.exact->add.upper;
  }
  return csv({fmt::format("renyi_{}", to_string(cost.quantity)), "renyi_order", "renyi_conversion", "exact_lower",
              "exact_upper", "engine", "direction", "remove_lower", "remove_upper", "add_lower", "add_upper"},
             {cells});
}

}  // namespace
}  // namespace cost_view_file

Views<api::CostRequest> cost_views() {
  return {.table = cost_view_file::table, .csv = cost_view_file::rows, .check = cost_view_file::require_a_part};
}

}  // namespace renyi::cli
