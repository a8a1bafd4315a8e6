// Draws the epsilon of each composition theorem as a list of dots.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "api/compare.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"
#include "renyi/error.h"

namespace renyi::cli::plot {

namespace accountants_file {
namespace {

// The theorems with a finite epsilon, the smallest first, which is at the top; and why others are missing.
struct Rows {
  std::vector<TheoremAnswer> shown;
  std::vector<std::string_view> infinite;
  std::vector<std::string_view> missing;
};

Rows rows_in(const std::vector<TheoremAnswer>& theorems) {
  Rows rows;
  for (const TheoremAnswer& theorem : theorems) {
    if (theorem.epsilon_estimate) continue;  // the figure shows bounds
    if (!theorem.epsilon) {
      rows.missing.push_back(theorem.name);
    } else if (std::isfinite(*theorem.epsilon)) {
      rows.shown.push_back(theorem);
    } else {
      rows.infinite.push_back(theorem.name);
    }
  }
  std::stable_sort(rows.shown.begin(), rows.shown.end(),
                   [](const TheoremAnswer& a, const TheoremAnswer& b) { return *a.epsilon > *b.epsilon; });
  return rows;
}

std::string note_of(const Rows& rows) {
  std::vector<std::string> parts;
  if (!rows.infinite.empty()) parts.push_back(fmt::format("infinite: {}", fmt::join(rows.infinite, ", ")));
  if (!rows.missing.empty()) parts.push_back(fmt::format("no answer: {}", fmt::join(rows.missing, ", ")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

// Leaves space to the left of the smallest epsilon, where lines start, and to the right of the largest one for its
// label.
void set_range(Axis& axis, const Rows& rows) {
  const double least = *rows.shown.back().epsilon, most = *rows.shown.front().epsilon;
  axis.log = least > 0;
  axis.from = axis.log ? least / std::max(1.6, std::pow(most / least, 0.1)) : 0;
  axis.to = axis.log ? most * std::max(1.6, std::pow(most / least, 0.25)) : 1.3 * std::max(most, 1e-300);
}

}  // namespace
}  // namespace accountants_file

Figure accountants_figure(const Question& question) {
  const Comparison comparison = answer(api::read_compare(run_of(question).set("delta", delta_of(question))));
  const accountants_file::Rows rows = accountants_file::rows_in(comparison.theorems);
  if (rows.shown.empty()) {
    throw Unsupported("", "no theorem gives a finite epsilon at this delta", "a larger delta");
  }
  Figure figure{.title = fmt::format("The ε each theorem proves, at δ = {}", in_figure(delta_of(question))),
                .subtitle = run_in_words(question),
                .x = {.label = "ε (upper bounds, rounded up)"},
                .y = {.from = 0.4, .to = static_cast<double>(rows.shown.size()) + 0.6},
                .note = accountants_file::note_of(rows)};
  accountants_file::set_range(figure.x, rows);
  Series others{.shape = Shape::spike, .tone = Tone::renyi}, best{.name = "the smallest", .shape = Shape::spike};
  for (std::size_t i = 0; i < rows.shown.size(); ++i) {
    const TheoremAnswer& row = rows.shown[i];
    Series& series = comparison.best && comparison.theorems[*comparison.best].name == row.name ? best : others;
    series.points.push_back(at(static_cast<double>(i + 1), *row.epsilon));
    series.labels.push_back(in_figure_rounded_up(*row.epsilon));
    figure.y.names.emplace_back(row.name);
  }
  if (!others.points.empty()) figure.series.push_back(std::move(others));
  if (!best.points.empty()) figure.series.push_back(std::move(best));
  return figure;
}

}  // namespace renyi::cli::plot
