// The interface of all engines, which answer for one direction at a time, and the intersection of two of their answers.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "renyi/exact.h"
#include "renyi/plan.h"

namespace renyi::exact {

class ProfileCache;

// The plan as it is passed to an engine.
struct EngineQuestion {
  const std::vector<CountedMechanism>& steps;
  const Curve& curve;
  Direction direction = Direction::remove;
  const ExactOptions& options;
  ProfileCache& memory;
  double order = 0;  // the best Renyi order for the question, where a search may start; 0: not known
};

// The answer is std::nullopt where the engine does not support the plan at that point. Engines are called with 0 <
// epsilon < largest loss or epsilon = 0, and with 0 < delta < 1.
using EngineAnswer = std::optional<ExactInterval>;

EngineAnswer closed_form_delta(const EngineQuestion& question, double epsilon);
EngineAnswer closed_form_epsilon(const EngineQuestion& question, double delta);

EngineAnswer contour_delta(const EngineQuestion& question, double epsilon);
EngineAnswer contour_epsilon(const EngineQuestion& question, double delta);

EngineAnswer lattice_delta(const EngineQuestion& question, double epsilon);
EngineAnswer lattice_epsilon(const EngineQuestion& question, double delta);

// These always have an answer: the Renyi bound as the upper bound, and parts of the plan for the lower bound.
EngineAnswer bounds_delta(const EngineQuestion& question, double epsilon);
EngineAnswer bounds_epsilon(const EngineQuestion& question, double delta);

// A lower bound on delta(epsilon) where delta is close to 1 and the engines lose 1 - delta in rounding; 0 where it
// gives no bound.
double delta_lower_bound(const Curve& curve, Direction direction, double epsilon);
// The corresponding lower bound on epsilon(delta).
double epsilon_lower_bound(const Curve& curve, Direction direction, double delta);

// Bounds that contradict each other or are NaN give no information.
template <class Interval>
bool is_interval(const Interval& x) {
  return x.lower <= x.upper;  // false for NaN
}

// Returns the intersection of two intervals that should both contain the exact value. Where they have nothing in
// common, one of them is wrong and it is unknown which: then the result is their hull, which contains the exact value
// if either does. The same holds for `lower` and `upper`, if they come from different computations and contradict each
// other.
template <class Interval>
Interval intersection_or_hull(Interval a, double lower, double upper) {
  if (lower > upper) std::swap(lower, upper);
  const double least = std::max(a.lower, lower), most = std::min(a.upper, upper);
  if (least <= most) {
    a.lower = least;
    a.upper = most;
  } else {
    a.lower = std::min(a.lower, lower);
    a.upper = std::max(a.upper, upper);
  }
  return a;
}

// The result is labelled with the engine of the narrower interval.
inline ExactInterval intersection_or_hull(const ExactInterval& a, const ExactInterval& b) {
  const ExactInterval& narrower = b.upper - b.lower < a.upper - a.lower ? b : a;
  const ExactInterval& other = &narrower == &a ? b : a;
  return intersection_or_hull(narrower, other.lower, other.upper);
}

}  // namespace renyi::exact
