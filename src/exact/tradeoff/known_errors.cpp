#include "exact/tradeoff/known_errors.h"

#include <cmath>
#include <limits>

#include "numerics/rounding.h"

namespace renyi::exact {

namespace {

using numerics::next_down;
using numerics::next_up;

constexpr double rounding = 8 * numerics::unit_roundoff;

const ExactFigure& of(const ExactAnswer& answer, Direction direction) {
  return direction == Direction::remove ? answer.remove : answer.add;
}

// A product rounded outwards: `away` is the factor that takes a positive one away from the truth.
double outwards(double x, double factor, double away) { return x * factor * (factor > 0 ? away : 2 - away); }

// x = e^s >= 1: 1 - h = delta(s) + a x has no cancellation.
void add_above(KnownErrors& known, double s, double a, const ExactFigure& delta) {
  const double x = std::exp(s);
  const double lower = (delta.lower + a * x) * (1 - rounding), upper = (delta.upper + a * x) * (1 + rounding);
  known.s.push_back(s);
  known.h.push_back({x, next_down(1 - upper), next_up(1 - lower)});
  known.h_minus_1.push_back({x, next_down(-upper), next_up(-lower)});
}

// x = e^-t < 1: D(x) = 1 - x + x delta'(t) with delta' of the swapped pair, so h = x (1 - a - delta'(t)).
void add_below(KnownErrors& known, double t, double a, const ExactFigure& delta) {
  const double x = std::exp(-t);
  const double room = 1 - a, slack = rounding * room;
  const double least = room - delta.upper - slack, most = room - delta.lower + slack;
  const double lower = next_down(outwards(x, least, 1 - rounding)), upper = next_up(outwards(x, most, 1 + rounding));
  known.s.push_back(-t);
  known.h.push_back({x, lower, upper});
  known.h_minus_1.push_back({x, next_down(lower - 1), next_up(upper - 1)});
}

}  // namespace

KnownErrors known_errors(const KnownDeltas& deltas, Direction direction, double a) {
  // D(0) = 1.
  KnownErrors known{{-std::numeric_limits<double>::infinity()}, {{0, 0, 0}}, {{0, -1, -1}}};
  const auto& answers = deltas.answers();
  // NOLINTNEXTLINE(modernize-loop-convert): clang 14 cannot read this library's reverse views
  for (auto at = answers.rbegin(); at != answers.rend(); ++at) {
    if (at->first > 0) add_below(known, at->first, a, of(at->second, opposite(direction)));
  }
  for (const auto& [s, answer] : answers) add_above(known, s, a, of(answer, direction));
  return known;
}

}  // namespace renyi::exact
