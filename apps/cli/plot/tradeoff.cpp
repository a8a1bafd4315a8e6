// Draws the type II error against the type I error of the best test that distinguishes neighbouring datasets.
#include "api/tradeoff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/cli/plot/answers.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"

namespace renyi::cli::plot {

namespace tradeoff_file {
namespace {

constexpr int shown_points = 100;

// Returns points from 0 to 1, denser near both ends, where the curve is steep or flat.
std::vector<double> errors() {
  std::vector<double> values;
  for (const double t : evenly(0, std::numbers::pi, shown_points)) values.push_back((1 - std::cos(t)) / 2);
  return values;
}

// Computes the points at these errors on all cores, as far as they are available.
std::vector<TradeoffPoint> points_at(const api::TradeoffRequest& asked, const std::vector<double>& errors) {
  std::vector<TradeoffPoint> all;
  for (const auto& found : answers_to_all(in_parts(asked, &api::TradeoffRequest::type_one_errors, errors))) {
    if (found) all.insert(all.end(), found->points.begin(), found->points.end());
  }
  return all;
}

// `which` selects one direction, or the worse one at each point.
Series curve(const std::vector<TradeoffPoint>& points, LeastError TradeoffPoint::*which, Series series) {
  for (const TradeoffPoint& point : points) {
    const Interval& least = (point.*which).type_two;
    series.points.push_back({point.type_one, least.lower, least.upper});
  }
  return series;
}

bool are_close(const Series& a, const Series& b) {
  constexpr double visible = 0.01;  // curves that differ by less look the same
  return std::equal(a.points.begin(), a.points.end(), b.points.begin(), [](const Point& p, const Point& q) {
    return std::abs(p.high - q.high) < visible && std::abs(p.low - q.low) < visible;
  });
}

}  // namespace
}  // namespace tradeoff_file

Figure tradeoff_figure(const Question& question) {
  const api::TradeoffRequest asked = api::read_tradeoff(run_of(question, {"tolerance", "memory"}));
  const auto points = tradeoff_file::points_at(asked, tradeoff_file::errors());
  Figure figure{.title = "Trade-off: the errors of the best test for a record",
                .subtitle = run_in_words(question),
                .x = {.label = "type I error (sees a record that is not there)", .from = 0, .to = 1},
                .y = {.label = "least type II error (misses it)", .from = 0, .to = 1}};
  figure.series.push_back({.name = "perfect privacy: no test beats guessing",
                           .shape = Shape::line,
                           .tone = Tone::reference,
                           .points = {at(0, 1), at(1, 0)}});
  Series remove = tradeoff_file::curve(points, &TradeoffPoint::remove,
                                       {.name = "exact, record removed", .shape = Shape::band, .tone = Tone::exact});
  Series add = tradeoff_file::curve(points, &TradeoffPoint::add,
                                    {.name = "exact, record added", .shape = Shape::band, .tone = Tone::other});
  if (tradeoff_file::are_close(remove, add)) {
    figure.series.push_back(
        tradeoff_file::curve(points, &TradeoffPoint::worst,
                             {.name = "exact (removed and added differ by less than 0.01)", .shape = Shape::band}));
  } else {
    figure.series.push_back(std::move(remove));
    figure.series.push_back(std::move(add));
  }
  figure.note =
      fmt::format("membership advantage at most {}", in_figure_rounded_up(advantage(asked.plan, asked.options).upper));
  return figure;
}

}  // namespace renyi::cli::plot
