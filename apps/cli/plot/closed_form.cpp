// Draws the closed form of Mironov, Talwar, Zhang 2019, Theorem 11, together with the exact curve, as Figure 1 of that
// paper does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "api/rdp.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"

namespace renyi::cli::plot {

namespace closed_form_file {
namespace {

constexpr int shown_points = 400;
constexpr double least_order = 1.05;

ClosedFormComparison compared(const api::RdpRequest& asked) { return answer(asked).comparison.value(); }

// Returns the smallest order at which a step violates the theorem's conditions; infinite if none does.
double end_of_conditions(const ClosedFormComparison& comparison) {
  double least = std::numeric_limits<double>::infinity();
  for (const ClosedFormStep& step : comparison.steps) least = std::min(least, step.end.order);
  return least;
}

// Covers the range of the conditions, and as much again on the logarithmic axis, where the exact curve may leave its
// straight line.
double last_order(const ClosedFormComparison& comparison, double end) {
  double last = 0;
  for (const ClosedFormRow& row : comparison.rows) {
    if (std::isfinite(row.order)) last = std::max(last, row.order);
  }
  constexpr double beyond = 16, most = 1e4;
  return std::isfinite(end) && end > 1 ? std::min(most, std::max(last, beyond * end)) : last;
}

// Adds both curves at the requested orders and at the end of the conditions, which is not an order of the grid.
void add_curves(Figure& figure, const ClosedFormComparison& comparison) {
  Series exact{.name = "exact curve (upper bound)", .tone = Tone::exact};
  Series closed{.name = "closed form 2q²α/σ² a step, where its conditions hold", .tone = Tone::renyi};
  for (const ClosedFormRow& row : comparison.rows) {
    exact.points.push_back(at(row.order, row.exact.upper()));
    if (row.closed_form) closed.points.push_back(at(row.order, row.closed_form->upper()));
  }
  figure.series.push_back(std::move(exact));
  if (!closed.points.empty()) figure.series.push_back(std::move(closed));
}

}  // namespace
}  // namespace closed_form_file

Figure closed_form_figure(const Question& question) {
  api::RdpRequest asked = api::read_rdp(run_of(question).set("compare", "closed-form"));
  const ClosedFormComparison first = closed_form_file::compared(asked);
  const double end = closed_form_file::end_of_conditions(first);
  asked.orders =
      by_ratio(closed_form_file::least_order, closed_form_file::last_order(first, end), closed_form_file::shown_points);
  Figure figure{.title = "Closed form and exact Rényi curve",
                .subtitle = run_in_words(question),
                .x = {.label = "order α", .log = true},
                .y = {.label = "Rényi divergence", .log = true}};
  closed_form_file::add_curves(figure, closed_form_file::compared(asked));
  if (std::isfinite(end) && end > 1) {
    figure.series.push_back({.name = fmt::format("the conditions end: α = {}", rounded_down(end)),
                             .shape = Shape::rule,
                             .tone = Tone::reference,
                             .points = {at(end, 0)}});
  } else if (!std::isfinite(end)) {
    figure.note = "the conditions hold at every order";
  } else {
    figure.note = "the closed form holds at no order: its conditions fail";
  }
  return figure;
}

}  // namespace renyi::cli::plot
