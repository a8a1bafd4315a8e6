// What every engine answers, for one direction at a time, and what two answers agree on.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "renyi/exact.h"

namespace renyi::exact {

class ProfileCache;

// The plan as an engine sees it.
struct EngineQuestion {
  const std::vector<CountedMechanism>& steps;
  const Curve& curve;
  Direction direction = Direction::remove;
  const ExactOptions& options;
  ProfileCache& memory;
  double order = 0;  // the best Renyi order for the question, where a search may start; 0: not known
};

// Nothing where the engine does not serve the plan there. 0 < epsilon < largest loss
// or epsilon = 0; 0 < delta < 1.
using EngineAnswer = std::optional<ExactInterval>;

EngineAnswer closed_form_delta(const EngineQuestion& question, double epsilon);
EngineAnswer closed_form_epsilon(const EngineQuestion& question, double delta);

EngineAnswer contour_delta(const EngineQuestion& question, double epsilon);
EngineAnswer contour_epsilon(const EngineQuestion& question, double delta);

EngineAnswer lattice_delta(const EngineQuestion& question, double epsilon);
EngineAnswer lattice_epsilon(const EngineQuestion& question, double delta);

// Always something: the Renyi bound above, the plan's parts below.
EngineAnswer bounds_delta(const EngineQuestion& question, double epsilon);
EngineAnswer bounds_epsilon(const EngineQuestion& question, double delta);

// delta next to 1, where the engines lose it in rounding: a lower bound on delta(epsilon); 0 where it says nothing.
double delta_lower_bound(const Curve& curve, Direction direction, double epsilon);
// The same of epsilon(delta).
double epsilon_lower_bound(const Curve& curve, Direction direction, double delta);

// Ends that contradict each other, or are no numbers, say nothing.
template <class Interval>
bool is_interval(const Interval& x) {
  return x.lower <= x.upper;  // false for NaN
}

// What two intervals say that should both hold the truth. Where they have nothing in common one of them is wrong, and
// nobody knows which: then the hull, which holds the truth if either does. So too of `lower` and `upper`, if they come
// from different places and contradict each other.
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

// The narrower one gives its name.
inline ExactInterval intersection_or_hull(const ExactInterval& a, const ExactInterval& b) {
  const ExactInterval& narrower = b.upper - b.lower < a.upper - a.lower ? b : a;
  const ExactInterval& other = &narrower == &a ? b : a;
  return intersection_or_hull(narrower, other.lower, other.upper);
}

}  // namespace renyi::exact
