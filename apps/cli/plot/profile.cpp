// delta against epsilon.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "api/json/content.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"
#include "apps/cli/views/describe.h"

namespace renyi::cli::plot {

namespace profile_file {
namespace {

using api::Json;

constexpr int shown_points = 200;
constexpr double least_delta = 1e-12;

Json asked(const Question& question) {
  return about_run(question, "profile", {"want", "tolerance", "memory", "orders", "conversion"});
}

double best_upper(const Json& row, const char* figure) {
  return is_there(row, "exact") ? interval_in(row.at("exact")).upper : number_in(row.at("renyi").at(figure));
}

// As far as the epsilons asked for; else to where delta has become 1e-12, or as small as it becomes.
double last_epsilon(const Question& question) {
  double last = 0;
  if (api::opened(question.request).contains("epsilons")) {
    for (const Json& epsilon : api::opened(question.request).at("epsilons")) last = std::max(last, number_in(epsilon));
    if (last > 0) return last;
  }
  Json request = asked(question);
  request["deltas"] = {least_delta, 1e-9, 1e-6, 1e-3, 0.1, 0.5};
  const Json answer = api::evaluate(request);
  for (const Json& row : answer.at("at_deltas")) {
    if (last > 0 || (!is_there(row, "exact") && !is_there(row, "renyi"))) continue;
    if (const double epsilon = best_upper(row, "epsilon"); std::isfinite(epsilon)) last = epsilon;
  }
  return last > 0 ? last : 1;
}

Point exact_point(double epsilon, const Json& row) {
  if (!is_there(row, "exact")) return at(epsilon, std::nan(""));
  const Interval interval = interval_in(row.at("exact"));
  return {epsilon, interval.lower, interval.upper};
}

void add_series(Figure& figure, const std::vector<Json>& rows) {
  Series renyi{.name = "Renyi (upper bound)", .shape = Shape::line, .tone = Tone::renyi};
  Series exact{.name = "exact", .shape = Shape::band, .tone = Tone::exact};
  bool any = false;
  for (const Json& row : rows) {
    const double epsilon = number_in(row.at("epsilon"));
    if (row.contains("renyi")) renyi.points.push_back(at(epsilon, number_in(row.at("renyi").at("delta"))));
    if (row.contains("exact")) exact.points.push_back(exact_point(epsilon, row));
    any = any || is_there(row, "exact");
  }
  if (any) {
    figure.series.push_back(std::move(exact));
  } else if (!exact.points.empty()) {
    figure.note = "no exact figure: " + rows.front().at("exact").at("unavailable").get<std::string>();
  }
  if (!renyi.points.empty()) figure.series.push_back(std::move(renyi));
}

// Epsilon at the delta that was asked for.
void mark_delta(Figure& figure, const Question& question) {
  if (!api::opened(question.request).contains("delta")) return;
  Json request = asked(question);
  const double delta = delta_of(question);
  request["deltas"] = {delta};
  const Json row = api::evaluate(request).at("at_deltas").front();
  if (!is_there(row, "exact") && !is_there(row, "renyi")) return;
  const double epsilon = best_upper(row, "epsilon");
  figure.series.push_back(
      {.name = fmt::format("delta = {} at epsilon = {} (rounded up)", rounded(delta), rounded_up(epsilon)),
       .shape = Shape::dots,
       .tone = Tone::highlight,
       .points = {at(epsilon, delta)}});
}

}  // namespace
}  // namespace profile_file

Figure profile_figure(const Question& question) {
  const double last = profile_file::last_epsilon(question);
  Figure figure{.title = "Privacy profile: delta at every epsilon",
                .subtitle = run_in_words(question),
                .x = {.label = "epsilon", .from = 0, .to = last},
                .y = {.label = "delta", .log = true, .to = 1}};
  profile_file::add_series(figure, rows_of(profile_file::asked(question), "epsilons", "at_epsilons",
                                           evenly(0, last, profile_file::shown_points)));
  profile_file::mark_delta(figure, question);
  return figure;
}

}  // namespace renyi::cli::plot
