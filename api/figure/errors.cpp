// Draws what the exact privacy profile says about tests and events: the trade-off of two errors, the true positive
// rate, and the probability of a bad outcome. All are minima or maxima of the lines of (epsilon, delta) pairs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "api/figure/costs.h"
#include "api/figure/kinds.h"
#include "api/figure/lines.h"
#include "api/figure/words.h"
#include "renyi/error.h"
#include "renyi/explain.h"
#include "renyi/tradeoff.h"

namespace renyi::api::figure {

namespace errors_file {
namespace {

// The pairs (epsilon, delta) of both directions.
struct Guarantee {
  double epsilon = 0;
  double remove = 1;
  double add = 1;
};

// Guarantees such that delta between them is known to the tolerance, relative to delta down to `least` if that is above
// 0, else absolutely; up to where delta is below that.
std::vector<Guarantee> guarantees_of(const Subject& subject, double least) {
  Costs costs(subject.run.plan, Quantity::delta, subject.asked.cost);
  // A lower end is a difference of delta and of a number near it.
  constexpr double share = 0.1;
  Closeness close = subject.closeness();
  if (least > 0) close = {share * close.tolerance, 400};
  const double tolerance = close.tolerance;
  const double negligible = least > 0 ? least : tolerance / 4;
  Costs inverse(subject.run.plan, Quantity::epsilon, subject.asked.cost);
  double last = 0;
  for (const double delta : {negligible, 0.1, 0.5, 0.9}) {
    const Cost cost = inverse.best_at(delta);
    if (!cost.exact) throw Unsupported("steps", cost.unavailable(), "give the mechanism itself");
    if (!std::isfinite(cost.exact->worst.upper)) continue;
    last = cost.exact->worst.upper;
    break;
  }
  // A relative gap in delta is a relative gap in the outcome. The height of a logarithmic axis has many such.
  const Axis height{.log = least > 0, .from = least > 0 ? std::optional(least) : std::optional(0.0), .to = 1};
  const Convex functions{.rule = Rule::linear_in_exp_x,
                         .y = height,
                         .before = Point{-std::numeric_limits<double>::infinity(), 1},
                         .falls = true};
  std::vector<double> start = last > 0 ? evenly(0, last, 7) : std::vector<double>{0};
  std::vector<Guarantee> all;
  const Ask ask = [&](const std::vector<double>& at) { return costs.both_at(at); };
  for (const Knot& knot : convex_knots(functions, start, ask, close)) {
    all.push_back({knot.x, std::min(1.0, knot.y[0].upper), std::min(1.0, knot.y[1].upper)});
  }
  if (!costs.any_exact()) throw Unsupported("steps", costs.obstacle(), "give the mechanism itself");
  return all;
}

// The guarantees of the Renyi bound, which holds in both directions, for plans that have no exact profile.
std::vector<Guarantee> renyi_guarantees_of(const Subject& subject, double negligible) {
  constexpr std::size_t pairs = 64;
  Costs inverse(subject.run.plan, Quantity::epsilon, subject.asked.cost);
  double last = 0;
  for (const Cost& cost : inverse.renyi_at({negligible, 0.1, 0.5, 0.9})) {
    if (last == 0 && std::isfinite(cost.renyi->upper)) last = cost.renyi->upper;
  }
  const std::vector<double> epsilons = last > 0 ? evenly(0, last, pairs) : std::vector<double>{0};
  const auto costs = Costs(subject.run.plan, Quantity::delta, subject.asked.cost).renyi_at(epsilons);
  std::vector<Guarantee> all;
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    const double delta = std::min(1.0, costs[i].renyi->upper);
    all.push_back({epsilons[i], delta, delta});
  }
  return all;
}

// What 1 - delta and a sum of two such numbers lose in rounding, and what the factor exp(epsilon) loses.
constexpr double rounding = 4e-16;

// The type II error of every test of type I error a is at least 1 - delta - exp(epsilon) a, by the pair of its own
// direction, and at least exp(-epsilon) (1 - delta' - a), by that of the other.
std::vector<Line> error_lines(const std::vector<Guarantee>& all, double Guarantee::*own, double Guarantee::*other) {
  std::vector<Line> lines{{0, 0}};
  for (const Guarantee& one : all) {
    const double factor = std::exp(one.epsilon);
    if (std::isfinite(factor)) lines.push_back({-factor * (1 + rounding), 1 - one.*own - rounding});
    lines.push_back({-(1 + rounding) / factor, (1 - one.*other - rounding) / factor});
  }
  return lines;
}

std::vector<Point> least_errors(const std::vector<Guarantee>& all, Direction direction, double from, double to) {
  const bool remove = direction == Direction::remove;
  return greatest_polygon(
      error_lines(all, remove ? &Guarantee::remove : &Guarantee::add, remove ? &Guarantee::add : &Guarantee::remove),
      from, to);
}

bool are_close(const std::vector<Point>& a, const std::vector<Point>& b) {
  constexpr double visible = 0.01;  // curves that differ by less look the same
  const Curve first = curve_of(a, Rule::linear), second = curve_of(b, Rule::linear);
  const auto differ = [&](double x) { return !(std::abs(value_at(first, x) - value_at(second, x)) < visible); };
  return std::none_of(first.x.begin(), first.x.end(), differ) && std::none_of(second.x.begin(), second.x.end(), differ);
}

std::vector<Point> upside_down(std::vector<Point> points, double from) {
  for (Point& point : points) point.y = from - point.y;
  return points;
}

// The smaller one of two lower bounds.
std::vector<Point> minimum(const std::vector<Point>& a, const std::vector<Point>& b) {
  return upside_down(maximum(upside_down(a, 0), upside_down(b, 0)), 0);
}

// An outcome of probability p becomes at most delta + exp(epsilon) p likely, and at most 1 - exp(-epsilon)(1-delta-p).
std::vector<Line> upper_lines(const std::vector<Guarantee>& all, double Guarantee::*own, double Guarantee::*other) {
  std::vector<Line> lines{{0, 1}};
  for (const Guarantee& one : all) {
    const double factor = std::exp(one.epsilon);
    if (std::isfinite(factor)) lines.push_back({factor * (1 + rounding), one.*own});
    lines.push_back({(1 + rounding) / factor, (1 + rounding) * (-std::expm1(-one.epsilon) + one.*other / factor)});
  }
  return lines;
}

std::vector<Point> largest_powers(const std::vector<Guarantee>& all, Direction direction, double from, double to) {
  const bool remove = direction == Direction::remove;
  return least_polygon(
      upper_lines(all, remove ? &Guarantee::remove : &Guarantee::add, remove ? &Guarantee::add : &Guarantee::remove),
      from, to);
}

// At least exp(-epsilon)(p - delta), and at least 1 - delta - exp(epsilon)(1-p).
std::vector<Line> lower_lines(const std::vector<Guarantee>& all, double Guarantee::*own, double Guarantee::*other) {
  std::vector<Line> lines{{0, 0}};
  for (const Guarantee& one : all) {
    const double factor = std::exp(one.epsilon);
    lines.push_back({(1 - rounding) / factor, -(1 + rounding) * (one.*own) / factor});
    if (std::isfinite(factor)) {
      lines.push_back({factor, -std::expm1(one.epsilon) - one.*other - 4 * rounding * factor});
    }
  }
  return lines;
}

Series best_test(const std::vector<Point>& points, std::string name, Role role, Bound bound) {
  return {.name = std::move(name), .role = role, .bound = bound, .curve = curve_of(points, Rule::linear)};
}

void add_directions(Figure& figure, const std::vector<Point>& remove, const std::vector<Point>& add, Bound bound) {
  const bool lower = bound == Bound::lower;
  if (are_close(remove, add)) {
    figure.series.push_back(best_test(lower ? minimum(remove, add) : maximum(remove, add),
                                      "exact (removed and added differ by less than 0.01)", Role::exact, bound));
  } else {
    figure.series.push_back(best_test(remove, "exact, record removed", Role::exact, bound));
    figure.series.push_back(best_test(add, "exact, record added", Role::other, bound));
  }
}

Series straight(std::string name, Point from, Point to) {
  Series series{.name = std::move(name), .role = Role::reference, .bound = Bound::estimate};
  series.curve.add(from.x, from.y);
  series.curve.add(to.x, to.y);
  return series;
}

void note_advantage(Figure& figure, const Subject& subject) {
  const double most = advantage(subject.run.plan, subject.asked.cost.exactness).upper;
  figure.note = fmt::format("membership advantage at most {}", in_figure_rounded_up(most));
}

// Adds the best tests by the exact profile, or by the Renyi bound where there is none. `best` returns the points of one
// direction by these guarantees.
template <class Best>
void add_tests(Figure& figure, const Subject& subject, Bound bound, const Best& best) {
  const double least = figure.y.log ? 1e-6 : 0;
  try {
    const auto all = guarantees_of(subject, least);
    add_directions(figure, best(all, Direction::remove), best(all, Direction::add), bound);
    note_advantage(figure, subject);
  } catch (const Unsupported& error) {
    if (!subject.asked.cost.renyi) throw;
    const auto all = renyi_guarantees_of(subject, least > 0 ? least : subject.closeness().tolerance / 4);
    figure.series.push_back(best_test(best(all, Direction::remove),
                                      bound == Bound::lower ? "Rényi (lower bound)" : "Rényi (upper bound)",
                                      Role::renyi, bound));
    figure.note = "no exact figure: " + error.why();
  }
}

}  // namespace
}  // namespace errors_file

