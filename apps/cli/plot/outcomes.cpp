// Draws the largest probability of a bad outcome against its baseline probability.
#include <fmt/format.h>

#include <algorithm>

#include "api/explain.h"
#include "apps/cli/plot/answers.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"

namespace renyi::cli::plot {

namespace outcomes_file {
namespace {

constexpr const char* one_record = "one record";
constexpr int shown_points = 60;
constexpr double least_baseline = 1e-6;
constexpr double last_baseline = 0.9;
constexpr double below = 1e-3;  // the figure starts at this fraction of the smallest baseline

// Returns the request for the run and the baselines; the rest of the explanation is not drawn.
api::ExplainRequest asked_in(const Question& question) {
  api::ExplainRequest asked = api::read_explain(run_of(question, {"baseline"}));
  asked.options.orders = asked.options.factors = {};
  return asked;
}

// Returns the left end of the x axis: the usual one, or the smallest given baseline if that is smaller.
double first_baseline(const std::vector<double>& baselines) {
  return std::min(least_baseline, *std::min_element(baselines.begin(), baselines.end()));
}

// Names what neighbouring datasets differ by: one record, or all records of one user.
std::string changed_records(const Plan& plan) {
  return plan.unit() == 1 ? one_record : fmt::format("{} records", plan.unit());
}

// Computes the outcomes at these baselines on all cores, as far as they are available.
std::vector<Explanation> promises_at(const api::ExplainRequest& asked, const std::vector<double>& baselines) {
  std::vector<api::ExplainRequest> questions;
  for (auto& options : in_parts(asked.options, &ExplainOptions::baselines, baselines)) {
    questions.push_back({.plan = asked.plan, .options = std::move(options)});
  }
  std::vector<Explanation> all;
  for (const auto& found : answers_to_all(questions)) {
    if (found) all.push_back(found->promises);
  }
  return all;
}

template <class MakePoint>
Series series_of(const std::vector<Explanation>& parts, Series series, const MakePoint& point) {
  for (const Explanation& part : parts) {
    for (const OutcomePromise& outcome : part.outcomes) series.points.push_back(point(outcome));
  }
  return series;
}

Point exact_point(const OutcomePromise& outcome) {
  const Interval range = outcome.range();
  return {outcome.baseline, range.lower, range.upper};
}
Point upper_point(const OutcomePromise& outcome) { return at(outcome.baseline, outcome.best.upper.probability); }
Point lower_point(const OutcomePromise& outcome) { return at(outcome.baseline, outcome.best.lower.probability); }

}  // namespace
}  // namespace outcomes_file

Figure outcomes_figure(const Question& question) {
  const api::ExplainRequest asked = outcomes_file::asked_in(question);
  const double first = outcomes_file::first_baseline(asked.options.baselines);
  const auto parts =
      outcomes_file::promises_at(asked, by_ratio(first, outcomes_file::last_baseline, outcomes_file::shown_points));
  const std::string records = outcomes_file::changed_records(asked.plan);
  const bool one = records == outcomes_file::one_record;
  Figure figure{
      .title = fmt::format("How likely a bad outcome may become by {}", records),
      .subtitle = run_in_words(question),
      .x = {.label = one ? "probability without the record (or with it)" : "probability without them (or with them)",
            .log = true,
            .to = 1},
      .y = {.label = one ? "probability with it (or without)" : "probability with them (or without)",
            .log = true,
            .from = first * outcomes_file::below,
            .to = 1}};
  if (const std::string& obstacle = parts.front().exact_obstacle; obstacle.empty()) {
    figure.series.push_back(outcomes_file::series_of(
        parts, {.name = "exact", .shape = Shape::band, .tone = Tone::exact}, outcomes_file::exact_point));
  } else {
    figure.note = "no exact figure: " + obstacle;
  }
  figure.series.push_back(outcomes_file::series_of(
      parts, {.name = "Rényi bounds, upper and lower", .tone = Tone::renyi}, outcomes_file::upper_point));
  figure.series.push_back(outcomes_file::series_of(parts, {.tone = Tone::renyi}, outcomes_file::lower_point));
  figure.series.push_back({.name = "nothing changes", .tone = Tone::reference, .points = {at(first, first), at(1, 1)}});
  return figure;
}

}  // namespace renyi::cli::plot
