// Draws epsilon against the number of steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <variant>

#include "api/cost.h"
#include "apps/cli/plot/answers.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"
#include "renyi/error.h"
#include "renyi/run.h"

namespace renyi::cli::plot {

namespace steps_file {
namespace {

using api::CostRequest;

constexpr int shown_points = 80;

// A step of these is an epoch.
bool is_epoch(const Step& step) {
  const auto* mechanism = std::get_if<Mechanism>(&step.what);
  return mechanism != nullptr && mechanism->sampling() != nullptr && is_by_epoch(mechanism->sampling()->scheme);
}

// If a run has one step, the count of that step is varied; any other run is repeated as a whole.
class Repeated {
 public:
  explicit Repeated(const Plan& plan) : plan_(plan), single_(plan.steps().size() == 1) {}

  std::int64_t count() const { return single_ ? plan_.steps()[0].count : 1; }
  const char* label() const {
    if (!single_) return "runs of the whole plan";
    return is_epoch(plan_.steps()[0]) ? "epochs" : "steps";
  }
  Plan times(std::int64_t count) const {
    Plan result(plan_.neighbors(), plan_.unit());
    if (!single_) return result.add(plan_, count);
    std::visit([&](const auto& what) { result.add(what, count); }, plan_.steps()[0].what);
    return result;
  }

 private:
  Plan plan_;
  bool single_;
};

// Returns counts from a hundredth to ten times the given one, without duplicates.
std::vector<std::int64_t> counts_around(std::int64_t count) {
  constexpr double most = 9e18;  // counts are below 2^63
  const auto now = static_cast<double>(count);
  const double from = std::max(1.0, std::round(now / 100)), to = std::min(most, std::max(100.0, now * 10));
  std::vector<std::int64_t> counts{count};
  for (const double value : by_ratio(from, to, shown_points)) counts.push_back(std::llround(value));
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

using Answers = std::vector<std::optional<Cost>>;

Point renyi_point(double x, const std::optional<Cost>& cost) { return at(x, cost ? cost->renyi->upper : std::nan("")); }

Point exact_point(double x, const std::optional<Cost>& cost) {
  if (!cost || !cost->exact) return at(x, std::nan(""));
  return {x, cost->exact->worst.lower, cost->exact->worst.upper};
}

Answers answers_at(const CostRequest& asked, const Repeated& run, const std::vector<std::int64_t>& counts) {
  std::vector<CostRequest> questions(counts.size(), asked);
  for (std::size_t i = 0; i < counts.size(); ++i) questions[i].plan = run.times(counts[i]);
  return answers_to_all(questions);
}

template <class Make>
Series series_of(const std::vector<double>& xs, const Answers& answers, Series series, const Make& point) {
  for (std::size_t i = 0; i < xs.size(); ++i) series.points.push_back(point(xs[i], answers[i]));
  return series;
}

// Adds the curves that there are at all.
void add_curves(Figure& figure, const Cost& now, const std::vector<double>& xs, const Answers& answers) {
  if (now.exact) {
    figure.series.push_back(
        series_of(xs, answers, {.name = "exact", .shape = Shape::band, .tone = Tone::exact}, exact_point));
  } else if (now.obstacle) {
    figure.note = "no exact figure: " + now.obstacle->why;
  }
  if (now.renyi) {
    figure.series.push_back(series_of(
        xs, answers, {.name = "Rényi (upper bound)", .shape = Shape::line, .tone = Tone::renyi}, renyi_point));
  }
}

CostRequest asked_in(const Question& question) {
  api::Document request =
      question.request.picked({"neighbors", "unit", "steps", "want", "tolerance", "memory", "orders", "conversion"});
  return api::read_epsilon_cost(request.set("delta", delta_of(question)));
}

// Returns how many epochs the steps make, by the part of the records that each step uses on average.
double epochs_of(const ResolvedRun& run) {
  const auto count = static_cast<double>(run.count.value_or(1));
  if (run.scheme && is_by_epoch(*run.scheme)) return count;
  double batch = 0, records = 0;
  for (const SchemeNumber& number : run.numbers) {
    if (number.rate) return count * *number.rate;
    if (number.name == "batch_size" && number.whole) batch = static_cast<double>(*number.whole);
    if (number.name == "dataset_size" && number.whole) records = static_cast<double>(*number.whole);
  }
  if (batch > 0 && records > 0) return count * batch / records;
  throw InvalidArgument("--sampling-rate", "nothing",
                        "a rate, or --batch-size and --dataset-size: epochs are passes over the data (for a plan, or "
                        "without sampling, ask for the kind steps)");
}

// Whole numbers of steps up to the count, from 1 on, closer to each other at the beginning, where the curve is steep.
std::vector<std::int64_t> counts_up_to(std::int64_t count) {
  std::vector<std::int64_t> counts;
  for (const double part : evenly(0, 1, shown_points)) {
    counts.push_back(std::max<std::int64_t>(1, std::llround(part * part * static_cast<double>(count))));
  }
  counts.back() = count;
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

}  // namespace
}  // namespace steps_file

Figure steps_figure(const Question& question) {
  const api::CostRequest asked = steps_file::asked_in(question);
  const Cost now = answer(asked);  // errors refer to the run as it was given
  const steps_file::Repeated run(asked.plan);
  const auto counts = steps_file::counts_around(run.count());
  Figure figure{.title = fmt::format("ε at δ = {}, against {}", in_figure(asked.at), run.label()),
                .subtitle = run_in_words(question),
                .x = {.label = run.label(), .log = true},
                .y = {.label = "ε", .log = true}};
  steps_file::add_curves(figure, now, {counts.begin(), counts.end()}, steps_file::answers_at(asked, run, counts));
  figure.series.push_back({.name = fmt::format("this run: {}", run.count()),
                           .shape = Shape::rule,
                           .tone = Tone::reference,
                           .points = {at(static_cast<double>(run.count()), 0)}});
  return figure;
}

Figure epochs_figure(const Question& question) {
  const double epochs = steps_file::epochs_of(question.run);
  const api::CostRequest asked = steps_file::asked_in(question);
  const Cost now = answer(asked);
  const steps_file::Repeated run(asked.plan);
  const auto counts = steps_file::counts_up_to(run.count());
  std::vector<double> xs;
  for (const std::int64_t count : counts) {
    xs.push_back(epochs * static_cast<double>(count) / static_cast<double>(run.count()));
  }
  Figure figure{.title = fmt::format("ε after each epoch, at δ = {}", in_figure(asked.at)),
                .subtitle = run_in_words(question),
                .x = {.label = "epochs", .from = 0, .to = epochs},
                .y = {.label = "ε", .from = 0}};
  steps_file::add_curves(figure, now, xs, steps_file::answers_at(asked, run, counts));
  for (Series& series : figure.series) {
    series.name += fmt::format(": {} at the end", in_figure_rounded_up(series.points.back().high));
  }
  return figure;
}

}  // namespace renyi::cli::plot