Range errors_range(const Subject& subject) { return {subject.asked.x_log.value_or(false) ? 1e-6 : 0, 1}; }

Figure tradeoff_figure(const Subject& subject) {
  using namespace errors_file;
  Figure figure{.kind = "tradeoff",
                .title = "Trade-off: the errors of the best test for a record",
                .x = subject.x("type I error (sees a record that is not there)", false),
                .y = subject.y("least type II error (misses it)", false)};
  figure.y.to = 1;
  figure.y.from = figure.y.log ? 1e-6 : 0;
  const auto [from, to] = subject.range;
  figure.series.push_back(straight("perfect privacy: no test beats guessing", {from, 1 - from}, {to, 1 - to}));
  add_tests(figure, subject, Bound::lower,
            [from = from, to = to](const std::vector<Guarantee>& all, Direction direction) {
              return least_errors(all, direction, from, to);
            });
  return figure;
}

Figure roc_figure(const Subject& subject) {
  using namespace errors_file;
  Figure figure{.kind = "roc",
                .title = "The best attacker: who sees a record that is there",
                .x = subject.x("false positive rate", false),
                .y = subject.y("largest true positive rate", false)};
  figure.y.to = 1;
  if (!figure.y.log) figure.y.from = 0;
  const auto [from, to] = subject.range;
  figure.series.push_back(straight("perfect privacy: guessing", {from, from}, {to, to}));
  add_tests(figure, subject, Bound::upper,
            [from = from, to = to](const std::vector<Guarantee>& all, Direction direction) {
              return largest_powers(all, direction, from, to);
            });
  return figure;
}

