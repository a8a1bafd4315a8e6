#include "api/figure/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace renyi::api::figure {
namespace sampling_file {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The function lies above this at x, between the knots i and i+1.
double least_between(const std::vector<Knot>& knots, std::size_t i, std::size_t which, const Convex& functions,
                     double x) {
  const auto low = [&](std::size_t k) { return Point{knots[k].x, knots[k].y[which].lower}; };
  const auto high = [&](std::size_t k) { return Point{knots[k].x, knots[k].y[which].upper}; };
  double least = -infinite;
  if (i > 0 || functions.before) {
    least = extended(functions.rule, i > 0 ? high(i - 1) : *functions.before, low(i), x);
  }
  if (i + 2 < knots.size()) {
    least = std::max(least, extended(functions.rule, high(i + 2), low(i + 1), x));
  }
  if (functions.falls) least = std::max(least, low(i + 1).y);
  return std::isnan(least) ? -infinite : least;
}

// The place between the knots i and i+1 where the bounds from both sides meet.
double meeting_place(const std::vector<Knot>& knots, std::size_t i, std::size_t which, const Convex& functions) {
  const auto low = [&](std::size_t k) { return Point{knots[k].x, knots[k].y[which].lower}; };
  const auto high = [&](std::size_t k) { return Point{knots[k].x, knots[k].y[which].upper}; };
  const double begin = knots[i].x, end = knots[i + 1].x;
  if (i == 0 && !functions.before) return begin + (end - begin) / 2;
  const Point left = i > 0 ? high(i - 1) : *functions.before;
  const bool has_right = i + 2 < knots.size();
  if (!has_right && !functions.falls) return begin + (end - begin) / 2;
  const auto from_right = [&](double x) {
    const double flat = functions.falls ? low(i + 1).y : -infinite;
    return has_right ? std::max(flat, extended(functions.rule, high(i + 2), low(i + 1), x)) : flat;
  };
  double a = begin, b = end;
  for (int n = 0; n < 52; ++n) {
    const double middle = a + (b - a) / 2;
    (extended(functions.rule, left, low(i), middle) > from_right(middle) ? a : b) = middle;
  }
  return a + (b - a) / 2;
}

struct Gap {
  double height = 0;  // relative to the axis
  double x = 0;       // where it is
};

bool is_finite(const Interval& ends) { return std::isfinite(ends.upper); }

Gap gap_of(const std::vector<Knot>& knots, std::size_t i, std::size_t which, const Convex& functions,
           const Height& height) {
  const Knot &a = knots[i], &b = knots[i + 1];
  const Interval &first = a.y[which], &last = b.y[which];
  constexpr double narrow = 1e-3;
  if (!is_finite(first) || !is_finite(last)) {
    const bool ends = is_finite(first) != is_finite(last) && b.x - a.x > narrow * std::max(std::abs(b.x), 1e-300);
    return {ends ? 1.0 : 0.0, a.x + (b.x - a.x) / 2};
  }
  const double x = meeting_place(knots, i, which, functions);
  constexpr double close = 1e-9;
  if (!(x - a.x > close * (b.x - a.x)) || !(b.x - x > close * (b.x - a.x))) return {};
  const double above = height(value_between(functions.rule, {a.x, first.upper}, {b.x, last.upper}, x));
  const double below = height(least_between(knots, i, which, functions, x));
  // Another point does not narrow the intervals of the function itself.
  const double width = std::max(height(first.upper) - height(first.lower), height(last.upper) - height(last.lower));
  return {above - below - width, x};
}

std::vector<Knot> asked_at(const std::vector<double>& at, const Ask& ask) {
  std::vector<Knot> knots;
  auto values = ask(at);
  for (std::size_t i = 0; i < at.size(); ++i) knots.push_back({at[i], std::move(values[i])});
  return knots;
}

void merge(std::vector<Knot>& knots, std::vector<Knot> more) {
  knots.insert(knots.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  std::sort(knots.begin(), knots.end(), [](const Knot& a, const Knot& b) { return a.x < b.x; });
}

std::vector<double> values_of(const std::vector<Knot>& knots) {
  std::vector<double> values;
  for (const Knot& knot : knots) {
    for (const Interval& ends : knot.y) values.push_back(ends.upper);
  }
  return values;
}

// The widest gap of any function in each interval, those that are not narrow enough.
std::vector<Gap> open_gaps(const std::vector<Knot>& knots, const Convex& functions, const Height& height,
                           double tolerance) {
  std::vector<Gap> gaps;
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    Gap widest;
    for (std::size_t which = 0; which < knots[i].y.size(); ++which) {
      const Gap gap = gap_of(knots, i, which, functions, height);
      if (gap.height > widest.height) widest = gap;
    }
    if (widest.height > tolerance) gaps.push_back(widest);
  }
  std::sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.height > b.height; });
  return gaps;
}

}  // namespace
}  // namespace sampling_file

