// Epsilon against the number of steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "apps/cli/flags/number.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"
#include "apps/cli/views/describe.h"

namespace renyi::cli::plot {

using api::Json;

namespace steps_file {
namespace {

constexpr int shown_points = 80;

// Shuffled, a step is an epoch.
bool is_shuffled(const Json& step) {
  const Json sampling = step.value("sampling", Json::object());
  return sampling.is_object() && sampling.value("scheme", "") == "shuffled";
}

// A run of one step is repeated as that step, any other as a whole.
class Repeated {
 public:
  explicit Repeated(const Json& steps) : steps_(steps), single_(steps.size() == 1) {}

  std::int64_t count() const { return single_ ? steps_[0].value("count", std::int64_t{1}) : 1; }
  const char* label() const {
    if (!single_) return "runs of the whole plan";
    return is_shuffled(steps_[0]) ? "epochs" : "steps";
  }
  Json times(std::int64_t count) const {
    Json step = single_ ? steps_[0] : Json{{"plan", steps_}};
    step["count"] = count;
    return Json::array({std::move(step)});
  }

 private:
  Json steps_;
  bool single_;
};

// From a hundredth to ten times as many, each once.
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

Point renyi_point(double x, const std::optional<Json>& answer) {
  return at(x, answer ? number_in(answer->at("renyi").at("epsilon")) : std::nan(""));
}

Point exact_point(double x, const std::optional<Json>& answer) {
  if (!answer || !is_there(*answer, "exact")) return at(x, std::nan(""));
  const Interval interval = interval_in(answer->at("exact"));
  return {x, interval.lower, interval.upper};
}

std::vector<std::optional<Json>> answers_at(const Json& asked, const Repeated& run,
                                            const std::vector<std::int64_t>& counts) {
  std::vector<Json> requests(counts.size(), asked);
  for (std::size_t i = 0; i < counts.size(); ++i) requests[i]["steps"] = run.times(counts[i]);
  return answers_to(requests);
}

template <class Make>
Series series_of(const std::vector<std::int64_t>& counts, const std::vector<std::optional<Json>>& answers,
                 Series series, const Make& point) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    series.points.push_back(point(static_cast<double>(counts[i]), answers[i]));
  }
  return series;
}

}  // namespace
}  // namespace steps_file

Figure steps_figure(const Question& question) {
  Json asked = about_run(question, "epsilon", {"want", "tolerance", "memory", "orders", "conversion"});
  asked["delta"] = delta_of(question);
  const Json now = api::evaluate(asked);  // errors are about the run as it was given
  const steps_file::Repeated run(asked.at("steps"));
  const auto counts = steps_file::counts_around(run.count());
  const auto answers = steps_file::answers_at(asked, run, counts);
  Figure figure{.title = fmt::format("Epsilon at delta = {}, against {}", rounded(delta_of(question)), run.label()),
                .subtitle = run_in_words(question),
                .x = {.label = run.label(), .log = true},
                .y = {.label = "epsilon", .log = true}};
  if (is_there(now, "exact")) {
    figure.series.push_back(steps_file::series_of(
        counts, answers, {.name = "exact", .shape = Shape::band, .tone = Tone::exact}, steps_file::exact_point));
  } else if (now.contains("exact")) {
    figure.note = "no exact figure: " + now.at("exact").at("unavailable").get<std::string>();
  }
  if (now.contains("renyi")) {
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
