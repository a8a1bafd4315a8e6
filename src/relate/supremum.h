// The largest value of a ratio over a convex function, enclosed from both sides
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
  // Where F(x, offset + slope x), which rises and then falls, is largest over x > 0.
  virtual double peak(double offset, double slope) const = 0;
  // F <= this on (0, x], where k(x) <= k_upper.
  virtual double before(double x, double k_upper) const = 0;
  // F <= this on [x, inf), or up to where k is finite.
  virtual double beyond(double x) const = 0;

 protected:
  Objective() = default;
  Objective(const Objective&) = default;
  Objective& operator=(const Objective&) = default;
};

struct Search {
  double first = 1e-4;      // the first piece is (0, first]
  double last = 0;          // where the domain ends; infinite where it does not
  double at_least = 0;      // known of the supremum beforehand
  double relative = 2e-10;  // upper and lower end are to agree to this
  double absolute = 0;      // ... or to this
  bool split_first = true;  // whether `before` gets better for smaller x
  int most_evaluations = 20000;
};

// The supremum over (0, search.last). The upper end holds however early the search
// ends; the lower end is attained, or is search.at_least.
Interval supremum(const Objective& objective, const Search& search);

}  // namespace renyi::relate