namespace errors_file {
namespace {

constexpr double least_baseline = 1e-6;
constexpr double last_baseline = 0.9;
constexpr double below = 1e-3;  // the y axis starts at this fraction of the smallest baseline
constexpr std::size_t tangents = 48;

// Names what neighbouring datasets differ by: one record, or all records of one user.
std::string changed_records(const Plan& plan) {
  return plan.unit() == 1 ? "one record" : fmt::format("{} records", plan.unit());
}

// The exact probabilities, the larger of both directions from above and the smaller from below.
Series exact_series(const Subject& subject, double lowest) {
  const auto [from, to] = subject.range;
  const auto all = errors_file::guarantees_of(subject, lowest);
  const auto ends = [&, from = from, to = to](auto lines_of, auto envelope) {
    return std::pair(envelope(lines_of(all, &Guarantee::remove, &Guarantee::add), from, to),
                     envelope(lines_of(all, &Guarantee::add, &Guarantee::remove), from, to));
  };
  const auto [upper, upper_too] = ends(errors_file::upper_lines, least_polygon);
  const auto [lower, lower_too] = ends(errors_file::lower_lines, greatest_polygon);
  return {.name = "exact",
          .role = Role::exact,
          .curve = curve_of(maximum(upper, upper_too), Rule::linear),
          .lower = curve_of(errors_file::minimum(lower, lower_too), Rule::linear)};
}

// A Rényi divergence of one order.
struct Order {
  double order = 1;
  double divergence = 0;
};
using Orders = std::vector<Order>;

// The best orders at the baselines, others around and between them, and infinity, in one direction.
Orders orders_of(const Subject& subject, const std::vector<double>& baselines, Direction direction) {
  const Analysis analysis(subject.run.plan);
  std::vector<double> all{std::numeric_limits<double>::infinity()};
  double most = 2;
  const Explanation found = explain(analysis, {.baselines = baselines, .orders = {}, .factors = {}, .exact = false});
  for (const OutcomePromise& outcome : found.outcomes) {
    for (const double order : {outcome.best.upper.order, outcome.best.lower.order}) {
      if (!(order > 1) || !std::isfinite(order)) continue;
      all.push_back(order);
      most = std::max(most, order);
    }
  }
  constexpr double least = 1e-3;
  for (const double z : by_ratio(least, 2 * most, tangents)) all.push_back(1 + z);
  const auto divergences = rdp(analysis, all, {.direction = direction});
  Orders orders;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::isfinite(divergences[i].upper())) orders.push_back({all[i], divergences[i].upper()});
  }
  return orders;
}

