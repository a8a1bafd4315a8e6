// The largest value of a ratio over a convex function, enclosed by an upper and a lower bound
// (docs/math/privacy-notions.md, "Suprema").
#pragma once

#include "renyi/interval.h"

namespace renyi::relate {

// F(x, k(x)) over x > 0, where k is convex with k(0) = 0 and F increases in k.
class Objective {
 public:
  virtual ~Objective() = default;
  // k(x)
  virtual Interval convex(double x) const = 0;
  // F(x, k)
  virtual double value(double x, double k) const = 0;
  // The point at which F(x, offset + slope x), which rises and then falls, is largest over x > 0.
  virtual double peak(double offset, double slope) const = 0;
  // An upper bound on F on (0, x], where k(x) <= k_upper.
  virtual double before(double x, double k_upper) const = 0;
  // An upper bound on F on [x, inf), or up to where k is finite.
  virtual double beyond(double x) const = 0;

 protected:
  Objective() = default;
  Objective(const Objective&) = default;
  Objective& operator=(const Objective&) = default;
};

struct Search {
  double first = 1e-4;      // the first piece is (0, first]
  double last = 0;          // the end of the domain; infinite if it has none
  double at_least = 0;      // a lower bound on the supremum that is known beforehand
  double relative = 2e-10;  // upper and lower bound are to agree to this relative difference
  double absolute = 0;      // ... or to this absolute difference
  bool split_first = true;  // whether `before` gets better for smaller x
  int most_evaluations = 20000;
};

// Returns the supremum over (0, search.last). The upper bound holds however early the search ends; the lower bound is
// attained, or is search.at_least.
Interval supremum(const Objective& objective, const Search& search);

}  // namespace renyi::relate