std::vector<double> evenly(double from, double to, std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    values.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(n - 1));
  }
  values.back() = to;
  return values;
}

std::vector<double> by_ratio(double from, double to, std::size_t n) {
  std::vector<double> values;
  for (const double t : evenly(std::log(from), std::log(to), n)) values.push_back(std::exp(t));
  values.front() = from;
  values.back() = to;
  return values;
}

std::vector<double> spread(const Axis& axis, double from, double to, std::size_t n) {
  return axis.log && from > 0 ? by_ratio(from, to, n) : evenly(from, to, n);
}

Height::Height(const Axis& axis, const std::vector<double>& values) : log_(axis.log) {
  double least = sampling_file::infinite, most = -sampling_file::infinite;
  for (const double value : values) {
    if (!std::isfinite(value) || (log_ && value <= 0)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  from_ = axis.from.value_or(log_ ? least : std::min(0.0, least));
  to_ = axis.to.value_or(most);
  if (log_) {
    from_ = std::log(std::max(from_, 1e-300));
    to_ = std::log(to_);
  }
}

double Height::operator()(double value) const {
  if (!(to_ > from_)) return 0;
  const double along = log_ ? std::log(std::max(value, 0.0)) : value;
  return std::clamp((along - from_) / (to_ - from_), 0.0, 1.0);
}

std::vector<Knot> convex_knots(const Convex& functions, const std::vector<double>& start, const Ask& ask,
                               const Closeness& close) {
  using namespace sampling_file;
  std::vector<Knot> knots = asked_at(start, ask);
  while (knots.size() < close.most) {
    const Height height(functions.y, values_of(knots));
    std::vector<double> at;
    for (const Gap& gap : open_gaps(knots, functions, height, close.tolerance)) {
      if (knots.size() + at.size() < close.most) at.push_back(gap.x);
    }
    if (at.empty()) break;
    std::sort(at.begin(), at.end());
    merge(knots, asked_at(at, ask));
  }
  return knots;
}

Curve upper_ends(const std::vector<Knot>& knots, std::size_t which, Rule rule) {
  Curve curve{.rule = rule};
  for (const Knot& knot : knots) curve.add(knot.x, knot.y[which].upper);
  return curve;
}

Curve lower_ends(const std::vector<Knot>& knots, std::size_t which, const Convex& functions) {
  using namespace sampling_file;
  Curve curve{.rule = functions.rule};
  for (std::size_t i = 0; i < knots.size(); ++i) {
    curve.add(knots[i].x, knots[i].y[which].lower);
    if (i + 1 == knots.size()) break;
    const double x = meeting_place(knots, i, which, functions);
    const double least = least_between(knots, i, which, functions, x);
    if (x > knots[i].x && x < knots[i + 1].x && std::isfinite(least)) curve.add(x, std::max(least, 0.0));
  }
  return curve;
}

std::vector<Knot> monotone_knots(const Axis& y, const std::vector<double>& start, const Ask& ask, const Divide& between,
                                 const Closeness& close) {
  using namespace sampling_file;
  std::vector<Knot> knots = asked_at(start, ask);
  for (int round = 0; round < 12 && knots.size() < close.most; ++round) {
    const Height height(y, values_of(knots));
    std::vector<double> at;
    for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
      double step = 0;
      for (std::size_t which = 0; which < knots[i].y.size(); ++which) {
        step = std::max(step, std::abs(height(knots[i + 1].y[which].upper) - height(knots[i].y[which].upper)));
      }
      if (!(step > close.tolerance)) continue;
      // Where a step is much too high, the points between say first where it lies.
      const auto parts = static_cast<std::size_t>(std::ceil(std::min(24.0, 1.1 * step / close.tolerance)));
      for (const double x : between(knots[i].x, knots[i + 1].x, std::max<std::size_t>(2, parts))) at.push_back(x);
    }
    if (at.empty()) break;
    if (knots.size() + at.size() > close.most) at.resize(close.most - knots.size());
    if (at.empty()) break;
    merge(knots, asked_at(at, ask));
  }
  return knots;
}

bool is_wide(const Interval& ends, const Axis& axis) {
  // It is half a pixel of 500.
  constexpr double visible = 1e-3;
  if (!std::isfinite(ends.upper)) return false;
  if (axis.log)
    return !(ends.lower > 0) ? ends.upper > 0 && ends.lower < ends.upper
                             : std::log10(ends.upper / ends.lower) > visible;
  return ends.upper - ends.lower > visible * std::max(1.0, std::abs(ends.upper));
}

}  // namespace renyi::api::figure