// ln P <= ((a-1)/a) (ln p + D_a) and ln P >= (a/(a-1)) ln p - D_a, as lines of ln P against ln p.
Line rising(const Order& one) {
  const double part = std::isinf(one.order) ? 1 : (one.order - 1) / one.order;
  return {part, part * one.divergence};
}
Line falling(const Order& one) { return {std::isinf(one.order) ? 1 : one.order / (one.order - 1), -one.divergence}; }
std::vector<Line> lines_of(const std::vector<Order>& orders, Line (*line)(const Order&)) {
  std::vector<Line> lines;
  for (const Order& one : orders) lines.push_back(line(one));
  return lines;
}

// A bound in one direction as curves of two rules: that of the direct lines, and that of the lines of the complement.
struct Ends {
  Curve direct{.rule = Rule::log_log};
  Curve complement{.rule = Rule::log_log_complement};
};

// P <= 1 - exp(the lower end at 1-p) and P >= 1 - exp(the upper end at 1-p), each with the divergence of the other
// direction.
Ends ends_of(const Orders& own, const Orders& other, const Range& range, bool upper) {
  const auto best = [](const Orders& orders, bool is_upper, double from, double to) {
    auto lines = lines_of(orders, is_upper ? rising : falling);
    if (is_upper) lines.push_back({0, 0});
    return is_upper ? least_polygon(lines, from, to) : greatest_polygon(lines, from, to);
  };
  const auto [from, to] = range;
  Ends ends;
  for (const Point& corner : best(upper ? own : other, upper, std::log(from), std::log(to))) {
    ends.direct.add(std::exp(corner.x), std::exp(corner.y));
  }
  auto corners = best(upper ? other : own, !upper, std::log1p(-to), std::log1p(-from));
  std::reverse(corners.begin(), corners.end());
  for (const Point& corner : corners) ends.complement.add(-std::expm1(corner.x), -std::expm1(corner.y));
  for (Curve* curve : {&ends.direct, &ends.complement}) {  // the ends are the same up to rounding
    if (curve->empty()) continue;
    curve->x.front() = from;
    curve->x.back() = to;
  }
  return ends;
}

// Cuts a curve to [from, to].
Curve part_of(const Curve& curve, double from, double to, bool up) {
  Curve part{.rule = curve.rule};
  const auto add = [&](double x) { part.add(x, value_at(curve, x, up)); };
  add(from);
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve.x[i] > from && curve.x[i] < to) part.add(curve.x[i], curve.y[i]);
  }
  if (to > from) add(to);
  return part;
}

