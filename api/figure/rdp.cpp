// Draws the Renyi divergence against the order: (a-1) D_a is convex in a.
#include "renyi/rdp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "api/figure/kinds.h"
#include "api/figure/words.h"
#include "api/number_text.h"
#include "renyi/papers/closed_form.h"
#include "renyi/papers/sampled_gaussian.h"

namespace renyi::api::figure {

namespace rdp_file {
namespace {

constexpr double least_order = 1.01;
constexpr double without_best = 64;  // used if the best order is 1 or infinite
constexpr std::size_t first_points = 9;

RenyiBound best_bound(const Subject& subject) {
  return epsilon(subject.run.plan, delta_of(subject.asked), {.exact = false}).renyi.value();
}

std::vector<Knot> knots_of(const Subject& subject, const Axis& x, const Axis& y) {
  const Analysis analysis(subject.run.plan);
  const Ask ask = [&](const std::vector<double>& orders) {
    std::vector<std::vector<Interval>> values;
    for (const Bounded& divergence : rdp(analysis, orders, subject.asked.rdp))
      values.push_back({divergence.interval()});
    return values;
  };
  Closeness close = subject.closeness();
  const auto [from, to] = subject.range;
  return convex_knots({.rule = Rule::log_moment, .y = y, .before = Point{1, 0}}, spread(x, from, to, first_points), ask,
                      close);
}

// Returns the name of the series, with the direction or the method if one was requested explicitly.
std::string name_of(const RdpOptions& options) {
  std::string name = "Rényi divergence, upper bound";
  if (options.direction) name += fmt::format(", {}", to_string(*options.direction));
  if (options.method) name += fmt::format(", {}", to_string(*options.method));
  return name;
}

// Adds the divergence at the best order, and the epsilon that follows from it.
void mark_best(Figure& figure, const Subject& subject) {
  const RenyiBound bound = best_bound(subject);
  const std::string words = fmt::format("best order for δ = {}: {}, so ε ≤ {}", in_figure(delta_of(subject.asked)),
                                        in_figure(bound.order), in_figure_rounded_up(bound.upper));
  if (!std::isfinite(bound.order)) {
    figure.note = words;
  } else if (bound.order >= subject.range.first && bound.order <= subject.range.second) {
    figure.marks.push_back({.x = bound.order,
                            .y = rdp(subject.run.plan, bound.order, subject.asked.rdp).upper(),
                            .text = words,
                            .role = Role::highlight});
  }
}

// The divergences at the orders that were asked for, without anything between them.
Series points_of(const Subject& subject) {
  Series series{.name = name_of(subject.asked.rdp), .role = Role::renyi, .shape = Shape::points};
  std::vector<double> orders = subject.asked.orders;
  std::sort(orders.begin(), orders.end());
  const auto divergences = rdp(subject.run.plan, orders, subject.asked.rdp);
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (std::isfinite(orders[i])) series.curve.add(orders[i], divergences[i].upper());
  }
  return series;
}

}  // namespace
}  // namespace rdp_file

Range rdp_range(const Subject& subject) {
  using namespace rdp_file;
  if (!subject.asked.orders.empty()) {
    double least = std::numeric_limits<double>::infinity(), most = 1;
    for (const double order : subject.asked.orders) {
      if (!std::isfinite(order)) continue;
      least = std::min(least, order);
      most = std::max(most, order);
    }
    return least < most ? Range{least, most} : Range{least_order, 2 * most};
  }
  const double best = best_bound(subject).order;
  return {least_order, std::isfinite(best) && best > least_order ? std::min(4 * best, 1e100) : without_best};
}

Figure rdp_figure(const Subject& subject) {
  Figure figure{.kind = "rdp",
                .title = "Rényi divergence at every order",
                .x = subject.x("order α", true),
                .y = subject.y("Rényi divergence", true)};
  if (!subject.asked.orders.empty()) {
    figure.title = "Rényi divergence at the orders asked for";
    figure.series.push_back(rdp_file::points_of(subject));
    return figure;
  }
  const auto knots = rdp_file::knots_of(subject, figure.x, figure.y);
  figure.series.push_back({.name = rdp_file::name_of(subject.asked.rdp),
                           .role = Role::renyi,
                           .curve = upper_ends(knots, 0, Rule::log_moment)});
  if (subject.alone) rdp_file::mark_best(figure, subject);
  return figure;
}

namespace rdp_file {
namespace {

constexpr double first_order = 1.05;

// Returns the smallest order at which a step violates the theorem's conditions; infinite if none does.
double end_of_conditions(const Plan& plan) {
  double least = std::numeric_limits<double>::infinity();
  const std::vector<double> any{2};
  for (const ClosedFormStep& step : compare_closed_form(plan, any).steps) least = std::min(least, step.end.order);
  return least;
}

// The closed form is proportional to the order; std::nullopt where it does not hold.
std::optional<Curve> closed_form(const Plan& plan, double from, double to) {
  const std::vector<double> ends{from, to};
  Curve curve{.rule = Rule::linear};
  for (const ClosedFormRow& row : compare_closed_form(plan, ends).rows) {
    if (!row.closed_form) return std::nullopt;
    curve.add(row.order, row.closed_form->upper());
  }
  return curve;
}

}  // namespace
}  // namespace rdp_file

// Covers the range of the conditions, and as much again on the logarithmic axis, where the exact curve may leave its
// straight line.
Range closed_form_range(const Subject& subject) {
  using namespace rdp_file;
  constexpr double beyond = 16, most = 1e4, usual = 256;
  const double end = end_of_conditions(subject.run.plan);
  return {first_order, std::isfinite(end) && end > 1 ? std::min(most, std::max(usual, beyond * end)) : usual};
}

// The closed form of Mironov, Talwar, Zhang 2019, Theorem 11, and the exact curve, as in Figure 1 of that paper.
Figure closed_form_figure(const Subject& subject) {
  using namespace rdp_file;
  Figure figure{.kind = "closed-form",
                .title = "Closed form and exact Rényi curve",
                .x = subject.x("order α", true),
                .y = subject.y("Rényi divergence", true)};
  const Plan& plan = subject.run.plan;
  const double end = end_of_conditions(plan);
  const auto knots = knots_of(subject, figure.x, figure.y);
  figure.series.push_back(
      {.name = "exact curve (upper bound)", .role = Role::exact, .curve = upper_ends(knots, 0, Rule::log_moment)});
  // The conditions hold below their end, not always at it.
  const auto [from, to] = subject.range;
  const double last = std::min(to, end * (1 - 1e-12));
  std::optional<Curve> closed;
  if (last > from) closed = closed_form(plan, from, last);
  if (closed) {
    figure.series.push_back({.name = "closed form 2q²α/σ² a step, where its conditions hold",
                             .role = Role::renyi,
                             .curve = *closed,
                             .dashed = true});
  }
  if (std::isfinite(end) && end > 1) {
    if (end <= to) {
      figure.marks.push_back({.x = end, .text = fmt::format("the conditions end: α = {}", rounded_down(end))});
    }
  } else if (!std::isfinite(end)) {
    figure.note = "the conditions hold at every order";
  } else {
    figure.note = "the closed form holds at no order: its conditions fail";
  }
  return figure;
}

}  // namespace renyi::api::figure
