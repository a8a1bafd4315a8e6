// The Renyi curve of a run, and the order that is best for a delta.
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

using api::Json;

namespace rdp_file {
namespace {

constexpr int shown_points = 200;
constexpr double least_order = 1.01;
constexpr double without_best = 64;  // where the best order is 1 or infinite

Json with_orders(Json request, const std::vector<double>& orders) {
  request["orders"] = orders;
  return request;
}

Series curve(const Json& orders, const Json& values, std::string name, Shape shape) {
  Series series{.name = std::move(name), .shape = shape, .tone = Tone::renyi};
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (const double order = number_in(orders[i]); std::isfinite(order)) {
      series.points.push_back(at(order, number_in(values[i])));
    }
  }
  std::sort(series.points.begin(), series.points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  return series;
}

Figure empty_figure(const Question& question) {
  return {.title = "Renyi divergence at every order",
          .subtitle = run_in_words(question),
          .x = {.label = "order", .log = true},
          .y = {.label = "Renyi divergence", .log = true}};
}

// One direction or method was asked for by name.
std::string name_of(const Question& question) {
  const api::Json& request = api::opened(question.request);
  std::string name = "Renyi divergence, upper bound";
  for (const char* member : {"direction", "method"}) {
    if (request.contains(member)) name += ", " + request.at(member).get<std::string>();
  }
  return name;
}

Json asked(const Question& question) { return about_run(question, "rdp", {"direction", "method"}); }

Json best_bound(const Question& question) {
  Json request = about_run(question, "epsilon");
  request["delta"] = delta_of(question);
  request["want"] = {"renyi"};
  return api::evaluate(request).at("renyi");
}

// The divergence at the best order, and what follows from it.
void mark_best(Figure& figure, const Question& question, const Json& bound) {
  const double order = number_in(bound.at("order"));
  const std::string words = fmt::format("best order for delta = {}: {}, so epsilon <= {}", rounded(delta_of(question)),
                                        rounded(order), rounded_up(number_in(bound.at("epsilon"))));
  if (!std::isfinite(order)) {
    figure.note = words;
    return;
  }
  const Json values = api::evaluate(with_orders(asked(question), {order})).at("rdp");
  figure.series.push_back(
      {.name = words, .shape = Shape::dots, .tone = Tone::highlight, .points = {at(order, number_in(values.front()))}});
}

}  // namespace
}  // namespace rdp_file

Figure rdp_figure(const Question& question) {
  const Json bound = rdp_file::best_bound(question);
  const double best = number_in(bound.at("order"));
  const double last = std::isfinite(best) && best > rdp_file::least_order ? 4 * best : rdp_file::without_best;
  const auto orders = by_ratio(rdp_file::least_order, last, rdp_file::shown_points);
  const Json answer = api::evaluate(rdp_file::with_orders(rdp_file::asked(question), orders));
  Figure figure = rdp_file::empty_figure(question);
  figure.series.push_back(rdp_file::curve(Json(orders), answer.at("rdp"), rdp_file::name_of(question), Shape::line));
  rdp_file::mark_best(figure, question, bound);
  return figure;
}

Figure rdp_points_figure(const Question& question) {
  const Json& orders = api::opened(question.request).at("orders");
  const Json answer = api::evaluate(api::opened(question.request));
  Figure figure = rdp_file::empty_figure(question);
  figure.title = "Renyi divergence at the orders asked for";
  figure.series.push_back(rdp_file::curve(orders, answer.at("rdp"), rdp_file::name_of(question), Shape::dots));
  return figure;
}

}  // namespace renyi::cli::plot
