#include "calibrate/solve.h"

#include "calibrate/range.h"
#include "renyi/error.h"

namespace renyi::calibrate_detail {

namespace {

// Goes from 1 (or the end of the range next to it) towards the boundary in
// growing strides, so that the far and slow ends are tried only when needed.
Ends bracket(const Cost& cost, const Range& range) {
  double value = std::clamp(1.0, range.lowest, range.highest);
  const bool start_is_private = cost.within(of_value(value));
  const bool upwards = start_is_private != range.more_is_private;
  for (double stride = 2;; stride *= stride) {
    const double next = std::clamp(upwards ? value * stride : value / stride, range.lowest, range.highest);
    if (next == value) return {value, value};
    if (cost.within(of_value(next)) != start_is_private) {
      return start_is_private ? Ends{value, next} : Ends{next, value};
    }
    value = next;
  }
}

// Throws where not even that is private.
Setting private_end(const Cost& cost, const Parameter& parameter, const Ends& ends) {
  const Setting end = of_value(ends.private_value);
  if (cost.within(end)) return end;
  // A range may hold 0 apart from the rest: a rate of 0 samples nobody.
  if (parameter.zero_allowed && parameter.effect == Effect::raises_cost && cost.within(of_value(0))) {
    return of_value(0);
  }
  throw cost.unreachable(end);
}

Setting solve_parameter(const Cost& cost, const Parameter& parameter) {
  const Ends ends = bracket(cost, range_of(parameter));
  return ends.private_value != ends.costly_value ? boundary(cost, ends) : private_end(cost, parameter, ends);
}

Setting solve_count(const Cost& cost) {
  if (!cost.within(of_count(1))) throw cost.unreachable(of_count(1));
  const std::int64_t most = cost.step().largest_count();
  // Gallop upwards, then halve what is left.
  std::int64_t good = 1;
  while (good < most) {
    const std::int64_t next = good > most / 2 ? most : good * 2;
    if (!cost.within(of_count(next))) return count_boundary(cost, good, next);
    good = next;
  }
  return of_count(most);
}

}  // namespace

Setting solve(const Cost& cost) {
  return cost.step().is_count() ? solve_count(cost) : solve_parameter(cost, cost.step().parameter());
}

Setting some_private(const Cost& cost) {
  if (!cost.step().is_count()) {
    const Parameter& parameter = cost.step().parameter();
    return private_end(cost, parameter, bracket(cost, range_of(parameter)));
  }
  if (!cost.within(of_count(1))) throw cost.unreachable(of_count(1));
  return of_count(1);
}

}  // namespace renyi::calibrate_detail