// In each direction the better end counts, and of both directions the worse one. Returns which of the curves that is.
const Curve& end_at(const std::array<Ends, 2>& directions, double x, bool up) {
  const Curve* found = nullptr;
  double value = 0;
  for (const Ends& ends : directions) {
    const double direct = value_at(ends.direct, x, up), complement = value_at(ends.complement, x, up);
    const bool by_direct = up ? direct <= complement : direct >= complement;
    const double best = by_direct ? direct : complement;
    if (found != nullptr && (up ? best <= value : best >= value)) continue;
    found = by_direct ? &ends.direct : &ends.complement;
    value = best;
  }
  return *found;
}

// Adds these ends in as many pieces as it takes.
void add_ends(Figure& figure, const std::array<Ends, 2>& directions, const std::string& name, bool up) {
  // Between the corners of all curves, two of them may cross twice.
  constexpr std::size_t probes = 8;
  std::vector<double> corners, xs;
  for (const Ends& ends : directions) {
    corners.insert(corners.end(), ends.direct.x.begin(), ends.direct.x.end());
    corners.insert(corners.end(), ends.complement.x.begin(), ends.complement.x.end());
  }
  std::sort(corners.begin(), corners.end());
  for (std::size_t i = 1; i < corners.size(); ++i) {
    if (corners[i] == corners[i - 1]) continue;
    const auto between = evenly(corners[i - 1], corners[i], probes + 1);
    xs.insert(xs.end(), between.begin(), between.end() - 1);
  }
  xs.push_back(corners.back());
  double begin = xs.front();
  const Curve* now = &end_at(directions, begin, up);
  bool named = true;
  const auto add = [&](double end) {
    figure.series.push_back({.name = named ? name : "",
                             .role = Role::renyi,
                             .bound = up ? Bound::upper : Bound::lower,
                             .curve = part_of(*now, begin, end, up)});
    named = false;
    begin = end;
  };
  for (std::size_t i = 1; i < xs.size(); ++i) {
    while (&end_at(directions, xs[i], up) != now && begin < xs[i]) {
      double a = std::max(begin, xs[i - 1]), b = xs[i];
      for (int n = 0; n < 60; ++n) {
        const double middle = a + (b - a) / 2;
        (&end_at(directions, middle, up) == now ? a : b) = middle;
      }
      add(b);
      now = &end_at(directions, b, up);
    }
  }
  add(xs.back());
}

}  // namespace
}  // namespace errors_file

// The left end is the usual one, or the smallest given baseline if that is smaller.
Range outcomes_range(const Subject& subject) {
  using namespace errors_file;
  double least = least_baseline;
  for (const double baseline : subject.asked.baselines) least = std::min(least, baseline);
  return {least, last_baseline};
}

Figure outcomes_figure(const Subject& subject) {
  using namespace errors_file;
  const std::string records = changed_records(subject.run.plan);
  const bool one = subject.run.plan.unit() == 1;
  const auto [from, to] = subject.range;
  Figure figure{
      .kind = "outcomes",
      .title = fmt::format("How likely a bad outcome may become by {}", records),
      .x = subject.x(one ? "probability without the record (or with it)" : "probability without them (or with them)",
                     true),
      .y = subject.y(one ? "probability with it (or without)" : "probability with them (or without)", true)};
  if (figure.x.log) figure.x.to = 1;
  const double lowest = std::max(from, 1e-300) * below;
  figure.y.from = figure.y.log ? lowest : 0;
  figure.y.to = 1;
  try {
    figure.series.push_back(exact_series(subject, lowest));
  } catch (const Unsupported& error) {
    figure.note = "no exact figure: " + error.why();
  }
  const auto baselines = by_ratio(from, to, tangents);
  const Orders remove = orders_of(subject, baselines, Direction::remove);
  const Orders add = orders_of(subject, baselines, Direction::add);
  for (const bool up : {true, false}) {
    add_ends(figure, {ends_of(remove, add, subject.range, up), ends_of(add, remove, subject.range, up)},
             up ? "Rényi bounds, upper and lower" : "", up);
  }
  figure.series.push_back(errors_file::straight("nothing changes", {from, from}, {1, 1}));
  return figure;
}

}  // namespace renyi::api::figure
