// The epsilon of each composition theorem, as a list of dots.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/cli/flags/number.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"
#include "apps/cli/views/describe.h"
#include "renyi/error.h"

namespace renyi::cli::plot {

using api::Json;

namespace accountants_file {
namespace {

struct Row {
  std::string name;
  double epsilon = 0;
};

// Those with a finite epsilon, the smallest first, which is at the top; and why others are not among them.
struct Rows {
  std::vector<Row> shown;
  std::vector<std::string> infinite;
  std::vector<std::string> missing;
};

Rows rows_in(const Json& theorems) {
  Rows rows;
  for (const Json& theorem : theorems) {
    const auto name = theorem.at("name").get<std::string>();
    if (!theorem.contains("epsilon")) {
      rows.missing.push_back(name);
    } else if (const double epsilon = number_in(theorem.at("epsilon")); std::isfinite(epsilon)) {
      rows.shown.push_back({name, epsilon});
    } else {
      rows.infinite.push_back(name);
    }
  }
  std::stable_sort(rows.shown.begin(), rows.shown.end(),
                   [](const Row& a, const Row& b) { return a.epsilon > b.epsilon; });
  return rows;
}

std::string note_of(const Rows& rows) {
  std::vector<std::string> parts;
  if (!rows.infinite.empty()) parts.push_back(fmt::format("infinite: {}", fmt::join(rows.infinite, ", ")));
  if (!rows.missing.empty()) parts.push_back(fmt::format("no answer: {}", fmt::join(rows.missing, ", ")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

// Room to the left of the least, where lines begin, and to the right of the largest, where its number stands.
void set_range(Axis& axis, const Rows& rows) {
  const double least = rows.shown.back().epsilon, most = rows.shown.front().epsilon;
  axis.log = least > 0;
  axis.from = axis.log ? least / std::max(1.6, std::pow(most / least, 0.1)) : 0;
  axis.to = axis.log ? most * std::max(1.6, std::pow(most / least, 0.25)) : 1.3 * std::max(most, 1e-300);
}

}  // namespace
}  // namespace accountants_file

Figure accountants_figure(const Question& question) {
  Json request = about_run(question, "compare");
  request["delta"] = delta_of(question);
  const Json answer = api::evaluate(request);
  const accountants_file::Rows rows = accountants_file::rows_in(answer.at("theorems"));
  if (rows.shown.empty()) {
    throw Unsupported("", "no theorem gives a finite epsilon at this delta", "a larger delta");
  }
  Figure figure{.title = fmt::format("The epsilon each theorem proves, at delta = {}", rounded(delta_of(question))),
                .subtitle = run_in_words(question),
                .x = {.label = "epsilon (upper bounds, rounded up)"},
                .y = {.from = 0.4, .to = static_cast<double>(rows.shown.size()) + 0.6},
                .note = accountants_file::note_of(rows)};
  accountants_file::set_range(figure.x, rows);
  Series others{.shape = Shape::spike, .tone = Tone::renyi}, best{.name = "the smallest", .shape = Shape::spike};
  for (std::size_t i = 0; i < rows.shown.size(); ++i) {
    const accountants_file::Row& row = rows.shown[i];
    Series& series = answer.contains("best") && answer.at("best") == row.name ? best : others;
    series.points.push_back(at(static_cast<double>(i + 1), row.epsilon));
    series.labels.push_back(rounded_up(row.epsilon));
    figure.y.names.push_back(row.name);
  }
  if (!others.points.empty()) figure.series.push_back(std::move(others));
  if (!best.points.empty()) figure.series.push_back(std::move(best));
  return figure;
}

}  // namespace renyi::cli::plot
