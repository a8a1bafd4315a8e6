#include "api/figure/orders.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "api/figure/sampling.h"
#include "renyi/rdp.h"

namespace renyi::api::figure {
namespace orders_file {
namespace {

// Logarithms of delta are differences of numbers that are larger by up to the order, whose rounding is counted.
constexpr double rounding = 1e-15, difference = 2e-14;

// ln delta <= (a-1)(D_a - epsilon) + a ln(1 - 1/a) - ln(a-1) (tight), or without the last two terms (classical);
// rounded up.
double log_constant(const Orders::Order& one) {
  if (one.conversion == Conversion::classical) return 0;
  const double a = one.order * std::log1p(-1 / one.order), b = std::log(one.order - 1);
  return a - b + rounding * (std::abs(a) + std::abs(b));
}

// Lines of ln delta against epsilon.
std::vector<Line> delta_lines(const Orders& orders) {
  std::vector<Line> lines{{0, 0}};  // delta is at most 1
  for (const Orders::Order& one : orders.orders) {
    const double z = one.order - 1;
    lines.push_back({-z, z * one.divergence * (1 + difference) + log_constant(one)});
  }
  return lines;
}

// Lines of epsilon against ln delta.
std::vector<Line> epsilon_lines(const Orders& orders) {
  std::vector<Line> lines;
  for (const Orders::Order& one : orders.orders) {
    const double z = one.order - 1, constant = log_constant(one) / z;
    lines.push_back({-1 / z, one.divergence + constant + rounding * std::abs(constant)});
  }
  if (orders.largest_loss) lines.push_back({0, *orders.largest_loss});
  return lines;
}

// Lines of epsilon against the number of runs.
std::vector<Line> step_lines(const Orders& orders, double delta) {
  std::vector<Line> lines;
  for (const Orders::Order& one : orders.orders) {
    const double constant = (log_constant(one) - std::log(delta)) / (one.order - 1);
    lines.push_back({one.divergence, constant + 4 * rounding * std::abs(constant)});
  }
  if (orders.largest_loss) lines.push_back({*orders.largest_loss, 0});
  return lines;
}

// The largest delta that the total variation leaves at any epsilon: delta(0) <= sqrt(1 - exp(-D_1)).
double by_total_variation(double divergence) { return std::sqrt(-std::expm1(-divergence)) * (1 + 2 * rounding); }

// Adds the orders of bounds that are new. Returns false if a bound is no line.
bool add(Orders& orders, const Analysis& analysis, const std::vector<RenyiBound>& bounds) {
  for (const RenyiBound& bound : bounds) {
    if (bound.infinite_mass > 0 || bound.method) return false;
    const bool known = std::any_of(orders.orders.begin(), orders.orders.end(),
                                   [&](const Orders::Order& one) { return one.order == bound.order; });
    if (known || !std::isfinite(bound.upper) || !std::isfinite(bound.order) || !(bound.order > 1)) continue;
    orders.orders.push_back({bound.order, rdp(analysis, bound.order).upper(), bound.conversion});
  }
  return true;
}

// The corners, where a polygon is furthest above what it contains; of a jump, a place just before it. Where the polygon
// ends at 0, what it contains may have ended before.
std::vector<double> corners_of(const Curve& curve) {
  constexpr double beside = 1e-9;
  std::vector<double> corners;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const bool jumps = i + 1 < curve.size() && curve.x[i + 1] == curve.x[i];
    corners.push_back(jumps ? curve.x[i] * (1 - beside) : curve.x[i]);
    if (i > 0 && (curve.y[i] > beside) != (curve.y[i - 1] > beside)) {
      for (const double part : {0.5, 0.75, 0.9, 0.97}) {
        corners.push_back(curve.x[i - 1] + part * (curve.x[i] - curve.x[i - 1]));
      }
    }
  }
  return corners;
}

}  // namespace
}  // namespace orders_file

std::optional<Curve> renyi_polygon(const Analysis& analysis, const CostOptions& options,
                                   const std::vector<double>& start, const Axis& y, double tolerance,
                                   const AskBounds& ask, const DrawOrders& draw) {
  using namespace orders_file;
  Orders orders;
  if (!options.conversion.orders) {
    const double largest = rdp(analysis, std::numeric_limits<double>::infinity()).upper();
    if (std::isfinite(largest)) orders.largest_loss = largest;
    orders.first_divergence = rdp(analysis, 1).upper();
  }
  if (!add(orders, analysis, ask(start))) return std::nullopt;
  if (orders.orders.empty() && !orders.largest_loss) return std::nullopt;
  constexpr int rounds = 12;
  Curve curve = draw(orders);
  for (int round = 0; round < rounds; ++round) {
    const Height height(y, curve.y);
    const std::vector<double> corners = corners_of(curve);
    std::vector<RenyiBound> bounds = ask(corners), off;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (height(value_at(curve, corners[i])) - height(bounds[i].upper) > tolerance / 2) off.push_back(bounds[i]);
    }
    const std::size_t before = orders.orders.size();
    if (!add(orders, analysis, off)) return std::nullopt;
    if (orders.orders.size() == before) break;
    curve = draw(orders);
  }
  return curve;
}

Curve renyi_delta_curve(const Orders& orders, double from, double to) {
  Curve curve{.rule = Rule::linear_in_log_y};
  const double end = std::min(to, orders.largest_loss.value_or(to));
  if (end >= from) {
    auto lines = orders_file::delta_lines(orders);
    if (orders.first_divergence) {
      lines.push_back({0, std::log(orders_file::by_total_variation(*orders.first_divergence))});
    }
    for (const Point& corner : least_polygon(lines, from, end)) curve.add(corner.x, std::exp(corner.y));
  }
  if (end < to) {  // no loss is larger
    curve.add(std::max(from, end), 0);
    curve.add(to, 0);
  }
  return curve;
}

Curve renyi_epsilon_curve(const Orders& orders, double from, double to) {
  Curve curve{.rule = Rule::linear_in_log_x};
  double end = to;
  if (orders.first_divergence) end = std::clamp(orders_file::by_total_variation(*orders.first_divergence), from, to);
  const auto corners = maximum(least_polygon(orders_file::epsilon_lines(orders), std::log(from), std::log(end)),
                               {{std::log(from), 0}, {std::log(end), 0}});
  for (const Point& corner : corners) curve.add(std::exp(corner.x), corner.y);
  if (curve.empty()) return curve;
  curve.x.front() = from;
  curve.x.back() = end;
  if (end < to) {
    curve.add(end, 0);
    curve.add(to, 0);
  }
  return curve;
}

// The total variation leaves epsilon 0 as long as the divergences of order 1 add up to at most -ln(1 - delta^2).
Curve renyi_step_curve(const Orders& orders, double delta, double from, double to) {
  Curve curve{.rule = Rule::linear};
  double begin = from;
  if (orders.first_divergence && *orders.first_divergence > 0) {
    const double free = -std::log1p(-delta * delta) / *orders.first_divergence * (1 - 1e-12);
    begin = std::clamp(std::floor(free), from, to);
  }
  if (begin > from) {
    curve.add(from, 0);
    curve.add(begin, 0);
  }
  const auto corners = maximum(least_polygon(orders_file::step_lines(orders, delta), begin, to), {{begin, 0}, {to, 0}});
  for (const Point& corner : corners) curve.add(corner.x, corner.y);
  return curve;
}

}  // namespace renyi::api::figure
