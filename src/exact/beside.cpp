#include "exact/beside.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"

namespace renyi::exact {

namespace {

using account::Apart;
using numerics::next_down;
using numerics::next_up;

constexpr double infinity = std::numeric_limits<double>::infinity();
// Halvings of the shift: as narrow as the shift itself is known.
constexpr int halvings = 40;

// The profile of the finite part at any epsilon: below 0 the other direction has it.
ExactFigure signed_delta(double epsilon, Direction direction, const AskDirection& delta) {
  if (epsilon >= 0) return delta(epsilon, direction);
  ExactFigure figure = delta(-epsilon, opposite(direction));
  figure.lower = account::beyond_zero_lower(-epsilon, figure.lower);
  figure.upper = account::beyond_zero_upper(-epsilon, figure.upper);
  return figure;
}

// Where the profile of the finite part falls to `delta` from above 0 at the latest: epsilons from -most to 0.
template <class IsAbove>
double crossing_below_zero(double most, bool stay_above, const IsAbove& is_above) {
  double low = -most, high = 0;  // delta is above the level at low, and not at high
  if (!is_above(low)) return low;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + high);
    (is_above(middle) ? low : high) = middle;
  }
  return stay_above ? low : high;
}

// The least epsilon of at least -most at which the finite part has no more than `delta`; an upper end of it.
double least_epsilon_upper(double delta, double most, Direction direction, const FiniteProfile& finite,
                           ExactFigure& found) {
  found = finite.epsilon(delta, direction);
  if (found.upper > 0 || !(most > 0)) return found.upper;
  return crossing_below_zero(most, false,
                             [&](double at) { return !(signed_delta(at, direction, finite.delta).upper <= delta); });
}

double least_epsilon_lower(double delta, double most, Direction direction, const FiniteProfile& finite) {
  const double lower = finite.epsilon(delta, direction).lower;
  if (lower > 0 || !(most > 0)) return lower;
  return crossing_below_zero(most, true,
                             [&](double at) { return signed_delta(at, direction, finite.delta).lower > delta; });
}

// A sum that rounds to 0 is 0.
double moved(double epsilon, double shift, double (*outwards)(double) noexcept) {
  const double sum = epsilon + shift;
  if (shift == 0 || sum <= 0) return std::max(0.0, sum);
  return std::max(0.0, outwards(sum));
}

}  // namespace

ExactFigure delta_beside(const Apart& apart, double epsilon, Direction direction, const AskDirection& delta) {
  if (std::isinf(epsilon) || apart.is_certain()) return {apart.lower, apart.upper, Engine::closed_form};
  if (!apart.has_shift()) return {apart.lower, 1, Engine::bounds};
  const auto at = [&](double shift, double (*outwards)(double) noexcept) {
    return signed_delta(shift == 0 ? epsilon : outwards(epsilon - shift), direction, delta);
  };
  ExactFigure figure = at(apart.shift_upper, next_down);
  const double lower = apart.shift_lower == apart.shift_upper ? figure.lower : at(apart.shift_lower, next_up).lower;
  figure.lower = apart.with_lower(std::min(lower, figure.upper));
  figure.upper = apart.with_upper(figure.upper);
  return figure;
}

ExactFigure epsilon_beside(const Apart& apart, double delta, Direction direction, const FiniteProfile& finite) {
  if (delta == 1) return {0, 0, Engine::closed_form};
  if (delta < apart.lower || (delta == 0 && apart.exists)) return {infinity, infinity, Engine::closed_form};
  if (!apart.has_shift()) return {0, infinity, Engine::bounds};
  ExactFigure figure;
  const double less = apart.left_lower(delta), more = apart.left_upper(delta);
  const double upper = less < 0 ? infinity : least_epsilon_upper(less, apart.shift_upper, direction, finite, figure);
  const double lower = least_epsilon_lower(more, apart.shift_upper, direction, finite);
  figure.lower = moved(lower, apart.shift_lower, next_down);
  figure.upper = moved(upper, apart.shift_upper, next_up);
  return figure;
}

}  // namespace renyi::exact
