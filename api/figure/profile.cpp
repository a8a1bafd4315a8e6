// Draws delta against epsilon, and epsilon against delta: by exact values, which are convex in (exp(epsilon), delta),
// and by the lines of Rényi orders.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "api/figure/costs.h"
#include "api/figure/kinds.h"
#include "api/figure/orders.h"
#include "api/figure/words.h"

namespace renyi::api::figure {

namespace profile_file {
namespace {

constexpr double least_delta = 1e-12;
constexpr std::size_t first_points = 9;

// Adds the exact curve or why there is none, and the Rényi bound.
void add_series(Figure& figure, const Costs& costs, const std::vector<Knot>& knots, const Convex& functions,
                std::optional<Curve> renyi) {
  if (costs.any_exact()) {
    Series exact{.name = "exact", .role = Role::exact, .curve = upper_ends(knots, 0, functions.rule)};
    const bool wide =
        std::any_of(knots.begin(), knots.end(), [&](const Knot& knot) { return is_wide(knot.y.front(), functions.y); });
    if (wide) exact.lower = lower_ends(knots, 0, functions);
    figure.series.push_back(std::move(exact));
  } else if (const std::string& why = costs.obstacle(); !why.empty()) {
    figure.note = "no exact figure: " + why;
  }
  if (renyi) {
    figure.series.push_back({.name = "Rényi (upper bound)", .role = Role::renyi, .curve = std::move(*renyi)});
  }
}

// The Rényi bound where it is no minimum of lines: it falls, so a step with the value of the left end is above it.
Curve stepped(Costs& costs, const Axis& x, const Axis& y, const Range& range) {
  const Ask ask = [&](const std::vector<double>& at) {
    std::vector<std::vector<Interval>> values;
    for (const Cost& cost : costs.renyi_at(at)) values.push_back({{0, cost.renyi->upper}});
    return values;
  };
  const Divide between = [&](double from, double to, std::size_t n) {
    auto points = spread(x, from, to, n + 1);
    return std::vector(points.begin() + 1, points.end() - 1);
  };
  const auto knots =
      monotone_knots(y, spread(x, range.first, range.second, 2 * first_points), ask, between, {.most = 400});
  return upper_ends(knots, 0, Rule::previous);
}

std::optional<Curve> renyi_curve(const Subject& subject, Costs& costs, const Axis& x, const Axis& y) {
  const CostOptions& options = subject.asked.cost;
  if (!options.renyi) return std::nullopt;
  const auto [from, to] = subject.range;
  const bool is_delta = costs.quantity() == Quantity::delta;
  if (!is_delta && !(from > 0)) return stepped(costs, x, y, subject.range);
  const auto ask = [&](const std::vector<double>& at) {
    std::vector<RenyiBound> bounds;
    for (const Cost& cost : costs.renyi_at(at)) bounds.push_back(*cost.renyi);
    return bounds;
  };
  const auto draw = [&, from = from, to = to](const Orders& orders) {
    return is_delta ? renyi_delta_curve(orders, from, to) : renyi_epsilon_curve(orders, from, to);
  };
  const auto curve = renyi_polygon(costs.analysis(), options, spread(x, from, to, 2 * first_points), y,
                                   subject.closeness().tolerance, ask, draw);
  return curve ? *curve : stepped(costs, x, y, subject.range);
}

Figure drawn(const Subject& subject, Figure figure, Quantity quantity, const Convex& functions) {
  Costs costs(subject.run.plan, quantity, subject.asked.cost);
  const auto start = spread(figure.x, subject.range.first, subject.range.second, first_points);
  std::vector<Knot> knots;
  if (subject.asked.cost.exact) {
    knots = convex_knots(
        functions, start, [&](const std::vector<double>& at) { return costs.exact_at(at); }, subject.closeness());
  }
  add_series(figure, costs, knots, functions, renyi_curve(subject, costs, figure.x, figure.y));
  return figure;
}

// Marks where both numbers meet, one of which was asked for.
void mark(Figure& figure, const Subject& subject, Quantity quantity) {
  const auto& given = quantity == Quantity::epsilon ? subject.asked.delta : subject.asked.epsilon;
  if (!given || !subject.alone) return;
  const Cost cost = Costs(subject.run.plan, quantity, subject.asked.cost).best_at(*given);
  if (!cost.exact && !cost.renyi) return;
  const bool is_epsilon = quantity == Quantity::epsilon;
  const double epsilon = is_epsilon ? cost.upper() : *given, delta = is_epsilon ? *given : cost.upper();
  const std::string text =
      is_epsilon ? fmt::format("δ = {} at ε = {} (rounded up)", in_figure(delta), in_figure_rounded_up(epsilon))
                 : fmt::format("ε = {} at δ = {} (rounded up)", in_figure(epsilon), in_figure_rounded_up(delta));
  const bool epsilon_is_x = figure.kind == "profile";
  figure.marks.push_back({.x = epsilon_is_x ? epsilon : delta,
                          .y = epsilon_is_x ? delta : epsilon,
                          .text = text,
                          .role = Role::highlight});
}

}  // namespace
}  // namespace profile_file

// The right end is the point at which delta is 1e-12 or as small as it becomes.
Range profile_range(const Subject& subject) {
  Costs costs(subject.run.plan, Quantity::epsilon, subject.asked.cost);
  for (const double delta : {profile_file::least_delta, 1e-9, 1e-6, 1e-3, 0.1, 0.5}) {
    const Cost cost = costs.best_at(delta);
    if (!cost.exact && !cost.renyi) continue;
    if (const double epsilon = cost.upper(); std::isfinite(epsilon) && epsilon > 0) return {0, epsilon};
  }
  return {0, 1};
}

Figure profile_figure(const Subject& subject) {
  Figure figure{.kind = "profile",
                .title = "Privacy profile: δ at every ε",
                .x = subject.x("ε", false),
                .y = subject.y("δ", true)};
  figure.y.to = 1;
  const Convex functions{.rule = Rule::linear_in_exp_x,
                         .y = figure.y,
                         .before = Point{-std::numeric_limits<double>::infinity(), 1},
                         .falls = true};
  figure = profile_file::drawn(subject, std::move(figure), Quantity::delta, functions);
  profile_file::mark(figure, subject, Quantity::epsilon);
  profile_file::mark(figure, subject, Quantity::delta);
  return figure;
}

Range epsilon_range(const Subject& /*subject*/) { return {profile_file::least_delta, 1}; }

Figure epsilon_figure(const Subject& subject) {
  Figure figure{.kind = "epsilon", .title = "ε at every δ", .x = subject.x("δ", true), .y = subject.y("ε", false)};
  const Convex functions{.rule = Rule::linear_in_exp_y, .y = figure.y, .falls = true};
  figure = profile_file::drawn(subject, std::move(figure), Quantity::epsilon, functions);
  profile_file::mark(figure, subject, Quantity::epsilon);
  return figure;
}

}  // namespace renyi::api::figure
