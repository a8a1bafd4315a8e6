// Draws epsilon against the number of steps or epochs. The exact epsilon rises with the steps and need not be concave,
// so between its points it is a step; the Rényi bound of one order is a line.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <variant>

#include "api/figure/costs.h"
#include "api/figure/kinds.h"
#include "api/figure/orders.h"
#include "api/figure/repeated.h"
#include "api/figure/words.h"
#include "renyi/error.h"
#include "renyi/papers/composition_theorems.h"

namespace renyi::api::figure {

namespace steps_file {
namespace {

constexpr std::size_t first_points = 17;
constexpr std::size_t most_points = 400;  // a step a pixel
constexpr std::size_t tangents = 24;

std::vector<double> whole_numbers(const Axis& axis, double from, double to, std::size_t n) {
  std::vector<double> counts;
  for (const double x : spread(axis, from, to, n)) counts.push_back(std::round(x));
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

std::vector<double> counts_between(const Axis& axis, double from, double to, std::size_t n) {
  auto counts = whole_numbers(axis, from, to, n + 1);
  std::erase_if(counts, [&](double count) { return count <= from || count >= to; });
  return counts;
}

// The number of steps behind an abscissa: the abscissa itself, or epochs times the steps of one.
struct Counted {
  Repeated run;
  double steps_a_unit = 1;

  std::int64_t count(double x) const { return std::max<std::int64_t>(1, std::llround(x)); }
  Plan plan(double count) const { return run.times(this->count(count)); }
};

std::vector<std::optional<Cost>> costs_at(const Counted& counted, const std::vector<double>& counts, double delta,
                                          const CostOptions& options) {
  std::vector<Plan> plans;
  for (const double count : counts) plans.push_back(counted.plan(count));
  return costs_of(plans, delta, options);
}

// What all kinds of this file draw, against numbers of steps.
class Curves {
 public:
  Curves(const Subject& subject, Counted counted, Axis x, Axis y, Range counts)
      : subject_(subject), counted_(std::move(counted)), x_(std::move(x)), y_(std::move(y)), counts_(counts) {}

  std::optional<Series> exact(Figure& figure) const {
    CostOptions options = subject_.asked.cost;
    options.renyi = false;
    bool any = false;
    std::string obstacle;
    const Ask ask = [&](const std::vector<double>& counts) {
      std::vector<std::vector<Interval>> values;
      for (const auto& cost : costs_at(counted_, counts, delta(), options)) {
        any = any || (cost && cost->exact);
        if (cost && cost->obstacle && obstacle.empty()) obstacle = cost->obstacle->why;
        values.push_back({cost && cost->exact ? ends_of(cost->exact->worst) : Interval{}});
      }
      return values;
    };
    const auto knots = monotone_knots(y_, start(), ask, divide(), closeness());
    if (!any) {
      if (!obstacle.empty()) figure.note = "no exact figure: " + obstacle;
      return std::nullopt;
    }
    Series series{.name = "exact", .role = Role::exact, .curve = upper_ends(knots, 0, Rule::next)};
    if (std::any_of(knots.begin(), knots.end(), [&](const Knot& knot) { return is_wide(knot.y.front(), y_); })) {
      series.lower = Curve{.rule = Rule::previous};
      for (const Knot& knot : knots) series.lower->add(knot.x, knot.y.front().lower);
    }
    return series;
  }

  Series renyi() const {
    CostOptions options = subject_.asked.cost;
    options.exact = false;
    Series series{.name = "Rényi (upper bound)", .role = Role::renyi};
    const auto bounds = [&](const std::vector<double>& at) {
      std::vector<double> counts;
      for (const double x : at) counts.push_back(std::round(x));
      std::vector<RenyiBound> found;
      for (const auto& cost : costs_at(counted_, counts, delta(), options)) {
        found.push_back(cost ? *cost->renyi : RenyiBound{});
      }
      return found;
    };
    const auto draw = [&](const Orders& orders) {
      return renyi_step_curve(orders, delta(), counts_.first, counts_.second);
    };
    std::optional<Curve> polygon;
    if (delta() > 0) {
      polygon = renyi_polygon(counted_.plan(1), options, whole_numbers(x_, counts_.first, counts_.second, tangents), y_,
                              closeness().tolerance, bounds, draw);
    }
    if (polygon) {
      series.curve = std::move(*polygon);
      return series;
    }
    const Ask ask = [&](const std::vector<double>& at) {
      std::vector<std::vector<Interval>> values;
      for (const auto& cost : costs_at(counted_, at, delta(), options)) {
        values.push_back({cost ? Interval{0, cost->renyi->upper} : Interval{}});
      }
      return values;
    };
    series.curve = upper_ends(monotone_knots(y_, start(), ask, divide(), closeness()), 0, Rule::next);
    return series;
  }

  void add_to(Figure& figure) const {
    if (subject_.asked.cost.exact) {
      if (auto series = exact(figure)) figure.series.push_back(std::move(*series));
    }
    if (subject_.asked.cost.renyi) figure.series.push_back(renyi());
    if (figure.series.empty()) throw Unsupported("", figure.note, "the Rényi bound, by \"want\"");
  }

  std::vector<double> start() const { return whole_numbers(x_, counts_.first, counts_.second, first_points); }
  Divide divide() const {
    return [this](double from, double to, std::size_t n) { return counts_between(x_, from, to, n); };
  }
  Closeness closeness() const {
    const Closeness close = subject_.closeness();
    return {close.tolerance, most_points};
  }

 private:
  double delta() const { return delta_of(subject_.asked); }

  const Subject& subject_;
  Counted counted_;
  Axis x_;
  Axis y_;
  Range counts_;
};

// Returns how many epochs the steps make, by the part of the records that each step uses on average.
double epochs_of(const FigureRun& asked) {
  if (asked.sizes) {
    const ResolvedRun& run = *asked.sizes;
    const auto count = static_cast<double>(run.count.value_or(1));
    if (run.scheme && is_by_epoch(*run.scheme)) return count;
    double batch = 0, records = 0;
    for (const SchemeNumber& number : run.numbers) {
      if (number.rate) return count * *number.rate;
      if (number.name == "batch_size" && number.whole) batch = static_cast<double>(*number.whole);
      if (number.name == "dataset_size" && number.whole) records = static_cast<double>(*number.whole);
    }
    if (batch > 0 && records > 0) return count * batch / records;
  }
  if (const auto epochs = Repeated(asked.plan).epochs()) return *epochs;
  throw InvalidArgument("sampling_rate", "nothing",
                        "a rate, or a batch size and the number of records: epochs are passes over the data (for other "
                        "plans, ask for the kind steps)");
}

}  // namespace
}  // namespace steps_file

Range steps_range(const Subject& subject) {
  constexpr double most = 9e15;  // whole numbers are doubles
  const auto now = static_cast<double>(Repeated(subject.run.plan).count());
  return {std::max(1.0, std::round(now / 100)), std::min(most, std::max(100.0, now * 10))};
}

Figure steps_figure(const Subject& subject) {
  const Repeated run(subject.run.plan);
  Figure figure{.kind = "steps",
                .title = fmt::format("ε at δ = {}, against {}", in_figure(delta_of(subject.asked)), run.label()),
                .x = subject.x(run.label(), true),
                .y = subject.y("ε", true)};
  const Range counts{std::ceil(subject.range.first), std::floor(subject.range.second)};
  steps_file::Curves(subject, {run}, figure.x, figure.y, counts).add_to(figure);
  const auto count = static_cast<double>(run.count());
  if (subject.alone && count >= counts.first && count <= counts.second) {
    figure.marks.push_back({.x = count, .text = fmt::format("this run: {}", run.count())});
  }
  return figure;
}

Range epochs_range(const Subject& subject) { return {0, steps_file::epochs_of(subject.run)}; }

Figure epochs_figure(const Subject& subject) {
  const Repeated run(subject.run.plan);
  Figure figure{.kind = "epochs",
                .title = fmt::format("ε after each epoch, at δ = {}", in_figure(delta_of(subject.asked))),
                .x = subject.x("epochs", false),
                .y = subject.y("ε", false)};
  if (!figure.y.log) figure.y.from = 0;
  const double unit = steps_file::epochs_of(subject.run) / static_cast<double>(run.count());
  const double first = std::max(1.0, std::floor(subject.range.first / unit * (1 + 1e-12)));
  const double last = std::max(first + 1, std::ceil(subject.range.second / unit * (1 - 1e-12)));
  steps_file::Curves(subject, {run}, figure.x, figure.y, {first, last}).add_to(figure);
  for (Series& series : figure.series) {
    // A step that has begun counts, as in a run of so many epochs: the line through the steps begins one step earlier.
    if (series.curve.rule == Rule::linear) {
      for (double& x : series.curve.x) x -= 1;
      series.curve.add(last, series.curve.y.back());
    }
    for (double& x : series.curve.x) x *= unit;
    if (series.lower) {
      for (double& x : series.lower->x) x *= unit;
    }
    series.name += fmt::format(": {} at the end", in_figure_rounded_up(series.curve.y.back()));
  }
  return figure;
}

// Every theorem's epsilon against the number of steps. More steps never cost less, so each is a step between its
// points.
Figure composition_figure(const Subject& subject) {
  const Repeated run(subject.run.plan);
  const double delta = delta_of(subject.asked);
  Figure figure{.kind = "composition",
                .title = fmt::format("ε at δ = {} by each theorem, against {}", in_figure(delta), run.label()),
                .x = subject.x(run.label(), true),
                .y = subject.y("ε", true)};
  const Range counts{std::ceil(subject.range.first), std::floor(subject.range.second)};
  const steps_file::Curves curves(subject, {run}, figure.x, figure.y, counts);
  std::vector<std::string> names;
  for (const TheoremAnswer& theorem : compare(run.times(1), delta, {.exact = false}).theorems) {
    if (theorem.epsilon && theorem.name != "renyi-plan") names.emplace_back(theorem.name);
  }
  const Ask ask = [&](const std::vector<double>& at) {
    std::vector<std::vector<Interval>> values;
    for (const double count : at) {
      values.emplace_back(names.size());
      for (const TheoremAnswer& theorem :
           compare(run.times(static_cast<std::int64_t>(count)), delta, {.exact = false}).theorems) {
        const auto place = std::find(names.begin(), names.end(), theorem.name);
        if (place != names.end() && theorem.epsilon) {
          values.back()[static_cast<std::size_t>(place - names.begin())] = {0, *theorem.epsilon};
        }
      }
    }
    return values;
  };
  const auto knots = monotone_knots(figure.y, curves.start(), ask, curves.divide(), curves.closeness());
  curves.add_to(figure);
  for (std::size_t i = 0; i < figure.series.size(); ++i) figure.series[i].run = i;
  for (std::size_t which = 0; which < names.size(); ++which) {
    Curve curve = upper_ends(knots, which, Rule::next);
    if (std::none_of(curve.y.begin(), curve.y.end(), [](double y) { return std::isfinite(y); })) continue;
    figure.series.push_back(
        {.name = names[which], .role = Role::other, .curve = std::move(curve), .run = figure.series.size()});
  }
  return figure;
}

}  // namespace renyi::api::figure
