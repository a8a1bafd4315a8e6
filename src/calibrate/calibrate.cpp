// Solve a plan for one number. The cost is monotone in it, so the answer is a
// boundary: found by bracketing, reported from the private side.
#include "renyi/calibrate.h"

#include <fmt/format.h>

#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include "calibrate/unknown_step.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi {

namespace {

using calibrate_detail::UnknownStep;

void check_target(const Target& target) {
  if (!(target.epsilon >= 0) || std::isinf(target.epsilon)) {
    throw InvalidArgument("epsilon", fmt::format("{}", target.epsilon), "a finite number of at least 0");
  }
  if (!(target.delta >= 0 && target.delta <= 1)) {
    throw InvalidArgument("delta", fmt::format("{}", target.delta), "a number in [0, 1]");
  }
}

// The accountant seen as a function of the unknown.
class Search {
 public:
  Search(const UnknownStep& step, const Target& target, const ConversionOptions& options)
      : step_(step), target_(target), options_(options) {}

  EpsilonBound at(double value) const { return renyi_epsilon(*step_.curve_with(value), target_.delta, options_); }
  EpsilonBound at_count(std::int64_t n) const {
    return renyi_epsilon(*step_.curve_with_count(n), target_.delta, options_);
  }
  bool within(const EpsilonBound& bound) const { return bound.epsilon <= target_.epsilon; }

  // Negative or zero on the private side; nearly linear in ln(value).
  double excess(const EpsilonBound& bound) const {
    if (target_.epsilon == 0 || bound.epsilon == 0) return bound.epsilon <= target_.epsilon ? -1 : 1;
    return std::clamp(std::log(bound.epsilon / target_.epsilon), -100.0, 100.0);
  }

  Unsupported unreachable(std::string_view setting, const EpsilonBound& best) const {
    return {"epsilon",
            fmt::format("the target {} at delta {} cannot be reached: even {} gives epsilon {}", target_.epsilon,
                        target_.delta, setting, best.epsilon),
            "raise epsilon or delta, or change the rest of the plan"};
  }

 private:
  const UnknownStep& step_;
  const Target& target_;
  const ConversionOptions& options_;
};

struct Found {
  double value;
  EpsilonBound achieved;
};

// Two values, one on each side of the boundary, or a single end of the range.
struct Ends {
  double private_value;
  double costly_value;
};

// Goes from 1 (or the end of the range next to it) towards the boundary in
// growing strides, so that the far and slow ends are tried only when needed.
Ends bracket(const Search& search, const Parameter& parameter, double lowest, bool more_is_private) {
  double value = std::clamp(1.0, lowest, parameter.highest);
  const bool start_is_private = search.within(search.at(value));
  const bool upwards = start_is_private != more_is_private;
  for (double stride = 2;; stride *= stride) {
    const double next = std::clamp(upwards ? value * stride : value / stride, lowest, parameter.highest);
    if (next == value) return {value, value};
    if (search.within(search.at(next)) != start_is_private) {
      return start_is_private ? Ends{value, next} : Ends{next, value};
    }
    value = next;
  }
}

// The boundary between two values, from the private side, within 1e-9 (relative).
Found boundary(const Search& search, const Ends& ends) {
  const auto [least, most] = std::minmax(ends.private_value, ends.costly_value);
  // exp(ln(x)) may leave the range by a rounding.
  const auto value_at = [&, least = least, most = most](double v) { return std::clamp(std::exp(v), least, most); };
  const auto excess = [&](double v) { return search.excess(search.at(value_at(v))); };
  const auto close = [](double x, double y) { return std::abs(x - y) < 1e-10; };
  std::uintmax_t evaluations = 300;
  const auto [low, high] =
      boost::math::tools::toms748_solve(excess, std::log(least), std::log(most), close, evaluations);
  // From the costly end of what is left, in small steps to the private side: the
  // first is already private when the search met the boundary to the last bit.
  const bool upwards = ends.private_value < ends.costly_value;
  const double outer = upwards ? high : low, inner = upwards ? low : high, back = upwards ? -1 : 1;
  for (const double v : {outer, inner, inner + back * 1e-13, inner + back * 1e-11, inner + back * 5e-10}) {
    const Found found{value_at(v), search.at(value_at(v))};
    if (search.within(found.achieved)) return found;
  }
  throw NotConverged("calibration: no private value next to the boundary");
}

Found solve_parameter(const Search& search, const Parameter& parameter) {
  if (parameter.effect == Effect::not_monotone) {
    throw Unsupported(std::string(parameter.name), "the cost is not monotone in this parameter",
                      "solve for a noise multiplier, scale, rate, sensitivity, epsilon or count");
  }
  // Ranges may be open at their lower end; towards 0 a number this small stands for it.
  const double first = parameter.lowest_allowed ? parameter.lowest : numerics::next_up(parameter.lowest);
  const double lowest = parameter.lowest > 0 ? first : 1e-50;
  const Ends ends = bracket(search, parameter, lowest, parameter.effect == Effect::lowers_cost);
  if (ends.private_value != ends.costly_value) return boundary(search, ends);
  const Found end{ends.private_value, search.at(ends.private_value)};
  if (search.within(end.achieved)) return end;
  // A range may hold 0 apart from the rest: a rate of 0 samples nobody.
  if (parameter.zero_allowed && parameter.effect == Effect::raises_cost) {
    const Found zero{0, search.at(0)};
    if (search.within(zero.achieved)) return zero;
  }
  throw search.unreachable(fmt::format("{} {}", parameter.name, end.value), end.achieved);
}

struct FoundCount {
  std::int64_t count = 0;
  EpsilonBound achieved;
};

FoundCount solve_count(const Search& search, std::int64_t most) {
  EpsilonBound achieved = search.at_count(1);
  if (!search.within(achieved)) throw search.unreachable("count 1", achieved);
  std::int64_t good = 1, bad = most;
  // Gallop upwards, then halve what is left.
  while (good < most) {
    const std::int64_t next = good > most / 2 ? most : good * 2;
    const EpsilonBound bound = search.at_count(next);
    if (!search.within(bound)) {
      bad = next;
      break;
    }
    good = next;
    achieved = bound;
  }
  while (good < most && bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    const EpsilonBound bound = search.at_count(middle);
    if (search.within(bound)) {
      good = middle;
      achieved = bound;
    } else {
      bad = middle;
    }
  }
  return {good, achieved};
}

}  // namespace

Calibration calibrate(const Plan& plan, const Unknown& unknown, const Target& target,
                      const ConversionOptions& options) {
  check_target(target);
  const UnknownStep step(plan, unknown);
  const Search search(step, target, options);
  if (step.is_count()) {
    const FoundCount found = solve_count(search, step.largest_count());
    return {static_cast<double>(found.count), found.count, found.achieved, step.plan_with_count(found.count)};
  }
  const Found found = solve_parameter(search, step.parameter());
  return {found.value, 0, found.achieved, step.plan_with(found.value)};
}

}  // namespace renyi
