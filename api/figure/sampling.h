// Where curves get their points (docs/math/figures.md, "Points"): few, and so placed that the rules between them are
// close to the curves.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "api/figure/figure.h"
#include "renyi/interval.h"

namespace renyi::api::figure {

// Each returns n values from `from` to `to`, both included, at equal distances or ratios.
std::vector<double> evenly(double from, double to, std::size_t n);
std::vector<double> by_ratio(double from, double to, std::size_t n);
// The same by the scale of the axis.
std::vector<double> spread(const Axis& axis, double from, double to, std::size_t n);

// The height of a value on an axis, from 0 to 1; values outside are drawn at its ends.
class Height {
 public:
  // The axis covers the finite values (the positive ones, if it is logarithmic) unless it has ends of its own.
  Height(const Axis& axis, const std::vector<double>& values);
  double operator()(double value) const;

 private:
  bool log_;
  double from_ = 0;
  double to_ = 1;
};

// The values of several functions at one x.
struct Knot {
  double x = 0;
  std::vector<Interval> y{};
};
// Returns the ends of an answer, without what it says beside them.
inline Interval ends_of(const Interval& answer) { return answer; }
using Ask = std::function<std::vector<std::vector<Interval>>(const std::vector<double>&)>;

// How close a curve has to be, relative to the height of its axis, and how many values it may take.
struct Closeness {
  double tolerance = 0.004;
  std::size_t most = 160;
};

// Functions that are convex in the coordinates of a rule.
struct Convex {
  Rule rule = Rule::linear;
  Axis y{};
  // A point to the left of all others that lies on all functions.
  std::optional<Point> before{};
  // No function rises.
  bool falls = false;
};

// Evaluates the functions at the given abscissae, ascending, and then where a chord may be further above a function
// than allowed, until none is or the values are used up. Each function is at most its chords and at least the chords
// which its neighbours have, extended; the next point lies where these are furthest apart: a kink if there is one.
std::vector<Knot> convex_knots(const Convex& functions, const std::vector<double>& start, const Ask& ask,
                               const Closeness& close);

// The upper ends of one of the functions; the chords between them bound it.
Curve upper_ends(const std::vector<Knot>& knots, std::size_t which, Rule rule);
// What the chords of the neighbours, extended, bound the function by from below.
Curve lower_ends(const std::vector<Knot>& knots, std::size_t which, const Convex& functions);

// Evaluates functions that rise or fall at the given abscissae and between them, until each of their steps is lower
// than allowed or the values are used up. `between` returns abscissae inside of an interval that divide it into n
// parts, none if it cannot be divided.
using Divide = std::function<std::vector<double>(double, double, std::size_t)>;
std::vector<Knot> monotone_knots(const Axis& y, const std::vector<double>& start, const Ask& ask, const Divide& between,
                                 const Closeness& close);

// Whether the interval can be told from a line on this axis.
bool is_wide(const Interval& ends, const Axis& axis);

}  // namespace renyi::api::figure
