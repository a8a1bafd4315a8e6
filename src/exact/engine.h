// What every engine answers, for one direction at a time, and what two answers agree on.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "renyi/exact.h"

namespace renyi::exact {

class Memory;

// The plan as an engine sees it.
struct Question {
  const std::vector<CountedMechanism>& steps;
  const Curve& curve;
  Direction direction = Direction::remove;
  const ExactOptions& options;
  Memory& memory;
  double order = 0;  // the best Renyi order for the question, where a search may start; 0: not known
};

// Nothing where the engine does not serve the plan there. 0 < epsilon < largest loss
// or epsilon = 0; 0 < delta < 1.
using Answer = std::optional<ExactInterval>;

Answer closed_form_delta(const Question& question, double epsilon);
Answer closed_form_epsilon(const Question& question, double delta);

Answer contour_delta(const Question& question, double epsilon);
Answer contour_epsilon(const Question& question, double delta);

Answer lattice_delta(const Question& question, double epsilon);
Answer lattice_epsilon(const Question& question, double delta);

// Always something: the Renyi bound above, the plan's parts below.
Answer bounds_delta(const Question& question, double epsilon);
Answer bounds_epsilon(const Question& question, double delta);

// delta next to 1, where the engines lose it in rounding: a lower bound on delta(epsilon); 0 where it says nothing.
double delta_at_least(const Curve& curve, Direction direction, double epsilon);
// The same of epsilon(delta).
double epsilon_at_least(const Curve& curve, Direction direction, double delta);

// Ends that contradict each other, or are no numbers, say nothing.
template <class Interval>
bool is_interval(const Interval& x) {
  return x.lower <= x.upper;  // false for NaN
}

// What two intervals say that should both hold the truth. Where they have nothing in common one of them is wrong, and
// nobody knows which: then the hull, which holds the truth if either does. So too of `lower` and `upper`, if they come
// from different places and contradict each other.
template <class Interval>
Interval agreed(Interval a, double lower, double upper) {
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
inline ExactInterval agreed(const ExactInterval& a, const ExactInterval& b) {
  const ExactInterval& narrower = b.upper - b.lower < a.upper - a.lower ? b : a;
  const ExactInterval& other = &narrower == &a ? b : a;
  return agreed(narrower, other.lower, other.upper);
}

}  // namespace renyi::exact
