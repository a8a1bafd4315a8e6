// Draws epsilon against the number of steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <variant>

#include "api/cost.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/plot/answers.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"

namespace renyi::cli::plot {

namespace steps_file {
namespace {

using api::CostRequest;

constexpr int shown_points = 80;

// With shuffled epochs, a step is an epoch.
bool is_shuffled(const Step& step) {
  const auto* mechanism = std::get_if<Mechanism>(&step.what);
  return mechanism != nullptr && mechanism->sampling() != nullptr && mechanism->sampling()->scheme == Scheme::shuffled;
}

// If a run has one step, the count of that step is varied; any other run is repeated as a whole.
class Repeated {
 public:
  explicit Repeated(const Plan& plan) : plan_(plan), single_(plan.steps().size() == 1) {}

  std::int64_t count() const { return single_ ? plan_.steps()[0].count : 1; }
  const char* label() const {
    if (!single_) return "runs of the whole plan";
    return is_shuffled(plan_.steps()[0]) ? "epochs" : "steps";
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
Series series_of(const std::vector<std::int64_t>& counts, const Answers& answers, Series series, const Make& point) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    series.points.push_back(point(static_cast<double>(counts[i]), answers[i]));
  }
  return series;
}

}  // namespace
}  // namespace steps_file

Figure steps_figure(const Question& question) {
  api::Document request =
      question.request.picked({"neighbors", "unit", "steps", "want", "tolerance", "memory", "orders", "conversion"});
  request.set("delta", delta_of(question));
  const api::CostRequest asked = api::read_epsilon_cost(request);
  const Cost now = answer(asked);  // errors refer to the run as it was given
  const steps_file::Repeated run(asked.plan);
  const auto counts = steps_file::counts_around(run.count());
  const auto answers = steps_file::answers_at(asked, run, counts);
  Figure figure{.title = fmt::format("Epsilon at delta = {}, against {}", rounded(asked.at), run.label()),
                .subtitle = run_in_words(question),
                .x = {.label = run.label(), .log = true},
                .y = {.label = "epsilon", .log = true}};
  if (now.exact) {
    figure.series.push_back(steps_file::series_of(
        counts, answers, {.name = "exact", .shape = Shape::band, .tone = Tone::exact}, steps_file::exact_point));
  } else if (now.obstacle) {
    figure.note = "no exact figure: " + now.obstacle->why;
  }
  if (now.renyi) {
    figure.series.push_back(steps_file::series_of(
        counts, answers, {.name = "Renyi (upper bound)", .shape = Shape::line, .tone = Tone::renyi},
        steps_file::renyi_point));
  }
  figure.series.push_back({.name = fmt::format("this run: {}", run.count()),
                           .shape = Shape::rule,
                           .tone = Tone::reference,
                           .points = {at(static_cast<double>(run.count()), 0)}});
  return figure;
}

}  // namespace renyi::cli::plot
