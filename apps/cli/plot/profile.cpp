// Draws delta against epsilon.
#include "api/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "apps/cli/plot/answers.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"

namespace renyi::cli::plot {

namespace profile_file {
namespace {

using api::ProfileRequest;

constexpr int shown_points = 200;
constexpr double least_delta = 1e-12;

bool has_figure(const Cost& cost) { return cost.exact || cost.renyi; }

std::vector<Cost> at_deltas(ProfileRequest asked, const std::vector<double>& deltas) {
  asked.epsilons.clear();
  asked.deltas = deltas;
  return answer(asked).at_deltas;
}

// Returns the right end of the x axis: the largest requested epsilon, or else the point at which delta is 1e-12 or as
// small as it becomes.
double last_epsilon(const ProfileRequest& asked) {
  double last = 0;
  for (const double epsilon : asked.epsilons) last = std::max(last, epsilon);
  if (last > 0) return last;
  for (const Cost& cost : at_deltas(asked, {least_delta, 1e-9, 1e-6, 1e-3, 0.1, 0.5})) {
    if (last > 0 || !has_figure(cost)) continue;
    if (const double epsilon = cost.upper(); std::isfinite(epsilon)) last = epsilon;
  }
  return last > 0 ? last : 1;
}

std::vector<Cost> points_up_to(const ProfileRequest& asked, double last) {
  std::vector<Cost> points;
  const auto parts = in_parts(asked, &ProfileRequest::epsilons, evenly(0, last, shown_points));
  for (auto& part : answers_to_all(parts)) {
    if (part) points.insert(points.end(), part->at_epsilons.begin(), part->at_epsilons.end());
  }
  return points;
}

Point exact_point(const Cost& cost) {
  if (!cost.exact) return at(cost.at, std::nan(""));
  return {cost.at, cost.exact->worst.lower, cost.exact->worst.upper};
}

void add_series(Figure& figure, const std::vector<Cost>& points) {
  Series renyi{.name = "Rényi (upper bound)", .shape = Shape::line, .tone = Tone::renyi};
  Series exact{.name = "exact", .shape = Shape::band, .tone = Tone::exact};
  bool any = false;
  for (const Cost& cost : points) {
    if (cost.renyi) renyi.points.push_back(at(cost.at, cost.renyi->upper));
    if (cost.exact || cost.obstacle) exact.points.push_back(exact_point(cost));
    any = any || cost.exact;
  }
  if (any) {
    figure.series.push_back(std::move(exact));
  } else if (!exact.points.empty()) {
    figure.note = "no exact figure: " + points.front().unavailable();
  }
  if (!renyi.points.empty()) figure.series.push_back(std::move(renyi));
}

// Adds the epsilon at the requested delta.
void mark_delta(Figure& figure, const ProfileRequest& asked, double delta) {
  const Cost cost = at_deltas(asked, {delta}).front();
  if (!has_figure(cost)) return;
  const double epsilon = cost.upper();
  figure.series.push_back(
      {.name = fmt::format("δ = {} at ε = {} (rounded up)", in_figure(delta), in_figure_rounded_up(epsilon)),
       .shape = Shape::dots,
       .tone = Tone::highlight,
       .points = {at(epsilon, delta)}});
}

}  // namespace
}  // namespace profile_file

Figure profile_figure(const Question& question) {
  const api::ProfileRequest asked =
      api::read_profile(run_of(question, {"epsilons", "want", "tolerance", "memory", "orders", "conversion"}));
  const double last = profile_file::last_epsilon(asked);
  Figure figure{.title = "Privacy profile: δ at every ε",
                .subtitle = run_in_words(question),
                .x = {.label = "ε", .from = 0, .to = last},
                .y = {.label = "δ", .log = true, .to = 1}};
  profile_file::add_series(figure, profile_file::points_up_to(asked, last));
  if (question.request.has("delta")) profile_file::mark_delta(figure, asked, delta_of(question));
  return figure;
}

}  // namespace renyi::cli::plot
