// Draws the Renyi divergence of a run against the order, and the best order for a delta.
#include "api/rdp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/cost.h"
#include "apps/cli/plot/kinds.h"
#include "apps/cli/plot/requests.h"
#include "renyi/papers/sampled_gaussian.h"

namespace renyi::cli::plot {

namespace rdp_file {
namespace {

constexpr int shown_points = 200;
constexpr double least_order = 1.01;
constexpr double without_best = 64;  // used if the best order is 1 or infinite

using api::RdpAnswer;
using api::RdpRequest;

Series curve(const RdpAnswer& answer, std::string name, Shape shape) {
  Series series{.name = std::move(name), .shape = shape, .tone = Tone::renyi};
  for (std::size_t i = 0; i < answer.orders.size(); ++i) {
    if (std::isfinite(answer.orders[i])) series.points.push_back(at(answer.orders[i], answer.upper[i]));
  }
  std::sort(series.points.begin(), series.points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  return series;
}

Figure empty_figure(const Question& question) {
  return {.title = "Rényi divergence at every order",
          .subtitle = run_in_words(question),
          .x = {.label = "order α", .log = true},
          .y = {.label = "Rényi divergence", .log = true}};
}

// Returns the name of the series, with the direction or the method if one was requested explicitly.
std::string name_of(const Question& question, const RdpOptions& options) {
  std::string name = "Rényi divergence, upper bound";
  if (options.direction) name += fmt::format(", {}", to_string(*options.direction));
  if (question.request.has("method")) name += fmt::format(", {}", to_string(*options.method));
  return name;
}

RdpRequest asked_of(const Question& question) {
  return api::read_rdp(run_of(question, {"direction", "method"}).set("orders", "traditional"));
}

RenyiBound best_bound(const Question& question) {
  api::CostRequest asked = api::read_epsilon_cost(run_of(question).set("delta", delta_of(question)));
  asked.options.exact = false;
  return answer(asked).renyi.value();
}

// Adds the divergence at the best order, and the epsilon that follows from it.
void mark_best(Figure& figure, RdpRequest asked, const RenyiBound& bound, double delta) {
  const std::string words = fmt::format("best order for δ = {}: {}, so ε ≤ {}", in_figure(delta),
                                        in_figure(bound.order), in_figure_rounded_up(bound.upper));
  if (!std::isfinite(bound.order)) {
    figure.note = words;
    return;
  }
  asked.orders = {bound.order};
  figure.series.push_back({.name = words,
                           .shape = Shape::dots,
                           .tone = Tone::highlight,
                           .points = {at(bound.order, answer(asked).upper.front())}});
}

}  // namespace
}  // namespace rdp_file

Figure rdp_figure(const Question& question) {
  const RenyiBound bound = rdp_file::best_bound(question);
  const double best = bound.order;
  const double last = std::isfinite(best) && best > rdp_file::least_order ? 4 * best : rdp_file::without_best;
  api::RdpRequest asked = rdp_file::asked_of(question);
  asked.orders = by_ratio(rdp_file::least_order, last, rdp_file::shown_points);
  Figure figure = rdp_file::empty_figure(question);
  figure.series.push_back(rdp_file::curve(answer(asked), rdp_file::name_of(question, asked.options), Shape::line));
  rdp_file::mark_best(figure, asked, bound, delta_of(question));
  return figure;
}

Figure rdp_points_figure(const Question& question) {
  const api::RdpRequest asked = api::read_rdp(question.request);
  Figure figure = rdp_file::empty_figure(question);
  figure.title = "Rényi divergence at the orders asked for";
  figure.series.push_back(rdp_file::curve(answer(asked), rdp_file::name_of(question, asked.options), Shape::dots));
  return figure;
}

}  // namespace renyi::cli::plot
