// Two intervals that should both hold the truth.
#pragma once

#include <algorithm>
#include <utility>

#include "renyi/exact.h"

namespace renyi::exact {

// Ends that contradict each other, or are no numbers, say nothing.
template <class Interval>
bool is_interval(const Interval& x) {
  return x.lower <= x.upper;  // false for NaN
}

// What both say. Where they have nothing in common one of them is wrong, and nobody knows which: then the hull, which
// holds the truth if either does. So too of `lower` and `upper`, if they come from different places and contradict
// each other.
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
inline ExactFigure agreed(const ExactFigure& a, const ExactFigure& b) {
  const ExactFigure& narrower = b.upper - b.lower < a.upper - a.lower ? b : a;
  const ExactFigure& other = &narrower == &a ? b : a;
  return agreed(narrower, other.lower, other.upper);
}

}  // namespace renyi::exact
