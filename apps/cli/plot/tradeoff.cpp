// Type II against type I error of the best test that tells neighbours apart.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "apps/cli/flags/number.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"
#include "apps/cli/views/describe.h"

namespace renyi::cli::plot {

using api::Json;

namespace tradeoff_file {
namespace {

constexpr int shown_points = 100;

// From 0 to 1, closer to each other near both ends, where the curve is steep or flat.
std::vector<double> errors() {
  std::vector<double> values;
  for (const double t : evenly(0, std::numbers::pi, shown_points)) values.push_back((1 - std::cos(t)) / 2);
  return values;
}

// Of one direction, or, where there is no key, of the worse one at each point.
Series direction(const std::vector<Json>& rows, const char* key, Series series) {
  for (const Json& row : rows) {
    const Interval least = interval_in((key != nullptr ? row.at(key) : row).at("type_2_error"));
    series.points.push_back({number_in(row.at("type_1_error")), least.lower, least.upper});
  }
  return series;
}

bool are_close(const Series& a, const Series& b) {
  constexpr double visible = 0.01;  // the legend says so
  return std::equal(a.points.begin(), a.points.end(), b.points.begin(), [](const Point& p, const Point& q) {
    return std::abs(p.high - q.high) < visible && std::abs(p.low - q.low) < visible;
  });
}

}  // namespace
}  // namespace tradeoff_file

Figure tradeoff_figure(const Question& question) {
  const Json asked = about_run(question, "tradeoff", {"tolerance", "memory"});
  const auto rows = rows_of(asked, "type_1_errors", "points", tradeoff_file::errors());
  const Json whole = api::evaluate(asked);
  Figure figure{.title = "Trade-off: the errors of the best test for a record",
                .subtitle = run_in_words(question),
                .x = {.label = "type I error (sees a record that is not there)", .from = 0, .to = 1},
                .y = {.label = "least type II error (misses it)", .from = 0, .to = 1}};
  figure.series.push_back({.name = "perfect privacy: no test beats guessing",
                           .shape = Shape::line,
                           .tone = Tone::reference,
                           .points = {at(0, 1), at(1, 0)}});
  Series remove = tradeoff_file::direction(
      rows, "remove", {.name = "exact, record removed", .shape = Shape::band, .tone = Tone::exact});
  Series add =
      tradeoff_file::direction(rows, "add", {.name = "exact, record added", .shape = Shape::band, .tone = Tone::other});
  if (tradeoff_file::are_close(remove, add)) {
    figure.series.push_back(tradeoff_file::direction(
        rows, nullptr, {.name = "exact (removed and added differ by less than 0.01)", .shape = Shape::band}));
  } else {
    figure.series.push_back(std::move(remove));
    figure.series.push_back(std::move(add));
  }
  figure.note = fmt::format("membership advantage (largest distance to the diagonal): at most {}",
                            rounded_up(interval_in(whole.at("advantage")).upper));
  return figure;
}

}  // namespace renyi::cli::plot
