#include "apps/cli/views/filter_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "api/api.h"
#include "api/number_text.h"
#include "api/relation_text.h"
#include "api/request_summary.h"
#include "apps/cli/io/output.h"

namespace renyi::cli {
namespace filter_view_file {
namespace {

using api::rounded_down;
using api::rounded_up;
using api::short_decimal;

// The numbers of a budget, as they were given.
std::string numbers_of(const Budget& budget) {
  const auto named = [](const char* name, double value) { return fmt::format("{} = {}", name, short_decimal(value)); };
  switch (budget.kind) {
    case BudgetKind::pure: return named("epsilon", budget.epsilon);
    case BudgetKind::zcdp: return named("rho", budget.rho);
    case BudgetKind::tcdp: return fmt::format("{}, {}", named("rho", budget.rho), named("omega", budget.omega));
    case BudgetKind::gdp: return named("mu", budget.mu);
    case BudgetKind::approx:
      return fmt::format("{}, {}", named("epsilon", budget.epsilon), named("delta", budget.delta));
    case BudgetKind::order:
      return fmt::format("order {}, {}", short_decimal(budget.limits[0].order),
                         named("epsilon", budget.limits[0].epsilon));
    case BudgetKind::curve:
      return fmt::format("limits at {} order{}", budget.limits.size(), budget.limits.size() == 1 ? "" : "s");
    case BudgetKind::shares: break;
  }
  return fmt::format("{}, delta = {} divided among {} order{}", named("epsilon", budget.epsilon),
                     rounded_up(budget.delta), budget.order_shares.size(), budget.order_shares.size() == 1 ? "" : "s");
}

std::vector<std::string> lines_of(const Plan& plan) {
  return api::summary_of_request(api::request_from_plan(write_plan(plan))).steps;
}

bool has_several_orders(const Budget& budget) {
  return budget.kind == BudgetKind::curve || budget.kind == BudgetKind::shares;
}

// The limits that a cap sets to several orders, where it differs from the budget; no sentence can state them.
std::vector<Balance> limits_of_cap(const api::FilterAnswer& answer) {
  if (answer.cap == answer.budget || !has_several_orders(answer.cap)) return {};
  return Filter(answer.cap, answer.history.adjacency()).remaining();
}

// What is left is a root where squares add up, which limit and spent do not show.
std::string note_on_left(const api::FilterAnswer& answer, const std::vector<Balance>& last) {
  const bool is_gdp = answer.budget.kind == BudgetKind::gdp;
  const bool differs =
      std::any_of(last.begin(), last.end(), [](const Balance& one) { return one.within && one.spent > 0; });
  if (!differs || (!is_gdp && answer.budget.kind != BudgetKind::approx)) return "";
  return fmt::format("  left: the largest {} of one more step, because squares add up\n", is_gdp ? "mu" : "epsilon");
}

// The balances now and, with a verdict about steps that were not charged, after the steps.
std::string balances(const api::FilterAnswer& answer) {
  const bool both = answer.verdict.has_value() && !answer.charged.value_or(false);
  const std::vector<Balance>& after = both ? answer.verdict->after : answer.remaining;
  const std::vector<Balance> cap = limits_of_cap(answer);
  std::vector<std::vector<std::string>> rows{{"", "limit"}};
  if (!cap.empty()) rows[0].emplace_back("cap");
  rows[0].emplace_back("spent");
  if (both) rows[0].emplace_back("with the steps");
  rows[0].emplace_back(both ? "left then" : "left");
  for (std::size_t i = 0; i < answer.remaining.size(); ++i) {
    const Balance& now = answer.remaining[i];
    const Balance& last = after[i];
    std::vector<std::string> row{now.name, rounded_down(now.limit)};
    if (!cap.empty()) row.push_back(i < cap.size() ? rounded_down(cap[i].limit) : "");
    row.push_back(rounded_up(now.spent));
    if (both) row.push_back(rounded_up(last.spent));
    row.push_back(last.within ? rounded_down(last.left) : "none: above the limit");
    rows.push_back(std::move(row));
  }
  return columns(rows) + note_on_left(answer, after);
}

std::string headroom_in_words(std::int64_t headroom, bool charged) {
  const char* more = charged ? "more " : "";
  if (headroom == 0) return fmt::format("no {}such step may run", more);
  if (headroom > std::numeric_limits<std::int64_t>::max() / 2) {
    return fmt::format("as many {}such steps as can be counted may run", more);
  }
  return fmt::format("{} {}such step{} may run from here", headroom, more, headroom == 1 ? "" : "s");
}

// "epsilon = 4.3782 at delta = 1e-5", or why there is no such figure.
std::string figure(const Cost& cost) {
  if (!cost.exact && !cost.renyi) return cost.unavailable();
  return fmt::format("epsilon = {} at delta = {}", rounded_up(cost.upper()), short_decimal(cost.at));
}

// The same for the guarantee, whose cap may have a delta of its own.
std::string guaranteed_figure(const api::FilterAnswer& answer) {
  if (!answer.at_own_delta) return figure(*answer.guaranteed);
  const Cost& own = *answer.at_own_delta;
  const std::string none = fmt::format("no epsilon at delta = {}: the cap's own delta is {}",
                                       short_decimal(answer.guaranteed->at), short_decimal(own.at));
  return std::isfinite(own.upper()) ? fmt::format("{}, and at that delta epsilon = {}", none, rounded_up(own.upper()))
                                    : none + ", and epsilon is finite above it only";
}

}  // namespace
}  // namespace filter_view_file

std::string in_words(const Budget& budget) {
  std::string text = fmt::format("{}: {}", to_string(budget.kind), filter_view_file::numbers_of(budget));
  if (budget.infinite_mass > 0) text += fmt::format(", infinite mass {}", api::short_decimal(budget.infinite_mass));
  return text;
}

namespace filter_view_file {
namespace {

void describe_filter(Report& report, const Filter& filter) {
  report.row("budget", in_words(filter.budget()));
  report.row("cap", filter.cap() == filter.budget() ? "the budget: it can only be lowered" : in_words(filter.cap()));
  const Adjacency& relation = filter.adjacency();
  const std::string_view name = to_string(relation.neighbors);
  report.row("neighbors", fmt::format("{}: {}", name, api::difference_in_words(name, relation.unit)));
}

void list_steps(Report& report, const Plan& plan) {
  const auto lines = lines_of(plan);
  if (lines.empty()) report.row("steps", "none yet");
  for (std::size_t i = 0; i < lines.size(); ++i) report.row(i == 0 ? "steps" : "", lines[i]);
}

}  // namespace
}  // namespace filter_view_file

std::string verdict_text(const api::FilterRequest& asked, const api::FilterAnswer& answer, const Remarks& remarks) {
  const FilterVerdict& verdict = answer.verdict.value();
  const bool charged = answer.charged.value_or(false);
  Report report(Style::of_standard_output());
  if (charged) {
    report.headline("Charged:", "the steps may run now");
  } else {
    report.headline(verdict.runs ? "Yes:" : "No:", verdict.runs ? "the steps may run (nothing was charged)"
                                                                : "the steps may not run (nothing was charged)");
  }
  for (const std::string& line : remarks.understood) report.row("understood", line);
  filter_view_file::list_steps(report, *asked.step);
  if (asked.count > 1) report.row("", fmt::format("all of it {} times", asked.count));
  if (!verdict.runs) report.row("why", verdict.reason);
  if (answer.would_fit) {
    report.row("would run",
               fmt::format("with {} {}{}", answer.would_fit->parameter, api::short_decimal(answer.would_fit->value),
                           answer.would_fit->is_closest ? "" : " (the search ended early: a smaller change may do)"));
  }
  report.row("headroom", filter_view_file::headroom_in_words(answer.headroom, charged));
  report.blank_line().lines(filter_view_file::balances(answer));
  for (const std::string& warning : remarks.warnings) report.blank_line().warning(warning);
  return report.text();
}

std::string filter_text(const std::string& name, const api::FilterRequest& asked, const api::FilterAnswer& answer,
                        const Remarks& remarks) {
  Report report(Style::of_standard_output());
  report.headline("Filter", name);
  for (const std::string& line : remarks.understood) report.row("understood", line);
  filter_view_file::describe_filter(report, asked.filter);
  filter_view_file::list_steps(report, asked.filter.history());
  report.blank_line().lines(filter_view_file::balances(answer)).blank_line();
  const std::string cap = fmt::format("That is what the cap ({}) guarantees", in_words(answer.cap));
  if (!answer.guaranteed) {
    report.paragraph(
        fmt::format("The whole interaction, however long it goes on and however its steps are chosen, is "
                    "within the cap ({}). --delta shows its epsilon.",
                    in_words(answer.cap)));
    return report.text();
  }
  report.paragraph(
      fmt::format("The whole interaction, however long it goes on and however its steps are chosen: {}. "
                  "{}.",
                  filter_view_file::guaranteed_figure(answer), cap));
  report.blank_line().paragraph(
      fmt::format("The cost if these steps had been fixed in advance: {}. This is no bound for steps that were chosen "
                  "on the way, and it decides nothing.",
                  filter_view_file::figure(*answer.cost_if_fixed_in_advance)));
  return report.text();
}

}  // namespace renyi::cli
